"""Learning paths: GET with a query string, or POST with the same request as JSON."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Query

from api import examples
from api.routes.base import SEARCH_ERRORS, Shared, answers
from graph.errors import BudgetTooSmall, NothingCovered, UnknownName
from graph.models import LearningPath, PathRequest

router = APIRouter(tags=["paths"])
_ANSWERS = answers(examples.LEARNING_PATH, (UnknownName, NothingCovered, BudgetTooSmall, *SEARCH_ERRORS))


@router.get("/v1/paths", responses=_ANSWERS)
def plan_path(request: Annotated[PathRequest, Query()], library: Shared) -> LearningPath:
    """Plan the way to a goal: what to read, in which order, and why.

    `goal` is a topic or words; `know` may be repeated and leaves out what you know already.
    """
    return library.plan(request)


@router.post("/v1/paths", responses=_ANSWERS)
def plan_path_by_body(
    request: Annotated[PathRequest, Body(examples=[examples.PATH_REQUEST.model_dump(mode="json")])], library: Shared
) -> LearningPath:
    """Plan a learning path; the same as GET, for those who know a lot."""
    return library.plan(request)
