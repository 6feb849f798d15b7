"""A request in which a learner knows more, or less, than was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from graph import goals
from graph.curriculum import Curriculum
from graph.errors import BadRequest
from graph.models import Learner

Asker = TypeVar("Asker", bound=Learner)


def what_if(request: Asker, curriculum: Curriculum, *, known: Sequence[str] = (), unknown: Sequence[str] = ()) -> Asker:
    """The request as if some topics were known, and others not.

    Raises:
        UnknownName: a topic is not in the graph.
        BadRequest: a topic that shall not be known is not among those said to be.
    """
    more = [goals.find_topic(curriculum, name) for name in known]
    fewer = {goals.find_topic(curriculum, name) for name in unknown}
    know = {name: set(goals.find_known(curriculum, [name])[0]) for name in request.know}
    done = {name: {curriculum.topic_names.get(name)} for name in request.done}
    if new := sorted(fewer.difference(*know.values(), *done.values())):
        raise BadRequest(f"{', '.join(new)}: not among what you know.", hint="Name it in what you know as well.")
    return request.model_copy(
        update={
            "know": tuple(name for name, slugs in know.items() if fewer.isdisjoint(slugs)),
            "done": (*(name for name, slugs in done.items() if fewer.isdisjoint(slugs)), *more),
        }
    )
