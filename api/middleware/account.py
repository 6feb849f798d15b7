"""One account of every request, for the log and the metrics."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.keys import Keys

CUT_SHORT = 499  # the status, as other servers have it, of a request that got no answer: its client was gone


@dataclass(frozen=True, slots=True)
class Handled:
    """One request that is over. `route` is a template such as /v1/topics/{slug}: the same for all topics."""

    request_id: str
    method: str
    route: str
    status: int
    seconds: float
    caller: str | None
    query: str


Hear = Callable[[Handled], None]


class Account:
    """Tells of each request when it is over, however it ends."""

    def __init__(self, app: ASGIApp, keys: Keys, hear: Hear) -> None:
        self._app, self._keys, self._hear = app, keys, hear

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.perf_counter(), CUT_SHORT

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noting)
        finally:
            self._hear(self._handled(scope, status, time.perf_counter() - started))

    def _handled(self, scope: Scope, status: int, seconds: float) -> Handled:
        caller = self._keys.caller(scope)
        return Handled(
            request_id=scope["state"]["request_id"],
            method=scope["method"],
            route=_route(scope),
            status=status,
            seconds=seconds,
            caller=caller.name if caller else None,
            query=scope["query_string"].decode("latin-1"),
        )


def _route(scope: Scope) -> str:
    """The template that an address fits; of a whole app at an address, and of an address without parameters, that."""
    if route := scope.get("route"):
        return str(route.path_format)
    return str(scope.get("root_path") or scope["path"]) if "endpoint" in scope else "none"
