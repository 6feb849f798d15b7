"""HEAD is GET without the body (RFC 9110, section 9.3.2): the server that sends the answer leaves the body out."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class HeadAsGet:
    """Answers HEAD wherever GET is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        inner = {**scope, "method": "GET"}
        try:
            await self._app(inner, receive, send)
        finally:
            scope.update({name: inner[name] for name in ("route", "endpoint") if name in inner})  # for the log
