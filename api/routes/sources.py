"""Sources: the lists and devlogs that were ingested."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from api import examples
from api.routes.base import STORE_ERRORS, Shared, Writing, answers
from graph.errors import BadOntology, ModelError, StoreChanged, UnknownName
from graph.models import IngestReport, SourceLine

router = APIRouter(tags=["sources"])


@router.get("/v1/sources", responses=answers([examples.SOURCE_LINE], STORE_ERRORS, takes_values=False))
def list_sources(library: Shared) -> list[SourceLine]:
    """Every source, with the digest of the bytes that were read."""
    return library.sources()


_FORGOTTEN = answers(examples.INGEST_REPORT, (UnknownName, BadOntology, ModelError, StoreChanged, *STORE_ERRORS))


# `:path` because a name may hold a slash.
@router.delete("/v1/sources/{name:path}", responses=_FORGOTTEN)
def forget_source(
    name: Annotated[str, Path(max_length=2000, examples=[examples.SOURCE_LINE.source])], writer: Writing
) -> IngestReport:
    """Take a list out of the graph, with everything only it spoke of. It needs a key that may write."""
    return writer.forget(name)
