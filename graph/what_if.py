"""A request in which a learner knows more, or less, than was said."""

from __future__ import annotations

from collections.abc import Sequence

from graph import goals
from graph.curriculum import Curriculum
from graph.errors import BadRequest
from graph.models import PathRequest


def what_if(
    request: PathRequest, curriculum: Curriculum, *, known: Sequence[str] = (), unknown: Sequence[str] = ()
) -> PathRequest:
    """The request as if some topics were known, and others not.

    Raises:
        UnknownName: a topic is not in the graph.
        BadRequest: a topic that shall not be known is not among those said to be.
    """
    more = [goals.find_topic(curriculum, name) for name in known]
    fewer = [goals.find_topic(curriculum, name) for name in unknown]
    said = {slug for name in (*request.know, *request.done) for slug in goals.find_known(curriculum, [name])[0]}
    for slug in fewer:
        if slug not in said:
            raise BadRequest(f"{slug} is not among what you know.", hint="Name it with --know as well.")
    return request.model_copy(
        update={
            "know": _without(curriculum, request.know, fewer),
            "done": (*_without(curriculum, request.done, fewer), *more),
        }
    )


def _without(curriculum: Curriculum, names: Sequence[str], slugs: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if set(goals.find_known(curriculum, [name])[0]).isdisjoint(slugs))
