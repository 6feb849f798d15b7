"""The REST service: routes, problems and limits put together around one library."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import metadata

import uvicorn
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.routing import Route

from api import connection, logs, middleware, openapi, problems
from api.bootstrap import open_language_model, open_stores, read_ontology
from api.keys import Keys, is_open
from api.mcp.http import McpEndpoint
from api.middleware.account import Handled, Hear
from api.routes import (
    chat,
    completions,
    devlog,
    hardware,
    health,
    ingest,
    kernels,
    ladders,
    paths,
    resources,
    search,
    sources,
    tools,
    topics,
    ways,
    web,
)
from api.routes import problems as problem_pages
from api.settings import Settings
from api.writing import Writer
from graph.library import Library

# The first that matches answers: ways and ladders, whose addresses end below those of resources and kernels, come
# before them.
_ROUTES = (
    search,
    paths,
    chat,
    completions,
    ways,
    resources,
    ladders,
    kernels,
    topics,
    hardware,
    sources,
    ingest,
    devlog,
    health,
    problem_pages,
    tools,
    web,
)


class Service(FastAPI):
    """A FastAPI app whose OpenAPI document is ours."""

    def openapi(self) -> dict[str, object]:
        """The OpenAPI document, made once."""
        self.openapi_schema = self.openapi_schema or openapi.document(self)
        return self.openapi_schema


def create_app(library: Library, settings: Settings | None = None) -> FastAPI:
    """The service over a library, which it closes when it stops; without settings it is open and nobody may write."""
    settings = settings or Settings.model_construct()  # the defaults, whatever the environment says
    app = Service(
        title="warpath",
        version=_version(),
        description="Reading lists about GPU programming in; search and learning paths out.",
        lifespan=_lifespan,
        generate_unique_id_function=_operation_id,
        redirect_slashes=False,
        docs_url=None,  # ours is at /docs: FastAPI's asks other hosts for its parts
        redoc_url=None,
        telemetry={"auto_configure": True, "logs": False, "exclude": is_open},
    )
    app.state.library = library
    app.state.keys = keys = Keys(settings)
    app.state.writer = Writer(library, partial(open_stores, settings), partial(read_ontology, settings))
    app.state.mcp = McpEndpoint(library, app.version, settings.cors_origins)
    app.state.language_model = open_language_model(settings)
    problems.install(app)
    for route in _ROUTES:
        app.include_router(route.router)
    app.router.routes.append(Route("/mcp", app.state.mcp))
    middleware.install(app, settings, keys, _hear(app, settings))
    return app


def server(library: Library, settings: Settings | None = None) -> uvicorn.Server:
    """A server for the service; `run()` serves until it is told to stop. It does not say which software it is."""
    settings = settings or Settings.model_construct()
    config = uvicorn.Config(
        create_app(library, settings),
        host=settings.host,
        port=settings.port,
        http=connection.connections(settings.client_timeout),  # type: ignore[arg-type]  # it takes what makes one too
        ws="none",
        log_config=logs.config(settings),
        access_log=False,  # the service writes a line of its own
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        limit_concurrency=settings.connections,
        timeout_keep_alive=settings.keep_alive,
        timeout_graceful_shutdown=settings.shutdown_timeout,
    )
    return uvicorn.Server(config)


def _hear(app: FastAPI, settings: Settings) -> Hear:
    """Who hears of each request: the log, and the metrics where they are on."""
    log = logs.RequestLog(settings)
    if settings.metrics == "off":
        return log
    from api.metrics import Metrics  # 0.2 s that only a measured service pays
    from api.routes import metrics

    app.state.metrics = figures = Metrics(app.state.library)
    app.include_router(metrics.router)

    def hear(handled: Handled) -> None:
        log(handled)
        figures(handled)

    return hear


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with app.state.mcp.running():
        yield
    await run_in_threadpool(app.state.library.close)


def _operation_id(route: APIRoute) -> str:
    """The endpoint's name: it stays when an address changes."""
    return route.name


def _version() -> str:
    try:
        return metadata.version("warpath")
    except metadata.PackageNotFoundError:
        return "0"
