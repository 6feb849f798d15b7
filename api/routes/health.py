"""Health: whether the process lives, and whether it can answer."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from api.routes.base import SEARCH_ERRORS, Shared, answers

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """What a probe reads."""

    status: Literal["alive", "ready"]


@router.get("/healthz", responses=answers(Health(status="alive"), takes_values=False))
async def check_alive() -> Health:
    """The process answers. It touches neither stores nor model: restart it when this fails, not when /readyz does."""
    return Health(status="alive")


@router.get("/readyz", responses=answers(Health(status="ready"), SEARCH_ERRORS, takes_values=False))
def check_ready(library: Shared) -> Health:
    """Stores and model can answer a search; otherwise a 503 problem says what is missing."""
    library.ready()
    return Health(status="ready")
