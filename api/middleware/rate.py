"""How often one key, or one address without a key, may ask.

The headers are those of https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/. RateLimit-Policy
says what is allowed: a quota `q` in a window of `w` seconds; RateLimit what is left: `r`, and more in `t` seconds.
"""

from __future__ import annotations

import logging
import math
import time
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from fastapi import Request
from limits import RateLimitItem, parse_many
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from limits.errors import ConfigurationError, StorageError
from limits.storage import storage_from_string
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import problems
from api.keys import Keys, is_open, writes
from api.settings import Settings
from graph.errors import BadRequest

_log = logging.getLogger("warpath.rate")


class Left(NamedTuple):
    """What is left of one quota, and the seconds until there is more."""

    quota: RateLimitItem
    remaining: int
    seconds: int


class Quotas:
    """What each caller may ask, and has asked."""

    def __init__(self, settings: Settings) -> None:
        """Opens the storage.

        Raises:
            BadRequest: there is no such storage.
        """
        self._read = parse_many(settings.rate) if settings.rate else []
        self._write = parse_many(settings.write_rate) if settings.write_rate else self._read
        try:
            storage = storage_from_string(f"async+{settings.rate_storage.get_secret_value()}", wrap_exceptions=True)
        except ConfigurationError as error:
            raise BadRequest(
                "WARPATH_RATE_STORAGE cannot be used.",
                hint="Unset it to count in memory, or name a storage of the library limits that is installed.",
            ) from error
        self._limiter = SlidingWindowCounterRateLimiter(storage)

    async def ask(self, who: str, *, write: bool) -> tuple[bool, list[Left]]:
        """Counts one request: whether it is within all quotas, and what is left of each."""
        kind, quotas = ("write", self._write) if write else ("read", self._read)
        granted = [await self._limiter.hit(quota, kind, who) for quota in quotas]
        return all(granted), [await self._left(quota, kind, who) for quota in quotas]

    async def _left(self, quota: RateLimitItem, kind: str, who: str) -> Left:
        reset, remaining = await self._limiter.get_window_stats(quota, kind, who)
        return Left(quota, remaining, max(1, math.ceil(reset - time.time())))


class RateLimit:
    """Refuses whoever asks too often, and tells everyone what is left."""

    def __init__(self, app: ASGIApp, keys: Keys, quotas: Quotas) -> None:
        self._app, self._keys, self._quotas = app, keys, quotas

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        if scope["type"] != "http" or is_open(scope):
            await self._app(scope, receive, send)
            return
        granted, left = await self._asked(scope)

        async def send_with_headers(message: Message) -> None:
            if left and message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_headers(left))
            await send(message)

        await (self._app if granted else _refusal(scope, left))(scope, receive, send_with_headers)

    async def _asked(self, scope: Scope) -> tuple[bool, list[Left]]:
        caller = self._keys.caller(scope)
        try:
            return await self._quotas.ask(caller.name if caller else address(scope), write=writes(scope))
        except StorageError:  # to answer without counting is better than not to answer
            _log.exception("Requests cannot be counted")
            return True, []


def address(scope: Scope) -> str:
    """Whom an address belongs to: whoever has one of IPv6 has all with the same 64 bits."""
    host = (scope.get("client") or ("unknown",))[0]
    try:
        version6 = isinstance(ip_address(host), IPv6Address)
    except ValueError:  # a proxy may say anything
        return str(host)
    return str(ip_network((host, 64), strict=False)) if version6 else str(host)


def _refusal(scope: Scope, left: list[Left]) -> ASGIApp:
    wait = max((one.seconds for one in left if not one.remaining), default=1)
    return problems.refusal(Request(scope), problems.TOO_MANY, {"Retry-After": str(wait)})


def _headers(left: list[Left]) -> dict[str, str]:
    policies = [f'"per-{q.get_expiry()}s";q={q.amount};w={q.get_expiry()}' for q, _, _ in left]
    states = [f'"per-{q.get_expiry()}s";r={remaining};t={seconds}' for q, remaining, seconds in left]
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(states)}
