"""The planner: a pure function from a goal and what may teach it to an ordered plan.

A learning path is not a shortest path. It is the AND-closure of the prerequisites, less what is known, with topics that
need each other grouped (strongly connected components), in a topological order that keeps related topics together.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import rustworkx as rx

from graph.closure import closure
from graph.cover import cheapest_cover
from graph.curriculum import Curriculum
from graph.models import KernelLine, Resource

Groups = list[tuple[str, ...]]  # topics to learn together, in order
Cost = Callable[[str], int]  # minutes that a topic takes
Heap = list[tuple[tuple[int, str], int]]  # (level and name, number of a group)


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
UNAIDED_MINUTES = 30  # a topic for which no list holds a resource


def mastered(curriculum: Curriculum, known: Iterable[str]) -> frozenset[str]:
    """What is known, with everything that it requires: who knows a topic knows what it builds on."""
    return frozenset(closure(curriculum, known, ())[0])


def order(curriculum: Curriculum, needed: Collection[str]) -> Groups:
    """Groups of topics so that every prerequisite comes before what needs it.

    Kahn's algorithm over the strongly connected components. Among those that may come next, the easier comes first, of
    equals one of the area just left, then by name: the same input always gives the same order.
    """
    before = _before(curriculum, needed)
    groups = _components(before)
    home = {slug: number for number, group in enumerate(groups) for slug in group}
    waits = {n: {home[other] for slug in group for other in before[slug]} - {n} for n, group in enumerate(groups)}
    frees: dict[int, list[int]] = defaultdict(list)
    for number, others in waits.items():
        for other in others:
            frees[other].append(number)
    return _kahn(curriculum, groups, waits, frees)


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
    learned = set(mastered)
    options = []
    for group in groups:
        learned.update(group)
        options.append(_timely(curriculum, ranked(curriculum, group, teachers, hardware), learned))
    best = [pairs[0][1] if pairs else None for pairs in options]
    wants: dict[str, list[int]] = defaultdict(list)  # resource -> the groups that may take it
    for number, pairs in enumerate(options):
        for _, teacher in pairs:
            wants[teacher.resource.id].append(number)
    heap = [(-_regret(pairs), number) for number, pairs in enumerate(options)]
    heapq.heapify(heap)
    chosen: dict[int, Choice] = {}
    while heap:
        regret, number = heapq.heappop(heap)
        if number in chosen or -regret != _regret(options[number]):
            continue  # an entry from before one of its resources was taken
        chosen[number] = _choice(groups[number], [teacher for _, teacher in options[number]])
        for taken in [teacher.resource.id for _, teacher in options[number][:1]]:
            for other in (one for one in wants[taken] if one not in chosen):
                options[other] = [pair for pair in options[other] if pair[1].resource.id != taken]
                heapq.heappush(heap, (-_regret(options[other]), other))
    return _read_on([chosen[number] for number in range(len(groups))], best)


def _read_on(choices: Sequence[Choice], best: Sequence[Teacher | None]) -> list[Choice]:
    """The choices, with the best resource where all that there are have gone to others. It takes its time once."""
    begun: set[str] = set()
    result = []
    for choice, first in zip(choices, best, strict=True):
        main = choice.main or first
        minutes = choice.minutes
        if main:
            minutes = 0 if main.resource.id in begun else main.minutes
            begun.add(main.resource.id)
        result.append(replace(choice, main=main, minutes=minutes))
    return result


def _timely(
    curriculum: Curriculum, ranked: Iterable[tuple[float, Teacher]], learned: Collection[str]
) -> list[tuple[float, Teacher]]:
    """The same teachers, with less merit for what they presuppose that is not learned by then."""
    timed = []
    for value, teacher in ranked:
        early = len(presupposed(curriculum, teacher.resource).difference(learned))
        timed.append((value / (1 + TOO_EARLY * early), teacher))
    return sorted(timed, key=lambda pair: (-pair[0], pair[1].resource.id))


def surely_about(resource: Resource) -> set[str]:
    """The topics that a resource is about beyond doubt."""
    return {link.slug for link in resource.topics if link.confidence >= SURELY}


def presupposed(curriculum: Curriculum, resource: Resource) -> set[str]:
    """The direct prerequisites of what a resource is surely about, but for what it is about itself."""
    about = surely_about(resource)
    return {need for slug in about for need in curriculum.topics[slug].requires} - about


def _regret(ranked: Sequence[tuple[float, Teacher]]) -> float:
    """What is lost when the best is taken by another."""
    if not ranked:
        return 0.0
    return ranked[0][0] - (ranked[1][0] if len(ranked) > 1 else 0.0)


def _choice(group: tuple[str, ...], ranked: Sequence[Teacher]) -> Choice:
    if not ranked:
        return Choice(group, None, (), UNAIDED_MINUTES)
    return Choice(group, ranked[0], tuple(ranked[1 : 1 + ALTERNATIVES]), ranked[0].minutes)


def cheapest(
    curriculum: Curriculum, groups: Groups, teachers: Mapping[str, Sequence[Teacher]], hardware: str | None
) -> list[Choice]:
    """The set of resources that takes the least time and still teaches every group.

    One resource may teach several groups: it is read for the first of them and gone on with, at no cost, for others.
    """
    options = {group: [t for _, t in ranked(curriculum, group, teachers, hardware)] for group in groups}
    minutes = {t.resource.id: t.minutes for group in groups for t in options[group]}
    taken = cheapest_cover({group: [t.resource.id for t in options[group]] for group in groups}, minutes)
    begun: set[str] = set()
    choices = []
    for group in groups:
        main = next((t for t in options[group] if t.resource.id in taken), None)
        if main is None:
            choices.append(_choice(group, []))
            continue
        others = tuple(t for t in options[group] if t is not main)[:ALTERNATIVES]
        choices.append(Choice(group, main, others, 0 if main.resource.id in begun else main.minutes))
        begun.add(main.resource.id)
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
    found = teacher.resource
    tier = {1: 1.15, 2: 1.0, 3: 0.85}.get(found.tier or 2, 0.8)
    agreement = 1 + 0.1 * min(len(found.sources) - 1, 3)
    told = 1.1 if any(len(m.note) > 40 for m in found.mentions) else 1.0
    fitting = 1.0
    if teacher.made_for:  # who names no hardware is not sent to what is made for one
        fitting = 1.2 if not set(teacher.made_for).isdisjoint(hardware) else 0.75
    advanced = 0.9 if level <= 2 and found.kind == "paper" else 1.0
    about = teacher.directness**2 * (0.7 + teacher.fit)  # a word in passing teaches little
    return about * TEACHING[found.kind] * tier * agreement * told * fitting * advanced


def ranked(
    curriculum: Curriculum, group: tuple[str, ...], teachers: Mapping[str, Sequence[Teacher]], hardware: str | None
) -> list[tuple[float, Teacher]]:
    """Teachers of any topic of a group with their merit, best first; of hardware's own only what serves it."""
    compatible = curriculum.compatible(hardware) if hardware else frozenset()
    usable = curriculum.usable(hardware)
    best: dict[str, tuple[float, Teacher]] = {}
    for slug in group:
        for teacher in teachers.get(slug, ()):
            if hardware and teacher.made_for and usable.isdisjoint(teacher.made_for):
                continue
            value = merit(teacher, curriculum.topics[slug].level, compatible)
            if value > best.get(teacher.resource.id, (0.0, teacher))[0]:
                best[teacher.resource.id] = (value, teacher)
    return sorted(best.values(), key=lambda pair: (-pair[0], pair[1].resource.id))


