"""What all routes share: the library, and how an endpoint's answers stand in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.encoders import jsonable_encoder

from api.problems import INTERNAL, INVALID, MEDIA_TYPE, ProblemType, type_of
from api.writing import Writer
from graph.errors import ModelError, StoreBusy, StoreEmpty, StoreOutdated, StoreUnavailable, WarpathError
from graph.library import Library

STORE_ERRORS = (StoreBusy, StoreEmpty, StoreOutdated, StoreUnavailable)
SEARCH_ERRORS = (*STORE_ERRORS, ModelError)


# Async, though they wait for nothing: FastAPI takes a thread for each dependency that is not.
async def _library(request: Request) -> Library:
    library: Library = request.app.state.library
    return library


async def _writer(request: Request) -> Writer:
    writer: Writer = request.app.state.writer
    return writer


Shared = Annotated[Library, Depends(_library)]
Writing = Annotated[Writer, Depends(_writer)]


def answers(
    example: object, errors: Sequence[type[WarpathError]] = (), *, takes_values: bool = True
) -> dict[int | str, dict[str, Any]]:
    """The `responses` of an endpoint: an example of success, and the problems it can give."""
    kinds = [INTERNAL, *([INVALID] if takes_values else []), *map(type_of, errors)]
    success = {"description": "The answer.", "content": {"application/json": {"example": jsonable_encoder(example)}}}
    return {200: success, **documented(kinds)}


def documented(kinds: Sequence[ProblemType]) -> dict[int | str, dict[str, Any]]:
    """How problems stand in the OpenAPI document: by status, with an example each."""
    statuses = sorted({kind.status for kind in kinds})
    return {status: _problem([k for k in kinds if k.status == status]) for status in statuses}


def _problem(kinds: Sequence[ProblemType]) -> dict[str, Any]:
    """The problems that share a status, as one response with an example each."""
    content = {
        "schema": {"$ref": "#/components/schemas/Problem"},
        "examples": {kind.slug: {"summary": kind.title, "value": _example(kind)} for kind in kinds},
    }
    return {"description": "; ".join(kind.title for kind in kinds) + ".", "content": {MEDIA_TYPE: content}}


def _example(kind: ProblemType) -> dict[str, Any]:
    return {
        "type": kind.uri,
        "title": kind.title,
        "status": kind.status,
        "detail": f"{kind.title}.",
        "instance": "/v1/search",
        "request_id": "5f0c7f5e3c0b4b0e9d0a6a1f2b3c4d5e",
        "hint": kind.advice,
    }
