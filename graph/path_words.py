"""A plan put into words: reasons, evidence, what is left out, and the certificate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from graph import views
from graph.models import Certificate, LearningPath, LeftOut, Prerequisite, Resource, Step, Topic
from graph.planner import Choice, Plan, basis
from graph.situation import Situation
from graph.validate import path_id

GAP = "no list holds a resource for it: a gap to fill"
MORE = "More on the same: it answers the goal well, and there is time for it."
EVIDENCE = 2  # quotes of curators that a step shows


def in_words(case: Situation, plan: Plan, warnings: Sequence[str]) -> LearningPath:
    """The path that a learner sees, with reasons and certificate."""
    gaps = [topic for choice in plan.choices if not choice.main for topic in choice.topics]
    left_out = [*plan.skipped.items(), *((topic, GAP) for topic in gaps)]
    steps = tuple(_step(case, plan, number, choice) for number, choice in enumerate(plan.choices, 1))
    path = LearningPath(
        id="",
        goal=case.request.goal,
        understood=_understood(case),
        targets=case.goal.targets,
        hardware=case.goal.hardware,
        known=case.known,
        steps=steps,
        kernels=tuple(slug for number in sorted(plan.kernels) for slug in plan.kernels[number]),
        minutes=plan.minutes,
        left_out=tuple(LeftOut(topic=topic, reason=reason) for topic, reason in left_out),
        warnings=(*warnings, *_for_neighbours(case, plan)),
        certificate=_certificate(case, plan),
    )
    return path.model_copy(update={"id": path_id(path)})


def _understood(case: Situation) -> str:
    names = ", ".join(case.curriculum.topics[slug].name for slug in case.goal.targets)
    return f"{names} on {case.curriculum.hardware[case.goal.hardware].name}" if case.goal.hardware else names


def _for_neighbours(case: Situation, plan: Plan) -> Iterable[str]:
    """Which kernels were posed for a chip that the learner does not have."""
    for slug in sorted({slug for slugs in plan.kernels.values() for slug in slugs}):
        made_for = case.curriculum.kernels[slug].hardware
        if case.goal.hardware and made_for and case.curriculum.compatible(case.goal.hardware).isdisjoint(made_for):
            names = ", ".join(case.curriculum.hardware[one].name for one in made_for)
            own = case.curriculum.hardware[case.goal.hardware].name
            yield f"The kernel {slug} is for {names}, a neighbour of {own}."


def _certificate(case: Situation, plan: Plan) -> Certificate:
    """Every prerequisite of every topic taught, and why those that are not taught need not be."""
    taught = dict.fromkeys(topic for choice in plan.choices for topic in choice.topics)
    return Certificate(
        prerequisites=tuple(edge for topic in taught for edge in _prerequisites(case.curriculum.topics[topic])),
        known=case.known,
        assumed=tuple(sorted(case.mastered - set(case.known))),
        excluded=tuple(
            LeftOut(topic=topic, reason=reason) for topic, reason in plan.skipped.items() if topic not in case.mastered
        ),
        budget_minutes=round(case.request.hours * 60) if case.request.hours else None,
    )


def _prerequisites(topic: Topic) -> Iterable[Prerequisite]:
    for other, reason in topic.requires.items():
        yield Prerequisite(topic=topic.slug, requires=other, reason=reason)
    for other, reason in topic.corequisites.items():
        yield Prerequisite(topic=topic.slug, requires=other, reason=reason, together=True)


def _step(case: Situation, plan: Plan, position: int, choice: Choice) -> Step:
    main = choice.main
    return Step(
        position=position,
        topics=choice.topics,
        resource=views.hit(main.resource) if main else None,
        alternatives=tuple(views.hit(teacher.resource) for teacher in choice.alternatives),
        reason=MORE if choice.more else _reason(case, plan, choice.topics),
        choice=_why_chosen(case, choice) if main else GAP,
        evidence=tuple(_quotes(main.resource)) if main else (),
        minutes=choice.minutes,
        kernels=tuple(plan.kernels.get(position - 1, ())),
        beyond=choice.more or plan.beyond.issuperset(choice.topics),
        basis=basis(main.resource) if main else "a guess: there is nothing to measure",
    )


def _why_chosen(case: Situation, choice: Choice) -> str:
    """What speaks for a resource: where it names the topic, its tier, how many lists agree, what it is made for."""
    assert choice.main
    found = choice.main.resource
    named = [link for link in found.topics if link.slug in choice.topics]
    said = [f"{link.reason} ({link.source}:{link.line})" for link in named[:1]]
    tiers = sorted({mention.tier for mention in found.mentions if mention.tier is not None})
    said += [f"tier {tiers[0]}"] if tiers else []
    said += [f"in {len(found.sources)} lists"] if len(found.sources) > 1 else []
    made_for = [case.curriculum.hardware[slug].name for slug in choice.main.made_for]
    said += [f"made for {', '.join(made_for)}"] if made_for else []
    if choice.main.made_for and case.goal.hardware:
        if case.curriculum.compatible(case.goal.hardware).isdisjoint(choice.main.made_for):
            said.append(f"a neighbour of {case.curriculum.hardware[case.goal.hardware].name}, for lack of a better one")
    elif case.goal.hardware and not choice.main.made_for:
        said.append("made for no hardware in particular")
    return "; ".join(said)


def _reason(case: Situation, plan: Plan, topics: Sequence[str]) -> str:
    """Why a step stands here: the goal itself, the first step that needs it or that it helps with, or that it is near
    the goal."""
    names = case.curriculum.topics
    if targets := [names[slug].name for slug in topics if slug in case.goal.targets]:
        return f"Part of the goal: {', '.join(targets)}."
    others = [names[slug] for choice in plan.choices for slug in choice.topics if slug not in topics]
    for other, topic in product(others, topics):
        if topic in other.requires:
            return f"Needed for {other.name}: {other.requires[topic] or 'it builds on it.'}"
    for other, topic in product(others, topics):
        if topic in other.helps:
            return f"Helps with {other.name}: {other.helps[topic] or 'good to know before it.'}"
    return "Close to the goal, and there is time for it."


def _quotes(resource: Resource) -> Iterable[str]:
    """The curators' words for a resource, with the place they stand; where they say little, the ontology's too."""
    quoted = sorted((place for place in views.hit(resource).mentions if place.note), key=lambda place: -len(place.note))
    known = views.says(resource)
    for place in [*quoted, *([known] if known else [])][:EVIDENCE]:
        yield f"“{place.note}” ({place.source}:{place.line})"
