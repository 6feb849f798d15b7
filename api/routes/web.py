"""The web page and its files, the REST reference at /docs, and the script for other sites."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fastapi import APIRouter, Request, Response
from starlette.staticfiles import StaticFiles

import kernels_ref

ROOFLINE = "roofline-h200-sxm.svg"

# Only our own files run, nothing is framed, and no text can become markup (https://www.w3.org/TR/CSP3/).
PAGE = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "Referrer-Policy": "no-referrer",
}
# Our own scripts hold nothing private: another site may load them to embed a path.
SHARED = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
# matplotlib styles its shapes inline; what is drawn there runs nothing.
PLOT = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}

router = APIRouter(include_in_schema=False)
_web = StaticFiles(directory=Path(__file__).parents[1] / "web")
_kernels = StaticFiles(directory=Path(kernels_ref.__path__[0]))


@router.get("/")
async def page(request: Request) -> Response:
    """The web page."""
    return await _file(_web, "index.html", request, PAGE)


@router.get("/docs")
async def reference(request: Request) -> Response:
    """The REST reference, drawn from /openapi.json."""
    return await _file(_web, "docs.html", request, PAGE)


@router.get("/embed.js")
async def embed(request: Request) -> Response:
    """The script that defines `<warp-path>` and `<warp-chat>` on any site."""
    return await _file(_web, "embed.js", request, SHARED)


@router.get("/web/{name}")
async def file(name: str, request: Request) -> Response:
    """A script, style sheet or picture of the page."""
    return await _file(_web, name, request, SHARED)


@router.get("/kernels/roofline.svg")
async def roofline(request: Request) -> Response:
    """The roofline of the measured kernels."""
    return await _file(_kernels, ROOFLINE, request, PLOT)


async def _file(files: StaticFiles, name: str, request: Request, headers: Mapping[str, str]) -> Response:
    """A file with its ETag; a browser asks each time and is told when nothing has changed."""
    response = await files.get_response(name, request.scope)
    response.headers.update({"Cache-Control": "no-cache", **headers})
    return response
