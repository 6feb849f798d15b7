"""The planner: a pure function from a goal and what may teach it to an ordered plan.

A learning path is not a shortest path. It is the AND-closure of the prerequisites, less what is known, with topics that
need each other grouped (strongly connected components), in a topological order that keeps related topics together.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from math import prod

import rustworkx as rx

from graph.closure import closure
from graph.cover import cheapest_cover
from graph.curriculum import Curriculum
from graph.models import KernelLine, Resource
from graph.prerequisites import Group

Groups = list[tuple[str, ...]]  # topics to learn together, in order
Cost = Callable[[str], int]  # minutes that a topic takes
Options = list[tuple[float, str, "Teacher"]]  # negative merit, id and teacher: sorted, the best comes first


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
        """How long it takes, estimated by its kind."""
        return MINUTES[self.resource.kind]


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

    @property
    def minutes(self) -> int:
        return sum(choice.minutes for choice in self.choices)


# Minutes that a resource of a kind takes, where nothing better is known; of books and courses the part that counts.
MINUTES = {
    "paper": 90, "video": 60, "lecture": 75, "course": 180, "book": 180, "blog": 30, "docs": 45, "repo": 60,
    "thread": 10, "tool": 30, "model": 15, "feed": 20, "kernel": 60, "other": 30,
}  # fmt: skip
# How well a kind teaches, against a blog post: a feed or a tool is a place, not an explanation.
TEACHING = {
    "blog": 1.0, "video": 1.0, "lecture": 1.0, "docs": 0.95, "paper": 0.9, "course": 0.85, "book": 0.8, "repo": 0.7,
    "thread": 0.6, "other": 0.6, "kernel": 0.6, "tool": 0.4, "model": 0.3, "feed": 0.2,
}  # fmt: skip
ALTERNATIVES = 2
MOST_MORE = 2  # further resources on one step's topics
WORTH_A_LOOK = 60  # topics that may be added to a plan, the most relevant
TOO_EARLY = 0.2  # what each prerequisite still to be learned takes from a resource's merit
SURELY = 0.8  # confidence from which a resource is surely about a topic
WORTHY = 0.2  # merit below which a resource does not teach a topic: better to say that there is none
UNAIDED_MINUTES = 30  # a topic for which no list holds a resource


def mastered(curriculum: Curriculum, known: Iterable[str]) -> frozenset[str]:
    """What is known, with everything that it requires: who knows a topic knows what it builds on."""
    return frozenset(closure(curriculum, known, ())[0])


def order(curriculum: Curriculum, needed: Collection[str]) -> Groups:
    """Groups of topics so that every prerequisite comes before what needs it.

    Kahn's algorithm over the strongly connected components. Among those that may come next, the easier comes first, of
    equals one of the area just left, then by name: the same input always gives the same order.
    """
    graph = curriculum.prerequisites.among(needed)
    nodes = sorted(graph.node_indices(), key=graph.__getitem__)
    number = {node: at for at, node in enumerate(nodes)}
    groups = [graph[node] for node in nodes]
    areas = [curriculum.area(group.topics[0]) for group in groups]
    ready: list[int] = []  # heap of all that may come next
    ready_in: dict[str, list[int]] = defaultdict(list)  # the same by area; what one heap gave is stale in the other
    sorter = rx.TopologicalSorter(graph, check_cycle=False)
    ordered: dict[int, tuple[str, ...]] = {}
    here = ""
    while sorter.is_active():
        for free in map(number.__getitem__, sorter.get_ready()):
            heapq.heappush(ready, free)
            heapq.heappush(ready_in[areas[free]], free)
        at = _next(groups, ready_in[here], ready, ordered)
        ordered[at] = groups[at].topics
        here = areas[at]
        sorter.done(nodes[at])
    return list(ordered.values())


def _next(groups: Sequence[Group], here: list[int], anywhere: list[int], done: Collection[int]) -> int:
    """The easiest that is not done yet; of equals one of the same area, if there is one."""
    for heap in (here, anywhere):
        while heap and heap[0] in done:
            heapq.heappop(heap)
    stays = here and groups[here[0]].level == groups[anywhere[0]].level
    return heapq.heappop(here if stays else anywhere)


def extend(
    curriculum: Curriculum,
    needed: Collection[str],
    relevance: Mapping[str, float],
    cost: Cost,
    spare: int,
    without: Callable[[str], bool],
) -> set[str]:
    """Topics worth adding to those needed, by what they add per hour, while the spare minutes last.

    A topic comes with its own prerequisites, and their time counts. `without` tells which topics are left out of plans
    (known, other hardware).
    """
    added: set[str] = set()
    open_ = {slug for slug in relevance if slug not in needed and not without(slug)}
    open_ = set(sorted(open_, key=lambda slug: (-relevance[slug], slug))[:WORTH_A_LOOK])
    while open_:
        news = {slug: closure(curriculum, [slug], {*needed, *added}, without)[0] for slug in sorted(open_)}
        prices = {slug: sum(map(cost, new)) for slug, new in news.items()}
        open_ = {slug for slug in open_ if prices[slug] <= spare}
        if not open_:
            break
        best = max(sorted(open_), key=lambda slug: relevance[slug] / prices[slug])
        added |= news[best]
        spare -= prices[best]
        open_ -= added
    return added


def choose(
    curriculum: Curriculum,
    groups: Groups,
    teachers: Mapping[str, Sequence[Teacher]],
    hardware: str | None,
    mastered: Collection[str] = (),
) -> list[Choice]:
    """The best resource for each group, and none too early if there is as good a one that presupposes less. Where two
    groups want one resource, it goes to the one that would lose more without it; only who has no other reads it too."""
    merits = _Merits(curriculum, hardware)
    learned = set(mastered)
    options = []
    for group in groups:
        learned.update(group)
        options.append(merits.options(group, teachers, learned))
    begun: set[str] = set()
    choices = []
    for group, best_first, share in zip(groups, options, _shared_out(options), strict=True):
        choices.append(_choice(group, [one for *_, one in share or best_first[:1]], begun))
    return choices


def _shared_out(options: Sequence[Options]) -> list[Options]:
    """The options of each group, less the resources that go to others."""
    left = list(options)
    wants: dict[str, list[int]] = defaultdict(list)  # resource -> the groups that may take it
    for number, some in enumerate(options):
        for _, id, _ in some:
            wants[id].append(number)
    regrets = [_regret(some) for some in options]
    heap = [(-regret, number) for number, regret in enumerate(regrets)]
    heapq.heapify(heap)
    done: set[int] = set()
    while heap:
        regret, number = heapq.heappop(heap)
        if number in done or -regret != regrets[number]:
            continue  # an entry from before one of its resources was taken
        done.add(number)
        for _, taken, _ in left[number][:1]:
            for other in (one for one in wants[taken] if one not in done):
                left[other] = [option for option in left[other] if option[1] != taken]
                regrets[other] = _regret(left[other])
                heapq.heappush(heap, (-regrets[other], other))
    return left


def _regret(options: Options) -> float:
    """What is lost when the best is taken by another."""
    if not options:
        return 0.0
    return (options[1][0] if len(options) > 1 else 0.0) - options[0][0]


def _choice(group: tuple[str, ...], teachers: Sequence[Teacher], begun: set[str]) -> Choice:
    """A group with its teachers, best first. What is begun is gone on with, at no cost; here the first is."""
    if not teachers:
        return Choice(group, None, (), UNAIDED_MINUTES)
    main, *others = teachers[: 1 + ALTERNATIVES]
    minutes = 0 if main.resource.id in begun else main.minutes
    begun.add(main.resource.id)
    return Choice(group, main, tuple(others), minutes)


def surely_about(resource: Resource) -> set[str]:
    """The topics that a resource is about beyond doubt."""
    return {link.slug for link in resource.topics if link.confidence >= SURELY}


def presupposed(curriculum: Curriculum, resource: Resource) -> set[str]:
    """The direct prerequisites of what a resource is surely about, but for what it is about itself."""
    about = surely_about(resource)
    return {need for slug in about for need in curriculum.topics[slug].requires} - about


def cheapest(
    curriculum: Curriculum, groups: Groups, teachers: Mapping[str, Sequence[Teacher]], hardware: str | None
) -> list[Choice]:
    """The set of resources that takes the least time and still teaches every group.

    One resource may teach several groups: it is read for the first of them and gone on with, at no cost, for others.
    """
    merits = _Merits(curriculum, hardware)
    options = {group: [one for *_, one in merits.options(group, teachers)] for group in groups}
    minutes = {one.resource.id: one.minutes for some in options.values() for one in some}
    taken = cheapest_cover({group: [one.resource.id for one in some] for group, some in options.items()}, minutes)
    begun: set[str] = set()
    choices = []
    for group in groups:
        main = next((one for one in options[group] if one.resource.id in taken), None)
        others = [one for one in options[group] if one is not main]
        choices.append(_choice(group, [main, *others] if main else [], begun))
    return choices


def improve(cheap: Sequence[Choice], best: Sequence[Choice], spare: int) -> list[Choice]:
    """The cheap choices with as many of the best ones as the spare minutes buy, the cheapest exchanges first."""
    result = list(cheap)
    shared = Counter(choice.main.resource.id for choice in cheap if choice.main)
    used = set(shared)
    exchanges = sorted((new.minutes - old.minutes, at) for at, (old, new) in enumerate(zip(cheap, best, strict=True)))
    for extra, at in exchanges:
        old, new = cheap[at], best[at]
        if not (old.main and new.main) or new.main.resource.id in used or shared[old.main.resource.id] > 1:
            continue
        if new.minutes < new.main.minutes:
            continue  # it goes on with what another step begins
        if extra <= spare:
            result[at] = new
            used.add(new.main.resource.id)
            spare -= extra
    return result


def deepen(
    curriculum: Curriculum,
    choices: Sequence[Choice],
    candidates: Iterable[Teacher],
    teachers: Mapping[str, Sequence[Teacher]],
    spare: int,
) -> list[Choice]:
    """The choices with further resources while the spare minutes last, in the order of the candidates. Each stands
    after the last step on a topic that it surely teaches, or on what it presupposes."""
    teaching = {topic: {one.resource.id for one in teachers.get(topic, ())} for c in choices for topic in c.topics}
    used = {choice.main.resource.id for choice in choices if choice.main}
    place = {topic: number for number, choice in enumerate(choices) for topic in choice.topics}
    extra: dict[int, list[Choice]] = defaultdict(list)
    for teacher in candidates:
        about = {
            topic for topic in surely_about(teacher.resource) & place.keys() if teacher.resource.id in teaching[topic]
        }
        if not about or teacher.resource.id in used or teacher.minutes > spare:
            continue
        own = max(place[topic] for topic in about)
        last = max([own, *(place.get(need, own) for need in presupposed(curriculum, teacher.resource))])
        if len(extra[last]) == MOST_MORE:
            continue
        used.add(teacher.resource.id)
        spare -= teacher.minutes
        extra[last].append(Choice(choices[own].topics, teacher, (), teacher.minutes, more=True))
    return [step for number, choice in enumerate(choices) for step in (choice, *extra[number])]


def kernels(
    curriculum: Curriculum,
    choices: Sequence[Choice],
    targets: Collection[str],
    learned: Collection[str],
    hardware: str | None,
) -> dict[int, list[str]]:
    """Reference kernels to read and run, by the step after which they can be, easier ones first: those about a target,
    most of whose topics are taught or known by then, and exercises on what the path teaches. None is for other
    hardware, though one for a neighbour will do."""
    usable = curriculum.usable(hardware)
    place = {topic: number for number, choice in enumerate(choices) for topic in choice.topics}
    ready = {*place, *learned}
    after: dict[int, list[str]] = defaultdict(list)
    for kernel in sorted(curriculum.kernels.values(), key=lambda k: (k.difficulty, k.order or 99, k.slug)):
        here = [place[topic] for topic in kernel.topics if topic in place]
        fits = not hardware or not kernel.hardware or not usable.isdisjoint(kernel.hardware)
        if fits and here and (_about(kernel, targets, ready) or _exercise(curriculum, kernel, targets, ready)):
            after[max(here)].append(kernel.slug)
    return after


def _about(kernel: KernelLine, targets: Collection[str], ready: Collection[str]) -> bool:
    """Whether a kernel is about a target, and at least half of its topics are taught or known."""
    prepared = [topic for topic in kernel.topics if topic in ready]
    return not set(kernel.topics).isdisjoint(targets) and 2 * len(prepared) >= len(kernel.topics)


def _exercise(curriculum: Curriculum, kernel: KernelLine, targets: Collection[str], ready: Set[str]) -> bool:
    """Whether all that a kernel builds on is taught or known, and it is hardly harder than the targets."""
    hardest = max(curriculum.topics[slug].level for slug in targets)
    return kernel.difficulty <= hardest + 1 and closure(curriculum, kernel.topics, ())[0] <= ready


def merit(teacher: Teacher, level: int, hardware: Collection[str]) -> float:
    """How good a resource is for a topic: how directly it is about it, how well its kind teaches, how highly and how
    often curators placed it, and whether it is made for the learner's hardware."""
    return _merit(teacher, _standing(teacher.resource), level, hardware)


