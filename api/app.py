"""The REST service: routes, problems and limits put together around one library."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import metadata

import uvicorn
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from api import openapi, problems
from api.middleware import BodyLimit, Edge
from api.routes import devlog, hardware, health, kernels, paths, resources, search, sources, topics, ways
from api.routes import problems as problem_pages
from graph.library import Library

# The first that matches answers: ways, whose addresses end below those of resources and kernels, come before them.
_ROUTES = (search, paths, ways, resources, kernels, topics, hardware, sources, devlog, health, problem_pages)


class Service(FastAPI):
    """A FastAPI app whose OpenAPI document is ours."""

    def openapi(self) -> dict[str, object]:
        """The OpenAPI document, made once."""
        self.openapi_schema = self.openapi_schema or openapi.document(self)
        return self.openapi_schema


def create_app(library: Library) -> FastAPI:
    """The service over a library, which it closes when it stops."""
    app = Service(
        title="warpath",
        version=_version(),
        description="Reading lists about GPU programming in; search and learning paths out.",
        lifespan=_lifespan,
        generate_unique_id_function=_operation_id,
        redirect_slashes=False,
        redoc_url=None,
    )
    app.state.library = library
    problems.install(app)
    for route in _ROUTES:
        app.include_router(route.router)
    app.add_middleware(BodyLimit)
    app.add_middleware(Edge)  # the last one added is the outermost
    return app


def server(library: Library, host: str = "127.0.0.1", port: int = 8000) -> uvicorn.Server:
    """A server for the service; `run()` serves until it is told to stop. It does not say which software it is."""
    return uvicorn.Server(uvicorn.Config(create_app(library), host=host, port=port, server_header=False))


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
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
