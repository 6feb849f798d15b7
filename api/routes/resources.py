"""Resources: everything that is known of one."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from api import examples
from api.routes.base import STORE_ERRORS, Shared, answers
from graph.errors import UnknownName
from graph.models import Resource

router = APIRouter(tags=["resources"])


# `:path` lets an address be the name: %2F is a slash again before routes are compared.
@router.get("/v1/resources/{id:path}", responses=answers(examples.RESOURCE, (UnknownName, *STORE_ERRORS)))
def get_resource(
    id: Annotated[str, Path(max_length=2000, examples=[examples.RESOURCE.id])], library: Shared
) -> Resource:
    """One resource with what it teaches, every place that mentions it and the evidence for each of its topics.

    `id` is its id, the first 8 or more characters of it, its URL (percent-encoded), or its exact title.
    """
    return library.resource(id)
