"""Ways on from a thing: what to learn first to understand a resource or write a kernel, and what is like a resource."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.routing import APIRoute
from starlette.routing import Match

from api import examples
from api.routes.base import SEARCH_ERRORS, Shared, answers
from graph.errors import BadRequest, BudgetTooSmall, NothingCovered, UnknownName
from graph.models import Learner, LearningPath, SimilarAnswer, SimilarRequest


class _Below(APIRoute):
    """A route whose last segment was sent as one: the end of an encoded address (…%2Fpath) is part of the address."""

    def matches(self, scope: MutableMapping[str, Any]) -> tuple[Match, MutableMapping[str, Any]]:
        """Whether the route is meant; see starlette."""
        last = self.path_format.rpartition("/")[2]
        if not scope.get("raw_path", b"").endswith(f"/{last}".encode()):
            return Match.NONE, {}
        return super().matches(scope)


router = APIRouter(route_class=_Below)
_ANSWERS = answers(examples.LEARNING_PATH, (UnknownName, NothingCovered, BudgetTooSmall, BadRequest, *SEARCH_ERRORS))


@router.get("/v1/resources/{id:path}/path", responses=_ANSWERS, tags=["paths"])
def plan_path_to_resource(
    id: Annotated[str, Path(max_length=2000, examples=[examples.RESOURCE.id])],
    learner: Annotated[Learner, Query()],
    library: Shared,
) -> LearningPath:
    """What to learn first to understand a resource, which is the last step.

    The goal is what it is surely about, less what you know. Of what is made for one piece of hardware the path is for
    that, unless `hardware` names another.
    """
    return library.plan_to_resource(id, learner)


@router.get(
    "/v1/resources/{id:path}/similar",
    responses=answers(examples.SIMILAR_ANSWER, (UnknownName, *SEARCH_ERRORS)),
    tags=["resources"],
)
def similar_resources(
    id: Annotated[str, Path(max_length=2000, examples=[examples.RESOURCE.id])],
    request: Annotated[SimilarRequest, Query()],
    library: Shared,
) -> SimilarAnswer:
    """Resources like this one in meaning and topics, the likest first; `why` names the topics that both are about."""
    return library.similar(id, request)


@router.get("/v1/kernels/{slug:path}/path", responses=_ANSWERS, tags=["paths"])
def plan_path_to_kernel(
    slug: Annotated[str, Path(max_length=2000, examples=[examples.KERNEL_PAGE.kernel.slug])],
    learner: Annotated[Learner, Query()],
    library: Shared,
) -> LearningPath:
    """What to learn first to write a reference kernel, which stands in the last step."""
    return library.plan_to_kernel(slug, learner)
