"""What differs between two learning paths: topics that came and went, other resources, another order, time saved."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from graph.models import LearningPath, Value


class Swap(Value):
    """A topic that is taught by other resources than before; by title."""

    topic: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class PathDiff(Value):
    """From one path to another. `minutes` and `steps` are what the second has more; fewer is below zero."""

    before: str
    after: str
    minutes: int
    steps: int
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    swapped: tuple[Swap, ...] = ()


def diff(before: LearningPath, after: LearningPath) -> PathDiff:
    """Compares two paths; the ids tell which."""
    old, new = _teachers(before), _teachers(after)
    return PathDiff(
        before=before.id,
        after=after.id,
        minutes=after.minutes - before.minutes,
        steps=len(after.steps) - len(before.steps),
        added=tuple(topic for topic in new if topic not in old),
        removed=tuple(topic for topic in old if topic not in new),
        moved=_moved([topic for topic in old if topic in new], [topic for topic in new if topic in old]),
        swapped=tuple(
            Swap(topic=topic, before=tuple(old[topic].values()), after=tuple(new[topic].values()))
            for topic in new
            if topic in old and old[topic].keys() != new[topic].keys()
        ),
    )


def _teachers(path: LearningPath) -> dict[str, dict[str, str]]:
    """Every topic in the order it is taught, with what teaches it: id and title."""
    found: dict[str, dict[str, str]] = {}
    for step in path.steps:
        for topic in step.topics:
            found.setdefault(topic, {}).update({step.resource.id: step.resource.title} if step.resource else {})
    return found


def _moved(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """The few topics of another place; all others stand in the same order in both."""
    same = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    stayed = {topic for block in same for topic in new[block.b : block.b + block.size]}
    return tuple(topic for topic in new if topic not in stayed)
