"""How good learning paths are on judged goals, beside a plain list of what search finds for the goal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph import goals
from graph.aliases import squeeze
from graph.curriculum import Curriculum
from graph.errors import BadRequest
from graph.evaluation.baselines import Told
from graph.evaluation.estimate import ALL, Case, Lead, Row, leads, rows
from graph.evaluation.judged import Concept, JudgedGoal, JudgedWork
from graph.evaluation.matching import is_work
from graph.library import Library
from graph.models import Hit, LearningPath, PathRequest, SearchRequest, Value
from graph.planner import MINUTES

OURS, PLAIN = "warpath", "retrieval list"
LIST = 15  # hits that a plain list holds, where no hours are given
DEEPEST = 100  # hits that a list may be filled from
# What the score is made of.
COVERAGE, ORDER, RESOURCES, KERNELS, UNWANTED = 0.4, 0.3, 0.2, 0.1, 0.1


class GoalCase(Case):
    """One goal; `uncovered`, `reversed` and `unwanted` say what warpath's path lacks or should not have."""

    uncovered: tuple[str, ...] = ()
    reversed: tuple[tuple[str, str], ...] = ()
    unwanted: tuple[str, ...] = ()
    failure: str = ""  # why there is no path


class PathReport(Value):
    """Everything measured of paths. A goal for which there is no path counts 0."""

    rows: tuple[Row, ...]
    leads: tuple[Lead, ...]
    cases: tuple[GoalCase, ...]


@dataclass(frozen=True)
class Stage:
    """One step as it is judged: what its topics are called, and what is read."""

    names: frozenset[str]
    work: Hit | None

    def teaches(self, name: str, concept: Concept) -> bool:
        """Whether it is about a concept: by a topic's name, or by a work that teaches it."""
        called = {squeeze(one) for one in (name, *concept.aliases)}
        return not called.isdisjoint(self.names) or self.holds(concept.resources)

    def holds(self, works: Iterable[JudgedWork]) -> bool:
        """Whether one of these works is read here."""
        return self.work is not None and any(is_work(self.work, work) for work in works)


@dataclass(frozen=True)
class Outline:
    """A path or a plain list, reduced to what is judged."""

    stages: tuple[Stage, ...]
    kernels: frozenset[str]
    minutes: int


def evaluate_paths(library: Library, judged: Sequence[JudgedGoal], told: Told) -> PathReport:
    """Plans every goal and measures the paths.

    Raises:
        StoreEmpty: nothing was ingested yet.
    """
    cases = []
    for done, goal in enumerate(judged, 1):
        cases.append(_case(library, goal))
        told("Plan the goals", done, len(judged))
    return PathReport(rows=rows(cases), leads=leads(cases), cases=tuple(cases))


def _case(library: Library, goal: JudgedGoal) -> GoalCase:
    plain = measures(goal, _plain_list(library, goal))
    request = PathRequest(goal=goal.goal, know=goal.known, hardware=goal.hardware, hours=goal.budget_hours)
    try:
        path = outline(library.curriculum, library.plan(request))
    except BadRequest as error:
        ours = dict.fromkeys(plain, 0.0)
        return GoalCase(
            id=goal.id, group=ALL, text=goal.goal, measures={OURS: ours, PLAIN: plain}, failure=error.message
        )
    first = firsts(goal, path)
    return GoalCase(
        id=goal.id,
        group=ALL,
        text=goal.goal,
        measures={OURS: measures(goal, path), PLAIN: plain},
        uncovered=tuple(concept for concept in goal.must_cover if first[concept] is None),
        reversed=tuple(pair for pair in goal.order if _kept(first, pair) is False),
        unwanted=tuple(unwanted(goal, path)),
    )


def measures(goal: JudgedGoal, path: Outline) -> dict[str, float]:
    """What a path is worth for a goal; every share is 1 where the goal asks for nothing of the sort."""
    first = firsts(goal, path)
    coverage = _share([first[concept] is not None for concept in goal.must_cover])
    order = _in_order(first, goal.order)
    resources = _f1(goal.good_resources, path)
    kernels = _share([squeeze(kernel) in path.kernels for kernel in goal.kernels])
    wrong = len(list(unwanted(goal, path)))
    score = COVERAGE * coverage + ORDER * order + RESOURCES * resources + KERNELS * kernels - UNWANTED * wrong
    return {
        "score": max(0.0, score),
        "coverage": coverage,
        "order": order,
        "resources F1": resources,
        "kernels": kernels,
        "unwanted": float(wrong),
        "in budget": float(goal.budget_hours is None or path.minutes <= 60 * goal.budget_hours),
    }


