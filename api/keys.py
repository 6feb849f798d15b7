"""Who may do what: API keys, and what a request needs one for."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from typing import Literal, NamedTuple

from pydantic import SecretStr
from starlette.datastructures import Headers
from starlette.types import Scope

from api.settings import Settings

Right = Literal["read", "write"]

_OPEN = ("/healthz", "/readyz", "/problems")  # probes have no key, and what an error means is no secret
_PAGE = ("/", "/docs", "/embed.js", "/kernels", "/web")  # our own files; what they ask the service for needs its key


class Caller(NamedTuple):
    """Who asks with a key that is known. `name` tells keys apart in logs and counts without telling the key."""

    name: str
    may_write: bool


class Keys:
    """The keys of a service. It holds their digests alone; a key that may write may read."""

    def __init__(self, settings: Settings) -> None:
        self._read, self._write = _digests(settings.read_keys), _digests(settings.write_keys)
        self._metrics_keyed = settings.metrics == "keyed"

    @property
    def reading_is_keyed(self) -> bool:
        """Whether reading needs a key."""
        return bool(self._read)

    @property
    def writing_is_on(self) -> bool:
        """Whether any key may write."""
        return bool(self._write)

    def caller(self, scope: Scope) -> Caller | None:
        """Who sends a request, none without a known key. How long it takes tells nothing about a key."""
        digest = sha256(given(scope).encode()).digest()
        writes, reads = _among(digest, self._write), _among(digest, self._read)
        return Caller(digest.hex()[:8], writes) if writes or reads else None

    def needed(self, scope: Scope) -> Right | None:
        """The right that a request needs a key for."""
        if writes(scope):
            return "write"
        keyed = self._metrics_keyed if scope["path"] == "/metrics" else self.reading_is_keyed
        return "read" if keyed and not is_open(scope) else None


def given(scope: Scope) -> str:
    """The key that a request holds, as `X-API-Key` or as a bearer token (RFC 6750); empty without one."""
    headers = Headers(scope=scope)
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return headers.get("x-api-key") or (token.strip() if scheme.lower() == "bearer" else "")


def writes(scope: Scope) -> bool:
    """Whether a request would change what is stored."""
    method, path = scope["method"], scope["path"]
    return bool(path == "/v1/ingest" if method == "POST" else method == "DELETE" and path.startswith("/v1/sources/"))


def is_open(scope: Scope) -> bool:
    """Whether an address is for everyone, at any rate."""
    path = scope["path"]
    return any(path == one or path.startswith(f"{one}/") for one in (*_OPEN, *_PAGE))


def _digests(keys: Iterable[SecretStr]) -> tuple[bytes, ...]:
    return tuple(sha256(key.get_secret_value().encode()).digest() for key in keys)


def _among(digest: bytes, known: tuple[bytes, ...]) -> bool:
    """Whether a digest is one of those known; all are looked at."""
    return sum(compare_digest(digest, one) for one in known) > 0