def _standing(found: Resource) -> tuple[float, ...]:
    """The factors of merit that are the same for every topic."""
    tier = {1: 1.15, 2: 1.0, 3: 0.85}.get(found.tier or 2, 0.8)
    agreement = 1 + 0.1 * min(len(found.sources) - 1, 3)
    told = 1.1 if any(len(m.note) > 40 for m in found.mentions) else 1.0
    return TEACHING[found.kind], tier, agreement, told


def _merit(teacher: Teacher, standing: tuple[float, ...], level: int, hardware: Collection[str]) -> float:
    fitting = 1.0
    if teacher.made_for:  # who names no hardware is not sent to what is made for one
        fitting = 1.2 if not set(teacher.made_for).isdisjoint(hardware) else 0.75
    advanced = 0.9 if level <= 2 and teacher.resource.kind == "paper" else 1.0
    about = teacher.directness**2 * (0.7 + teacher.fit)  # a word in passing teaches little
    return prod((about, *standing, fitting, advanced))


def ranked(
    curriculum: Curriculum, group: tuple[str, ...], teachers: Mapping[str, Sequence[Teacher]], hardware: str | None
) -> list[tuple[float, Teacher]]:
    """Teachers of any topic of a group with their merit, best first; what is made for other hardware is not among them
    (see `graph.paths.suits`)."""
    return [(-value, one) for value, _, one in _Merits(curriculum, hardware).options(group, teachers)]


