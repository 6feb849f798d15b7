"""Whoever needs a key must have the right one."""

from __future__ import annotations

from fastapi import Request, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from api import problems
from api.keys import Keys, Right, given

_CHALLENGE = 'Bearer realm="warpath"'


class Keyed:
    """Refuses requests that lack the key they need, before anything of them is read."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app, self._keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        needed = self._keys.needed(scope) if scope["type"] == "http" else None
        refusal = self._refusal(scope, needed) if needed else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope, needed: Right) -> Response | None:
        request, caller = Request(scope), self._keys.caller(scope)
        if needed == "write" and not self._keys.writing_is_on:
            return problems.refusal(request, problems.WRITING_OFF)
        if not caller:
            unknown = ', error="invalid_token"' if given(scope) else ""
            return problems.refusal(request, problems.KEY_NEEDED, {"WWW-Authenticate": _CHALLENGE + unknown})
        if needed == "write" and not caller.may_write:
            return problems.refusal(request, problems.KEY_FORBIDS)
        return None