def firsts(goal: JudgedGoal, path: Outline) -> dict[str, int | None]:
    """The number of the first step that teaches each concept of a goal."""
    names = dict.fromkeys((*goal.must_cover, *(name for pair in goal.order for name in pair)))
    return {name: _first(path, name, goal.concepts.get(name, Concept())) for name in names}


def unwanted(goal: JudgedGoal, path: Outline) -> Iterable[str]:
    """What a path holds that it must not."""
    for one in goal.must_not:
        if one.concept and _first(path, one.concept, one) is not None:
            yield one.concept
        elif one.title and any(stage.holds([one]) for stage in path.stages):
            yield one.title


def outline(curriculum: Curriculum, path: LearningPath) -> Outline:
    """A learning path as it is judged."""
    kernels = {*path.kernels, *(kernel for step in path.steps for kernel in step.kernels)}
    return Outline(
        tuple(Stage(_names(curriculum, step.topics), step.resource) for step in path.steps),
        frozenset(squeeze(name) for slug in kernels for name in _kernel_names(curriculum, slug)),
        path.minutes,
    )


def _plain_list(library: Library, goal: JudgedGoal) -> Outline:
    """What search finds for the goal, as long as the hours last; each hit is taken to teach all its topics."""
    hardware = goals.hardware_of(library.curriculum, goal.goal, goal.hardware)
    request = SearchRequest(query=goal.goal, limit=DEEPEST if goal.budget_hours else LIST, hardware=hardware)
    taken, minutes = [], 0
    for hit in library.search(request).hits:
        if goal.budget_hours and minutes + MINUTES[hit.kind] > 60 * goal.budget_hours:
            break
        taken.append(hit)
        minutes += MINUTES[hit.kind]
    stages = tuple(Stage(_names(library.curriculum, hit.topics), hit) for hit in taken)
    return Outline(stages, frozenset(), minutes)


def _names(curriculum: Curriculum, topics: Iterable[str]) -> frozenset[str]:
    found = (curriculum.topics[slug] for slug in topics)
    return frozenset(squeeze(name) for topic in found for name in (topic.slug, topic.name, *topic.aliases))


def _kernel_names(curriculum: Curriculum, slug: str) -> tuple[str, ...]:
    kernel = curriculum.kernels[slug]
    return (slug, kernel.title, *kernel.aliases)


def _first(path: Outline, name: str, concept: Concept) -> int | None:
    return next((number for number, stage in enumerate(path.stages) if stage.teaches(name, concept)), None)


def _kept(first: Mapping[str, int | None], pair: tuple[str, str]) -> bool | None:
    """Whether the first of two concepts is not taught after the second; None where one of them is not taught."""
    before, after = first[pair[0]], first[pair[1]]
    return None if before is None or after is None else before <= after


def _in_order(first: Mapping[str, int | None], pairs: Sequence[tuple[str, str]]) -> float:
    """The part of the pairs in order among those that are taught; 0 where none is."""
    judged = [kept for pair in pairs if (kept := _kept(first, pair)) is not None]
    return _share(judged) if judged or not pairs else 0.0


def _f1(good: Sequence[JudgedWork], path: Outline) -> float:
    """Harmonic mean of precision and recall of the works read."""
    if not good:
        return 1.0
    read = [stage for stage in path.stages if stage.work]
    hit = sum(stage.holds(good) for stage in read)
    wanted = {work.rid for work in good}
    found = {work.rid for work in good if any(stage.holds([work]) for stage in read)}
    precision, recall = (hit / len(read) if read else 0.0), len(found) / len(wanted)
    return 2 * precision * recall / (precision + recall) if hit else 0.0


def _share(kept: Sequence[bool]) -> float:
    return sum(kept) / len(kept) if kept else 1.0
