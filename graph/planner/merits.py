"""How good a resource is for a topic and a learner."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set

from graph.curriculum import Curriculum
from graph.models import Resource
from graph.planner.teachers import Teacher, Teachers, minutes

# How well a kind teaches, against a blog post: a feed or a tool is a place, not an explanation.
TEACHING = {
    "blog": 1.0, "video": 1.0, "lecture": 1.0, "docs": 0.95, "paper": 0.9, "course": 0.85, "book": 0.8, "repo": 0.7,
    "thread": 0.6, "other": 0.6, "kernel": 0.6, "tool": 0.4, "model": 0.3, "feed": 0.2,
}  # fmt: skip
TIERS = {1: 1.15, 2: 1.0, 3: 0.85}  # what a list's tier says of a resource
LATER_TIER = 0.8
TOO_EARLY = 0.2  # what each prerequisite still to be learned takes from a resource's merit
SURELY = 0.8  # confidence from which a resource is surely about a topic
TOO_HARD = 2  # levels above a topic's from which a resource does not teach it
SHORT, LONG = 30, 480  # minutes that take nothing from a resource's merit, and that many more half of it
WORTHY = 0.2  # merit below which a resource does not teach a topic: better to say that there is none

Standing = tuple[float, float, float, float, float]  # factors of merit: of kind, tier, lists, the words on it, time
Option = tuple[float, str, Teacher]  # negative merit, id and teacher: sorted, the best comes first


def merit(teacher: Teacher, level: int, hardware: Collection[str]) -> float:
    """How good a resource is for a topic: how directly it is about it, how well its kind teaches, how highly and how
    often curators placed it, how little time it takes, and whether it is made for the learner's hardware. One that is
    known to be much harder than the topic is worth nothing."""
    return _merit(teacher, _standing(teacher.resource), level, hardware)


def _standing(found: Resource) -> Standing:
    """The factors of merit that are the same for every topic, in one pass: plans ask them of every resource."""
    tiers, sources, told = [], set(), 1.0
    for mention in found.mentions:
        sources.add(mention.source)
        if mention.tier is not None:
            tiers.append(mention.tier)
        if len(mention.note) > 40:
            told = 1.1
    tier = TIERS.get(min(tiers, default=2) or 2, LATER_TIER)
    brevity = LONG / (LONG - SHORT + minutes(found))
    return TEACHING[found.kind], tier, 1 + 0.1 * min(len(sources) - 1, 3), told, brevity


def _merit(teacher: Teacher, standing: Standing, level: int, hardware: Collection[str]) -> float:
    known = teacher.resource.annotation
    if known and known.level and known.level - level >= TOO_HARD:
        return 0.0
    teaching, tier, agreement, told, brevity = standing
    about = teacher.directness**2 * (0.7 + teacher.fit)  # a word in passing teaches little
    value = about * teaching * tier * agreement * told * brevity
    if teacher.made_for:  # who names no hardware is not sent to what is made for one
        value *= 0.75 if set(teacher.made_for).isdisjoint(hardware) else 1.2
    if level <= 2 and teacher.resource.kind == "paper":
        value *= 0.9
    return value


def surely_about(resource: Resource) -> set[str]:
    """The topics that a resource is about beyond doubt."""
    return {link.slug for link in resource.topics if link.confidence >= SURELY}


def presupposed(curriculum: Curriculum, resource: Resource) -> set[str]:
    """The direct prerequisites of what a resource is surely about, but for what it is about itself."""
    about = surely_about(resource)
    return {need for slug in about for need in curriculum.topics[slug].requires} - about


class Merits:
    """Compares teachers for one learner's hardware, with what is the same for every topic reckoned once a resource."""

    def __init__(self, curriculum: Curriculum, hardware: str | None) -> None:
        self._curriculum = curriculum
        self._hardware = curriculum.compatible(hardware) if hardware else frozenset()
        self._standing: dict[str, Standing] = {}
        self._presupposed: dict[str, Set[str]] = {}

    def best_first(self, topics: Iterable[str], teachers: Teachers) -> list[Teacher]:
        """Teachers of any of some topics, each resource once; what is made for other hardware is not among them (see
        `graph.paths.suits`)."""
        return [one for _, _, one in self.options(topics, teachers)]

    def options(self, topics: Iterable[str], teachers: Teachers, learned: Set[str] | None = None) -> list[Option]:
        """The same with their merits. Given what is learned by then, whatever else a resource presupposes takes from
        its merit."""
        best: dict[str, Option] = {}
        for slug in topics:
            level = self._curriculum.topics[slug].level
            for teacher in teachers.get(slug, ()):
                id = teacher.resource.id
                standing = self._standing.get(id) or self._reckoned(teacher.resource)
                value = _merit(teacher, standing, level, self._hardware)
                if learned is not None and id in self._presupposed:
                    value /= 1 + TOO_EARLY * len(self._presupposed[id] - learned)
                if value >= WORTHY and (id not in best or -value < best[id][0]):
                    best[id] = (-value, id, teacher)
        return sorted(best.values())

    def _reckoned(self, found: Resource) -> Standing:
        if found.topics and (needs := presupposed(self._curriculum, found)):
            self._presupposed[found.id] = needs
        return self._standing.setdefault(found.id, _standing(found))
