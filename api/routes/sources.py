"""Sources: the lists and devlogs that were ingested."""

from __future__ import annotations

from fastapi import APIRouter

from api import examples
from api.routes.base import STORE_ERRORS, Shared, answers
from graph.models import SourceLine

router = APIRouter(tags=["sources"])


@router.get("/v1/sources", responses=answers([examples.SOURCE_LINE], STORE_ERRORS, takes_values=False))
def list_sources(library: Shared) -> list[SourceLine]:
    """Every source, with the digest of the bytes that were read."""
    return library.sources()
