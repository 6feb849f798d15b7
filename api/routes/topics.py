"""Topics: the list, and a page for each."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from api import examples
from api.routes.base import SEARCH_ERRORS, STORE_ERRORS, Shared, answers
from graph.errors import UnknownName
from graph.models import TopicLine, TopicPage

router = APIRouter(tags=["topics"])


@router.get("/v1/topics", responses=answers([examples.TOPIC_LINE], STORE_ERRORS, takes_values=False))
def list_topics(library: Shared) -> list[TopicLine]:
    """All topics, each with the number of resources that teach it."""
    return library.topics()


# `:path` because a name may hold a slash.
@router.get("/v1/topics/{slug:path}", responses=answers(examples.TOPIC_PAGE, (UnknownName, *SEARCH_ERRORS)))
def get_topic(
    slug: Annotated[str, Path(max_length=2000, examples=[examples.TOPIC_PAGE.topic.slug])], library: Shared
) -> TopicPage:
    """One topic: what it needs, what helps, what needs it, and what teaches it best.

    `slug` may also be the topic's name or an alias.
    """
    return library.topic(slug)
