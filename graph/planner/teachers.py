"""What may teach a topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.models import Resource

# Minutes that a resource of a kind takes, where nothing better is known; of books and courses the part that counts.
MINUTES = {
    "paper": 90, "video": 60, "lecture": 75, "course": 180, "book": 180, "blog": 30, "docs": 45, "repo": 60,
    "thread": 10, "tool": 30, "model": 15, "feed": 20, "kernel": 60, "other": 30,
}  # fmt: skip
AT_ONCE = 180  # minutes that a step takes at most: of a longer work the part that counts


@dataclass(frozen=True, slots=True)
class Teacher:
    """A resource that may teach a topic. `directness` in 0..1 is how surely and closely it is about the topic,
    `fit` in 0..1 how well it answers the learner's own words."""

    resource: Resource
    directness: float
    made_for: tuple[str, ...] = ()
    fit: float = 0.0

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return minutes(self.resource)


def minutes(found: Resource) -> int:
    """How long a resource takes: as the ontology estimates it, else as is usual for its kind."""
    known = found.annotation.minutes if found.annotation else None
    return min(known or MINUTES[found.kind], AT_ONCE)


def basis(found: Resource) -> str:
    """What these minutes are reckoned from."""
    known = found.annotation
    if not known or not known.minutes:
        return f"usual for a {found.kind}"
    part = f"the part that counts of {known.minutes} minutes" if known.minutes > AT_ONCE else "estimated for this work"
    return f"{part} ({known.source}:{known.line})"


Teachers = Mapping[str, Sequence[Teacher]]  # by topic
