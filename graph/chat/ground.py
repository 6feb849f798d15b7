"""What there is to say on a message: what a search finds, the path, and an answer made of them in numbered quotes."""

from __future__ import annotations

from dataclasses import dataclass

from graph.chat.asking import Asked, understand
from graph.chat.models import ChatRequest, Citation, Sentence
from graph.chat.wording import Plan, Wording
from graph.errors import BudgetTooSmall, NothingCovered
from graph.library import Library
from graph.models import Learner, LearningPath, PathRequest, SearchRequest

HITS = 4  # works that are quoted, at most


@dataclass(frozen=True)
class Ground:
    """All that an answer may rest on. `sentences` are the answer that needs no language model."""

    request: ChatRequest
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    path: LearningPath | None
    abstain: bool


def ground(library: Library, request: ChatRequest) -> Ground:
    """Finds what can be said to a message.

    Raises:
        UnknownName: the hardware that the request names is not in the graph.
        StoreError: a store cannot be used.
    """
    curriculum = library.curriculum
    asked = understand(curriculum, request.message, request.history)
    learner = _learner(request, asked)
    found = library.search(
        SearchRequest(query=asked.subject, limit=HITS, hardware=learner.hardware, max_tier=learner.max_tier)
    )
    plan = _plan(library, PathRequest(goal=asked.subject, **dict(learner)))
    wording = Wording(curriculum, found, plan)
    abstain = found.abstain or not found.hits
    first, *others = wording.nothing() if abstain else wording.answer(asked.kind)
    return Ground(
        request,
        sentences=(first.model_copy(update={"before": ""}), *others),
        citations=wording.citations.all(),
        path=None if abstain else plan.path,
        abstain=abstain,
    )


def _learner(request: ChatRequest, asked: Asked) -> Learner:
    """What the request says counts before what the message says; what is known adds up."""
    return Learner(
        know=(*request.know, *asked.know),
        hardware=request.hardware or asked.hardware,
        max_tier=request.max_tier,
        hours=request.hours or asked.hours,
        done=request.done,
    )


def _plan(library: Library, request: PathRequest) -> Plan:
    """The path to a goal; in too few hours the shortest there is."""
    try:
        return Plan(library.plan(request))
    except NothingCovered as error:
        return Plan(nearest=error.nearest)
    except BudgetTooSmall as error:
        least = request.model_copy(update={"hours": error.minimum_hours})
        return Plan(library.plan(least), short=f"{error.message} ")