class _Merits:
    """Merits of teachers, where many are compared: what is the same for every topic is reckoned once a resource."""

    def __init__(self, curriculum: Curriculum, hardware: str | None) -> None:
        self._curriculum = curriculum
        self._hardware = curriculum.compatible(hardware) if hardware else frozenset()
        self._standing: dict[str, tuple[float, ...]] = {}
        self._presupposed: dict[str, Set[str]] = {}

    def options(
        self, group: tuple[str, ...], teachers: Mapping[str, Sequence[Teacher]], learned: Set[str] | None = None
    ) -> Options:
        """Teachers of any topic of a group, each resource once. Given what is learned by then, whatever else a resource
        presupposes takes from its merit."""
        best: dict[str, tuple[float, str, Teacher]] = {}
        for slug in group:
            level = self._curriculum.topics[slug].level
            for teacher in teachers.get(slug, ()):
                id = teacher.resource.id
                if id not in self._standing:
                    self._reckon(teacher.resource)
                value = _merit(teacher, self._standing[id], level, self._hardware)
                if learned is not None and id in self._presupposed:
                    value /= 1 + TOO_EARLY * len(self._presupposed[id] - learned)
                if value >= WORTHY and -value < best.get(id, (0.0,))[0]:
                    best[id] = (-value, id, teacher)
        return sorted(best.values())

    def _reckon(self, found: Resource) -> None:
        self._standing[found.id] = _standing(found)
        if needs := presupposed(self._curriculum, found):
            self._presupposed[found.id] = needs
