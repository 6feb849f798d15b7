"""What happens to every request and response, before and after the endpoints: one layer a file."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from api.keys import Keys
from api.middleware.account import Account, Hear
from api.middleware.body import MOST_BYTES, BodyLimit
from api.middleware.edge import Edge
from api.middleware.head import HeadAsGet
from api.middleware.keyed import Keyed
from api.settings import Settings

__all__ = ["MOST_BYTES", "install"]

_SHOWN = ("Retry-After", "RateLimit", "RateLimit-Policy", "X-Request-ID")  # what a page of another site may see


def install(app: FastAPI, settings: Settings, keys: Keys, hear: Hear) -> None:
    """Puts all layers around an app: from the innermost to the outermost."""
    app.add_middleware(HeadAsGet)
    app.add_middleware(BodyLimit, seconds=settings.client_timeout)
    app.add_middleware(Keyed, keys=keys)
    if settings.rate or settings.write_rate:
        from api.middleware.rate import Quotas, RateLimit  # half a second that only a limited service pays

        app.add_middleware(RateLimit, keys=keys, quotas=Quotas(settings))
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=("GET", "POST", "DELETE"),
            allow_headers=("*",),
            expose_headers=_SHOWN,
        )
    app.add_middleware(Edge)
    app.add_middleware(Account, keys=keys, hear=hear)
