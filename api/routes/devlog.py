"""The devlog: posts, and what they speak of."""

from __future__ import annotations

from fastapi import APIRouter

from api import examples
from api.routes.base import STORE_ERRORS, Shared, answers
from graph.models import DevlogPost

router = APIRouter(tags=["devlog"])


@router.get("/v1/devlog", responses=answers([examples.DEVLOG_POST], STORE_ERRORS, takes_values=False))
def list_devlog(library: Shared) -> list[DevlogPost]:
    """All posts in the order of their source, with topics, hardware and resources."""
    return library.devlog()
