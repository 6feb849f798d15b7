"""What is left of a path for who is done with some of it: a part of the path, so that it is never longer.

A resource that is done counts for the topics that it was chosen to teach, and a topic for all that it builds on. What
is left keeps its order and its resources: the plan does not change under the learner's feet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from graph import paths, planner, urls
from graph.curriculum import Curriculum
from graph.errors import BudgetTooSmall
from graph.models import Certificate, LearningPath, LeftOut, PathRequest, Step
from graph.names import resource_id
from graph.search import Parts
from graph.validate import path_id

DONE = "known: you are done with it"
NAMED = 3  # unknown names that a warning holds
SHORT = 60  # characters of each

Planner = Callable[[PathRequest, Parts], LearningPath]


def plan_rest(request: PathRequest, parts: Parts, plan: Planner = paths.plan_path) -> LearningPath:
    """Plans a path and gives what is left of it; the hours are for what is left.

    Raises:
        NothingCovered, UnknownName, BudgetTooSmall: as `paths.plan_path`.
    """
    done, unknown = find_done(request.done, parts)
    path = remaining(_whole(request, parts, done, plan), parts.curriculum, done)
    return path.model_copy(update={"warnings": (*path.warnings, *_ignored(unknown))})


def find_done(names: Sequence[str], parts: Parts) -> tuple[frozenset[str], list[str]]:
    """Slugs of the topics and ids of the resources that are called so, and the names that nothing is called."""
    topics = {name: slug for name in names if (slug := parts.curriculum.topic_names.get(name))}
    ids = {name: (name, resource_id(urls.key(name))) for name in names if name not in topics}
    found = parts.resources.read(sorted({id for pair in ids.values() for id in pair}))
    unknown = [name for name, pair in ids.items() if found.keys().isdisjoint(pair)]
    return frozenset((*topics.values(), *found)), unknown


def remaining(path: LearningPath, curriculum: Curriculum, done: Collection[str]) -> LearningPath:
    """The path without what is done: slugs of topics and ids of resources."""
    known = learned(path, curriculum, done)
    mastered = planner.mastered(curriculum, known)
    steps = tuple(_left(path, mastered, done))
    certificate = _certificate(path.certificate, steps, known, mastered)
    rest = path.model_copy(
        update={
            "targets": tuple(slug for slug in path.targets if slug not in mastered) or path.targets,
            "known": certificate.known,
            "steps": steps,
            "kernels": tuple(kernel for step in steps for kernel in step.kernels),
            "minutes": sum(step.minutes for step in steps),
            "left_out": tuple(_left_out(path, certificate, steps, mastered)),
            "certificate": certificate,
        }
    )
    return rest.model_copy(update={"id": path_id(rest)})


def learned(path: LearningPath, curriculum: Curriculum, done: Collection[str]) -> list[str]:
    """The topics that are done: as such, or by the resource that a path first teaches them with."""
    found = sorted(slug for slug in done if slug in curriculum.topics)
    met: set[str] = set()
    for step in path.steps:
        if step.resource and step.resource.id in done and met.isdisjoint(step.topics):
            found += step.topics
        met.update(step.topics)
    return list(dict.fromkeys(found))


def _whole(request: PathRequest, parts: Parts, done: Collection[str], plan: Planner) -> LearningPath:
    """The path with what is done in it. Where the hours suffice for the rest only, what is done counts as known."""
    bare = request.model_copy(update={"done": ()})
    try:
        return plan(bare, parts)
    except BudgetTooSmall:
        unhurried = plan(bare.model_copy(update={"hours": None}), parts)
        known = (*bare.know, *learned(unhurried, parts.curriculum, done))
        return plan(bare.model_copy(update={"know": known}), parts)


def _left(path: LearningPath, mastered: frozenset[str], done: Collection[str]) -> Iterable[Step]:
    """The steps still to take, numbered anew, without alternatives that are done; none when the goal is reached.

    Where a step only goes on with a resource, and the one that begins it is not taken any more, it takes its time.
    """
    if mastered.issuperset(path.targets):
        return
    position = 0
    whole = {step.resource.id: step.minutes for step in reversed(path.steps) if step.resource}
    for step in path.steps:
        id = step.resource.id if step.resource else ""
        if not mastered.issuperset(step.topics) and id not in done:
            position += 1
            others = tuple(hit for hit in step.alternatives if hit.id not in done)
            minutes = whole.pop(id, step.minutes)
            yield step.model_copy(update={"position": position, "alternatives": others, "minutes": minutes})


def _certificate(
    old: Certificate, steps: Iterable[Step], known: Iterable[str], mastered: frozenset[str]
) -> Certificate:
    """The same promises for fewer topics; what is done stands among what is known."""
    taught = {topic for step in steps for topic in step.topics}
    edges = tuple(edge for edge in old.prerequisites if edge.topic in taught)
    required = {edge.requires for edge in edges}
    said = tuple(dict.fromkeys((*old.known, *known)))
    return old.model_copy(
        update={
            "prerequisites": edges,
            "known": said,
            "assumed": tuple(sorted(mastered.union(old.assumed).difference(said))),
            "excluded": tuple(one for one in old.excluded if one.topic in required and one.topic not in mastered),
        }
    )


def _left_out(
    path: LearningPath, certificate: Certificate, steps: Iterable[Step], mastered: frozenset[str]
) -> Iterable[LeftOut]:
    """What still matters of the old reasons, then the topics that are done."""
    matters = {edge.requires for edge in certificate.prerequisites}.union(*(step.topics for step in steps))
    yield from (one for one in path.left_out if one.topic in matters and one.topic not in mastered)
    gone = dict.fromkeys(topic for step in path.steps for topic in step.topics if topic in mastered)
    yield from (LeftOut(topic=topic, reason=DONE) for topic in gone)


def _ignored(unknown: Sequence[str]) -> Iterable[str]:
    if unknown:
        names = ", ".join(f"“{name[:SHORT]}”" for name in unknown[:NAMED])
        more = f" and {len(unknown) - NAMED} more" if len(unknown) > NAMED else ""
        yield f"Done, but no topic or resource here: {names}{more}."
