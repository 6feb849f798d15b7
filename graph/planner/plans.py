"""What a plan is made of, before it is put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graph.planner.teachers import Teacher

Groups = list[tuple[str, ...]]  # topics to learn together, in order


@dataclass(frozen=True, slots=True)
class Choice:
    """What teaches a group of topics: the best resource and others as good for some."""

    topics: tuple[str, ...]
    main: Teacher | None
    alternatives: tuple[Teacher, ...] = ()
    minutes: int = 0
    more: bool = False  # a second resource on topics that an earlier step teaches


@dataclass(frozen=True)
class Plan:
    """An ordered plan before it is put into words."""

    targets: tuple[str, ...]
    choices: tuple[Choice, ...]
    kernels: Mapping[int, Sequence[str]] = field(default_factory=dict)  # by the step after which they can be written
    skipped: Mapping[str, str] = field(default_factory=dict)  # topic -> why it is left out
    beyond: frozenset[str] = frozenset()  # topics without which the goal is reached

    @property
    def minutes(self) -> int:
        return sum(choice.minutes for choice in self.choices)
