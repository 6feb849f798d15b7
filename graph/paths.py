"""The use case “plan a path”: from a goal in words to a plan in words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from graph import goals, planner, search, views
from graph.closure import closure
from graph.curriculum import Curriculum, topic_ids
from graph.errors import BudgetTooSmall
from graph.goals import Goal
from graph.models import (
    Conditions,
    Hit,
    LearningPath,
    PathRequest,
    Resource,
)
from graph.names import slug_of
from graph.path_words import in_words
from graph.planner import Plan, Teacher
from graph.ports import GraphStore
from graph.records import Edge
from graph.search import Parts
from graph.situation import Situation

SAVINGS = 3  # topics named that would save time if they were known
HITS = 100  # resources near the goal that count when one is chosen
SPEAKING_HITS = 40  # of them, those whose topics speak for the goal
IN_WORDS = 0.5  # what a topic gains in relevance when its names hold all words of the goal
IN_HITS = 0.5  # what it gains when the best hits for the goal are about it
RARE = 3  # keeps a topic with a single work from standing out
PART = 0.3  # what a topic gains for being part of a target
NEAR = 0.2  # what a topic gains for standing next to the targets in the graph
FEATURE = 0.1  # what a topic gains for being a feature of the hardware
RELEVANT = 0.5  # part of the highest relevance from which a topic may be added where there is time
ELSEWHERE = 0.75  # what is left of the relevance of what one chip alone has, to who names none
LOOKED_AT = (12, 120, 1200)  # resources of a topic, the most direct: more where too few of the first suit
ENOUGH = 6  # resources that suit: a step takes three, and steps may want the same
UNHURRIED = 240  # minutes that may be added where no hours are given

NAMED = 0.35  # likeness from which a resource that only names a topic may teach it, and how directly it then does
FITTING = 0.5  # part of the best hit's score from which a resource answers the goal itself

Teachers = Mapping[str, Sequence[Teacher]]  # by topic


Stages = Sequence[
    Collection[str]
]  # topics by the part of a plan that they stand in: what leads to the goal, what follows


def plan_path(request: PathRequest, parts: Parts) -> LearningPath:
    """Plans a path.

    Raises:
        NothingCovered: the goal is not in the graph.
        UnknownName: the hardware is not.
        BudgetTooSmall: the hours do not suffice even for the shortest resources.
    """
    curriculum = parts.curriculum
    known, warnings = goals.find_known(curriculum, request.know)
    device = goals.hardware_of(curriculum, request.goal, request.hardware)
    about = goals.without_hardware(curriculum, request.goal)
    asked = search.ask(about, search.filters(Conditions(hardware=device), curriculum), parts)
    found = search.ranked(asked.query, parts.index, HITS)[:HITS]
    near = search.hits(found, parts)
    best = max((hit.score for hit in near), default=1.0) or 1.0
    fit = {hit.id: max(hit.score / best, 0.0) for hit in near}
    relevance = _relevance(about, asked.query.dense, parts, near, fit)
    goal = goals.understand(
        curriculum, request.goal, relevance, hardware=device, known=known, answered=asked.answered_by(found)
    )
    relevance = _raised(curriculum, goal, relevance)
    case = Situation(request, goal, tuple(known), planner.mastered(curriculum, known), curriculum, relevance)
    return in_words(case, _plan(case, parts.graph, fit), warnings)


def _relevance(
    text: str, meaning: NDArray[np.float32], parts: Parts, near: Sequence[Hit], fit: Mapping[str, float]
) -> dict[str, float]:
    """How much each topic has to do with a goal: its likeness in meaning and in words, and how many of the best hits
    are about it. Topics that everything is about weigh less."""
    curriculum = parts.curriculum
    shares: dict[str, float] = defaultdict(float)
    for hit in near[:SPEAKING_HITS]:
        for topic in hit.topics:
            shares[topic] += fit[hit.id] ** 2 / sqrt(curriculum.topics[topic].resources + RARE)
    most = max(shares.values(), default=0.0) or 1.0
    words = curriculum.topic_words.likeness(text)
    return {
        topic: cosine + IN_WORDS * words.get(topic, 0.0) + IN_HITS * shares[topic] / most
        for topic, cosine in parts.meaning.likeness(meaning).items()
    }


def _raised(curriculum: Curriculum, goal: Goal, relevance: Mapping[str, float]) -> dict[str, float]:
    """Relevance with what the targets add to it: their parts and neighbours, and the features of a chip that is to be
    learned."""
    learned = bool(goal.hardware) and not set(goal.targets).isdisjoint(curriculum.explained_by(str(goal.hardware)))
    features = curriculum.features(str(goal.hardware)) if learned else frozenset()
    near = curriculum.nearness.to(goal.targets)
    return {
        topic: value
        + NEAR * near.get(topic, 0.0)
        + FEATURE * (topic in features)
        + PART * (not set(goal.targets).isdisjoint(curriculum.above(topic)))
        for topic, value in relevance.items()
    }


def teachers(
    graph: GraphStore,
    topics: Iterable[str],
    fit: Mapping[str, float],
    suits: Callable[[Teacher], bool] = lambda _: True,
    enough: int = ENOUGH,
) -> dict[str, list[Teacher]]:
    """What suits of the resources that cover the topics most directly, and of those that answer the goal, by topic.

    `fit` says how well resources answer the goal. Where fewer than `enough` of the first suit, more are looked at.
    """
    found: dict[str, list[Teacher]] = {}
    open_ = sorted({*topics})
    for limit in LOOKED_AT:
        covers = graph.strongest(topic_ids(open_), limit)
        about = _about(graph, {edge.source for edge in covers} | fit.keys(), fit)
        found |= {slug: list(filter(suits, about[slug])) for slug in open_}
        looked_at = Counter(slug_of(edge.target) for edge in covers)
        open_ = [slug for slug in open_ if looked_at[slug] == limit and len(found[slug]) < enough]
        if not open_:
            break
    return found


def _about(graph: GraphStore, ids: Collection[str], fit: Mapping[str, float]) -> Mapping[str, list[Teacher]]:
    """Resources by each topic that they cover; where none does, those that name it and are not far from it."""
    held = graph.read(sorted(ids))
    covering: dict[str, list[Teacher]] = defaultdict(list)
    naming: dict[str, list[Teacher]] = defaultdict(list)
    for id in sorted(held.nodes.keys() & ids):
        resource = views.resource(held, id)
        made_for = views.made_for(resource)
        for edge in held.out(id, "COVERS"):
            if edge.weight:
                covering[slug_of(edge.target)].append(Teacher(resource, edge.weight, made_for, fit.get(id, 0.0)))
            elif _names(edge):
                naming[slug_of(edge.target)].append(Teacher(resource, NAMED, made_for, fit.get(id, 0.0)))
    return defaultdict(list, naming | covering)


def _names(edge: Edge) -> bool:
    """Whether a resource names a topic in passing and is not far from it."""
    confidence, likeness = (float(edge.body.get(part, 0.0)) for part in ("confidence", "likeness"))
    return confidence >= planner.SURELY and likeness >= NAMED


def _plan(case: Situation, graph: GraphStore, fit: Mapping[str, float]) -> Plan:
    """What is needed, in order, and what is worth adding while there is time."""
    curriculum, goal = case.curriculum, case.goal
    needed, _ = closure(curriculum, goal.targets, case.mastered, case.rules_out)
    helpful, relevant = _helpful(case, needed), _relevant(case)
    found = teachers(graph, {*needed, *_with_closure(case, {*helpful, *relevant})}, fit, partial(suits, case))
    plan = chosen(case, [needed], found)
    limit = int(case.request.hours * 60) if case.request.hours else plan.minutes + UNHURRIED
    beyond: set[str] = set()
    if plan.minutes > limit:
        plan = shortened(case, plan, found, limit)
    else:
        plan, helping = _extended(case, plan, [needed], helpful, found, limit)
        plan, beyond = _extended(case, plan, [{*needed, *helping}, set()], relevant, found, limit)
    choices = tuple(planner.deepen(curriculum, plan.choices, _further(case, found), found, limit - plan.minutes))
    taught = {topic for choice in choices for topic in choice.topics}
    _, met = closure(curriculum, taught, case.mastered, case.rules_out)
    return Plan(
        targets=goal.targets,
        choices=choices,
        kernels=planner.kernels(curriculum, choices, goal.targets, case.mastered, goal.hardware),
        skipped={topic: case.left_out(topic) for topic in sorted(met)},
        beyond=frozenset(beyond),
    )


def _extended(
    case: Situation, plan: Plan, stages: Stages, worth: Mapping[str, float], found: Teachers, limit: int
) -> tuple[Plan, set[str]]:
    """The plan with topics that are worth adding to its last stage, while the minutes last, and these topics; the same
    where there is none. On each there is something to read: who need not learn a topic is spared the gap."""
    *former, last = stages
    best = _best(case, found)
    taught = {topic: value for topic, value in worth.items() if best(topic)}
    there = set().union(*stages)
    spare = limit - plan.minutes
    while added := planner.extend(case.curriculum, there, taught, _cost(best), spare, case.rules_out):
        extended = chosen(case, [*former, {*last, *added}], found)
        if extended.minutes <= limit:
            return extended, added
        spare -= extended.minutes - limit  # the best resources took longer than was reckoned
    return plan, set()


def _further(case: Situation, found: Teachers) -> list[Teacher]:
    """Resources that answer the goal itself well, best first: worth reading where there is time."""
    ranked = (case.merits.best_first((topic,), found) for topic in found)
    suitable = {one.resource.id: one for group in ranked for one in group if one.fit >= FITTING}
    return sorted(suitable.values(), key=lambda one: (-one.fit, one.resource.id))


def _helpful(case: Situation, needed: Iterable[str]) -> dict[str, float]:
    """Topics that help with what is needed, with their relevance."""
    helpful = {helper for topic in needed for helper in case.curriculum.topics[topic].helps}
    return {topic: case.relevance.get(topic, 0.0) for topic in helpful}


def _relevant(case: Situation) -> dict[str, float]:
    """Topics that have enough to do with the goal to be worth some time."""
    floor = RELEVANT * max(case.relevance.values(), default=0.0)
    topics, elsewhere = case.curriculum.topics, 1.0 if case.goal.hardware else ELSEWHERE
    worth = {topic: value * (elsewhere if topics[topic].hardware else 1.0) for topic, value in case.relevance.items()}
    return {topic: value for topic, value in worth.items() if value >= floor}


def _with_closure(case: Situation, topics: Iterable[str]) -> set[str]:
    return closure(case.curriculum, topics, case.mastered, case.rules_out)[0]


def suits(case: Situation, one: Teacher) -> bool:
    """Whether a resource is none that is made for other hardware, that lists put into a later tier than asked for, or
    that is about known topics alone, unless they are the goal all the same."""
    most, known = case.request.max_tier, case.mastered.difference(case.goal.targets)
    in_tier = most is None or (one.resource.tier or 0) <= most
    return in_tier and case.serves(one.made_for) and not _is_known(one.resource, known)


def _is_known(resource: Resource, known: Collection[str]) -> bool:
    """Whether everything that a resource is surely about is known."""
    surely = [link.slug for link in resource.topics if link.confidence == resource.topics[0].confidence]
    return bool(surely) and all(topic in known for topic in surely)


def chosen(case: Situation, stages: Stages, found: Teachers) -> Plan:
    """The topics of each stage in order, each with the best resource."""
    groups = [group for topics in stages for group in planner.order(case.curriculum, topics)]
    return Plan(case.goal.targets, tuple(planner.choose(case.merits, groups, found, case.mastered)))


def _best(case: Situation, found: Teachers) -> Callable[[str], Teacher | None]:
    """Gives a topic's best resource."""

    @cache  # asked of the same topics again and again
    def best(topic: str) -> Teacher | None:
        return next(iter(case.merits.best_first((topic,), found)), None)

    return best


