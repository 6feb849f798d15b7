"""A goal with everything that it is planned around."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from graph.curriculum import Curriculum
from graph.goals import Goal
from graph.models import PathRequest
from graph.planner import Merits


@dataclass(frozen=True)
class Situation:
    """What is asked, how it was understood, and what the learner knows."""

    request: PathRequest
    goal: Goal
    known: tuple[str, ...]
    mastered: frozenset[str]  # what is known, and what one must know for that
    curriculum: Curriculum
    relevance: Mapping[str, float]  # topic -> how much it has to do with the goal

    @cached_property
    def merits(self) -> Merits:
        """Compares what may teach, for the learner's hardware."""
        return Merits(self.curriculum, self.goal.hardware)

    @cached_property
    def usable(self) -> frozenset[str]:
        """Hardware that material may be made for: the learner's own, or a neighbour's."""
        return self.curriculum.usable(self.goal.hardware)

    def serves(self, made_for: Collection[str]) -> bool:
        """Whether what is made for some hardware is of use to the learner; what is made for none always is."""
        return not self.goal.hardware or not made_for or not self.usable.isdisjoint(made_for)

    def rules_out(self, topic: str) -> bool:
        """Whether a topic is not taught."""
        return bool(self.left_out(topic))

    def left_out(self, topic: str) -> str:
        """Why a topic is not taught; empty when it may be."""
        if topic in self.mastered:
            return "known" if topic in self.known else "known: what you know builds on it"
        if self.goal.hardware and not self.curriculum.serves(topic, self.goal.hardware):
            return f"for other hardware than {self.curriculum.hardware[self.goal.hardware].name}"
        return ""
