"""What a request may send: how much, in which form and how slowly."""

from __future__ import annotations

import asyncio

from fastapi import Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import problems
from api.keys import writes

MOST_BYTES = 1_000_000  # of a body
MOST_UPLOAD = 20_000_000  # of one that writes: lists may be that long


class BodyLimit:
    """Refuses bodies that are too large, at once if their length is declared, else while they arrive; and too slow."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app, self._seconds = app, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = MOST_UPLOAD if writes(scope) else MOST_BYTES
        if fault := _fault(scope, most):
            await problems.refusal(Request(scope), fault)(scope, receive, send)
        else:
            await self._app(scope, _Body(receive, most, self._seconds).receive, send)


class _Body:
    """A body as it arrives."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive, self._left, self._seconds = receive, most, seconds
        self._deadline: float | None = None
        self._whole = False

    async def receive(self) -> Message:
        """The next part. What comes after the whole body, that the client is gone, may take as long as it likes."""
        if self._whole:
            return await self._receive()
        message = await self._in_time()
        self._left -= len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._left < 0:
            raise HTTPException(problems.TOO_LARGE.status)
        return message

    async def _in_time(self) -> Message:
        self._deadline = self._deadline or asyncio.get_running_loop().time() + self._seconds
        try:
            async with asyncio.timeout_at(self._deadline):
                return await self._receive()
        except TimeoutError:
            raise HTTPException(problems.TOO_SLOW.status, headers={"Connection": "close"}) from None


def _fault(scope: Scope, most: int) -> problems.ProblemType | None:
    """What is wrong with the body that the headers tell of."""
    if _declared_length(scope) > most:
        return problems.TOO_LARGE
    if scope["path"].startswith("/v1/") and _has_body(scope) and not _is_json(scope):
        return problems.NOT_JSON
    return None


def _has_body(scope: Scope) -> bool:
    return scope["method"] == "POST" and (_declared_length(scope) > 0 or "transfer-encoding" in Headers(scope=scope))


def _is_json(scope: Scope) -> bool:
    """Only JSON is read, so that no form on another site can ask."""
    media_type = Headers(scope=scope).get("content-type", "").partition(";")[0].strip().lower()
    return media_type == "application/json" or (media_type.startswith("application/") and media_type.endswith("+json"))


def _declared_length(scope: Scope) -> int:
    declared = Headers(scope=scope).get("content-length", "")
    return int(declared) if declared.isdecimal() and len(declared) < 20 else 0