def _cost(best: Callable[[str], Teacher | None]) -> planner.Cost:
    """Gives the minutes that a topic will take, reckoned with its best resource."""

    def cost(topic: str) -> int:
        teacher = best(topic)
        return teacher.minutes if teacher else planner.UNAIDED_MINUTES

    return cost


def shortened(case: Situation, plan: Plan, found: Teachers, limit: int) -> Plan:
    """The same topics with the cheapest resources, and better ones as far as the time suffices. No topic is dropped.

    Raises:
        BudgetTooSmall: not even the cheapest fit.
    """
    groups = [choice.topics for choice in plan.choices]
    cheap = planner.cheapest(case.merits, groups, found)
    least = sum(choice.minutes for choice in cheap)
    if least > limit:
        raise BudgetTooSmall(limit / 60, round(least / 60 + 0.049, 1), _savings(case, found, least))
    return replace(plan, choices=tuple(planner.improve(cheap, plan.choices, limit - least)))


def _savings(case: Situation, found: Teachers, least: int) -> dict[str, int]:
    """Minutes that knowing a topic would save, of those that save most."""
    saved: dict[str, int] = {}
    needed = {topic for topic in found if topic not in case.goal.targets}
    for topic in sorted(needed):
        known = case.mastered | planner.mastered(case.curriculum, [topic])
        left, _ = closure(case.curriculum, case.goal.targets, known, case.rules_out)
        groups = planner.order(case.curriculum, left)
        minutes = sum(choice.minutes for choice in planner.cheapest(case.merits, groups, found))
        saved[case.curriculum.topics[topic].name] = least - minutes
    return dict(sorted(saved.items(), key=lambda pair: (-pair[1], pair[0]))[:SAVINGS])
