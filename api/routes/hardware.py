"""Hardware: vendors, architectures and devices."""

from __future__ import annotations

from fastapi import APIRouter

from api import examples
from api.routes.base import STORE_ERRORS, Shared, answers
from graph.models import Hardware

router = APIRouter(tags=["hardware"])


@router.get("/v1/hardware", responses=answers([examples.HARDWARE], STORE_ERRORS, takes_values=False))
def list_hardware(library: Shared) -> list[Hardware]:
    """All hardware that search and paths can be narrowed to, with its figures and where they come from."""
    return library.hardware()
