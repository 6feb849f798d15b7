"""The edge of the service: a name for the request, headers for the response, and an answer when all else failed."""

from __future__ import annotations

import logging
import string
from uuid import uuid4

from fastapi import Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import problems

MOST_ADDRESS = 16_384  # bytes of path and query: four times the longest query, percent-encoded
MOST_HEADERS = 32_768  # bytes of all headers

# What a browser must not do with an answer. A route that serves pages has a policy of its own, which stays.
_PROTECTION = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_ID_CHARACTERS = frozenset(string.ascii_letters + string.digits + "-_.")
_log = logging.getLogger("warpath.rest")


class Edge:
    """Names requests, protects answers, and gives a problem for whatever was not foreseen."""

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
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = request_id
                for name, value in _PROTECTION.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await (_refusal(scope) or self._app)(scope, receive, send_with_headers)
        except Exception:
            _log.exception("Request %s failed", request_id)
            if started:  # the caller must see that the answer is cut short
                raise
            await problems.internal(Request(scope))(scope, receive, send_with_headers)


def _refusal(scope: Scope) -> ASGIApp | None:
    """The answer to a request whose head alone is too large."""
    if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > MOST_ADDRESS:
        return problems.refusal(Request(scope), problems.LONG_ADDRESS)
    if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
        return problems.refusal(Request(scope), problems.LARGE_HEADERS)
    return None


def _request_id(given: str) -> str:
    """The caller's name for the request if it can stand in a log, else a new one."""
    return given if 0 < len(given) <= 128 and _ID_CHARACTERS.issuperset(given) else uuid4().hex
