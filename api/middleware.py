"""What happens to every request and response, before and after the endpoints."""

from __future__ import annotations

import logging
import string
from uuid import uuid4

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import problems

MOST_BYTES = 1_000_000  # of a request's body

_ID_CHARACTERS = frozenset(string.ascii_letters + string.digits + "-_.")
_log = logging.getLogger("warpath.rest")


class Edge:
    """The outermost layer: a name for the request, headers for the response, and an answer when all else failed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope).get("x-request-id", ""))
        scope.setdefault("state", {})["request_id"] = request_id
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                MutableHeaders(scope=message).update({"X-Request-ID": request_id, "X-Content-Type-Options": "nosniff"})
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            _log.exception("Request %s failed", request_id)
            if started:  # the caller must see that the answer is cut short
                raise
            await problems.internal(Request(scope))(scope, receive, send_with_headers)


class BodyLimit:
    """Refuses bodies over `MOST_BYTES`: at once if their length is declared, else while they arrive."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] == "http" and _declared_length(scope) > MOST_BYTES:
            await problems.too_large(Request(scope))(scope, receive, send)
            return
        received = 0

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MOST_BYTES:
                raise HTTPException(problems.TOO_LARGE.status)
            return message

        await self._app(scope, receive_limited, send)


def _declared_length(scope: Scope) -> int:
    declared = Headers(scope=scope).get("content-length", "")
    return int(declared) if declared.isdecimal() and len(declared) < 20 else 0


def _request_id(given: str) -> str:
    """The caller's name for the request if it can stand in a log, else a new one."""
    return given if 0 < len(given) <= 128 and _ID_CHARACTERS.issuperset(given) else uuid4().hex