def _before(curriculum: Curriculum, needed: Collection[str]) -> dict[str, set[str]]:
    """Prerequisites of each topic inside the plan; co-requisites count both ways."""
    inside = set(needed)
    topics = [curriculum.topics[slug] for slug in sorted(inside)]
    before = {topic.slug: inside.intersection((*topic.requires, *topic.corequisites)) for topic in topics}
    for topic in topics:
        for other in inside.intersection(topic.corequisites):
            before[other].add(topic.slug)
    return before


def _kahn(
    curriculum: Curriculum, groups: Groups, waits: Mapping[int, set[int]], frees: Mapping[int, Sequence[int]]
) -> Groups:
    missing = {number: len(others) for number, others in waits.items()}
    entry = [(_rank(curriculum, group), number) for number, group in enumerate(groups)]
    area = [curriculum.area(group[0]) for group in groups]
    ready: Heap = []  # all that may come next
    ready_in: dict[str, Heap] = defaultdict(list)  # the same by area; what one heap gave is stale in the other
    done: set[int] = set()
    ordered: Groups = []

    def free(number: int) -> None:
        heapq.heappush(ready, entry[number])
        heapq.heappush(ready_in[area[number]], entry[number])

    for first in (one for one, count in missing.items() if count == 0):
        free(first)
    here = ""
    while (number := _next(ready_in[here], ready, done)) is not None:
        done.add(number)
        here = area[number]
        ordered.append(groups[number])
        for other in frees.get(number, ()):
            missing[other] -= 1
            if missing[other] == 0:
                free(other)
    return ordered


def _next(here: Heap, anywhere: Heap, done: Collection[int]) -> int | None:
    """The easiest that is not done yet; of equals one of the same area, if there is one."""
    for heap in (here, anywhere):
        while heap and heap[0][1] in done:
            heapq.heappop(heap)
    if not anywhere:
        return None
    levels = [heap[0][0][0] for heap in (here, anywhere) if heap]
    return heapq.heappop(here if here and levels[0] == levels[-1] else anywhere)[1]


def _rank(curriculum: Curriculum, group: tuple[str, ...]) -> tuple[int, str]:
    return max(curriculum.topics[slug].level for slug in group), group[0]


def _components(before: Mapping[str, Collection[str]]) -> Groups:
    """Topics that need each other, in groups; most groups are of one."""
    graph: rx.PyDiGraph[str, None] = rx.PyDiGraph()
    index = dict(zip(before, graph.add_nodes_from(list(before)), strict=True))
    graph.add_edges_from_no_data([(index[other], index[slug]) for slug, others in before.items() for other in others])
    return sorted(tuple(sorted(graph[i] for i in group)) for group in rx.strongly_connected_components(graph))
