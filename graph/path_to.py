"""The use case “what must I learn first?”: the path to one resource or kernel, which is its last step.

A resource teaches itself what it is surely about, so that only what this builds on comes before it. A kernel is written
with what other resources have taught. Nothing is added because there happens to be time for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from graph import goals, paths, planner, views
from graph.closure import closure
from graph.curriculum import Curriculum
from graph.errors import BadRequest, NothingCovered
from graph.goals import Goal
from graph.models import KernelLine, LearningPath, PathRequest, Resource
from graph.names import node_id
from graph.path_words import in_words
from graph.paths import Teachers
from graph.planner import Choice, Groups, Plan, Teacher
from graph.search import Parts
from graph.situation import Situation


def resource(found: Resource, request: PathRequest, parts: Parts) -> LearningPath:
    """The path to a resource; the request's goal is its title.

    Raises:
        NothingCovered: it is about no topic of the graph.
        UnknownName: the hardware asked for is not in the graph.
        BadRequest: it is made for other hardware.
        BudgetTooSmall: the hours do not suffice.
    """
    itself = Teacher(found, 1.0, views.made_for(found))
    case, warnings = _situation(request, _about(found), itself.made_for, parts.curriculum)
    groups = planner.order(parts.curriculum, _needed(case))
    own = _taught_by_itself(parts.curriculum, groups, case.goal.targets)
    first = [group for group in groups if group not in own]
    before = [topic for group in first for topic in group]
    others = paths.teachers(parts.graph, before, {}, partial(paths.suits, case))
    teachers = {topic: [one for one in group if one.resource.id != found.id] for topic, group in others.items()}
    choices = planner.choose(case.merits, first, teachers)
    choices += [Choice(group, itself, (), 0 if at else itself.minutes) for at, group in enumerate(own)]
    teachers |= {topic: [itself] for group in own for topic in group}
    plan = _within_hours(case, Plan(case.goal.targets, tuple(choices)), teachers)
    return in_words(case, replace(plan, skipped=_skipped(case)), warnings)


def kernel(wanted: KernelLine, request: PathRequest, parts: Parts) -> LearningPath:
    """The path to a reference kernel; the request's goal is its title. The works that it links to are preferred, and
    the kernels that it builds on stand where they can be written.

    Raises:
        NothingCovered, UnknownName, BadRequest, BudgetTooSmall: as `resource`.
    """
    case, warnings = _situation(request, wanted.topics, wanted.hardware, parts.curriculum, neighbours=False)
    id = node_id("Kernel", wanted.slug)
    links = (edge.target for edge in parts.graph.read([id]).out(id, "LINKS"))
    needed = _needed(case)
    teachers = paths.teachers(parts.graph, needed, dict.fromkeys(links, 1.0), partial(paths.suits, case))
    plan = _within_hours(case, paths.chosen(case, [needed], teachers), teachers)
    before = _kernels_before(parts.curriculum, wanted)
    kernels = _placed(case, plan, wanted, before)
    if absent := sorted(before.difference(*kernels.values())):
        warnings.append(f"It builds on kernels that no step here prepares for: {', '.join(absent)}.")
    return in_words(case, replace(plan, kernels=kernels, skipped=_skipped(case)), warnings)


def _about(found: Resource) -> list[str]:
    """The topics that a resource is surely about, else its surest one."""
    return [link.slug for link in found.topics if link.confidence >= planner.SURELY] or [
        link.slug for link in found.topics[:1]
    ]


def _situation(
    request: PathRequest,
    topics: Sequence[str],
    made_for: Collection[str],
    curriculum: Curriculum,
    *,
    neighbours: bool = True,
) -> tuple[Situation, list[str]]:
    """What to plan around, and warnings. What is made for a single piece of hardware is learned for it, unless another
    is asked for; `neighbours` tells whether it then may be a neighbour's."""
    if not topics:
        raise NothingCovered(request.goal)
    known, warnings = goals.find_known(curriculum, request.know)
    mastered = planner.mastered(curriculum, known)
    device = next(iter(made_for)) if len(made_for) == 1 else None
    if request.hardware:
        device = goals.find_hardware(curriculum, request.hardware)
        serving = curriculum.usable(device) if neighbours else curriculum.compatible(device)
        if made_for and serving.isdisjoint(made_for):
            raise _for_other_hardware(curriculum, request.goal, made_for, device)
    targets = [topic for topic in topics if topic not in mastered] or list(topics[:1])
    if device:
        targets = [topic for topic in targets if curriculum.serves(topic, device)] or targets
    return Situation(request, Goal(tuple(targets), device), tuple(known), mastered, curriculum, {}), warnings


def _for_other_hardware(curriculum: Curriculum, title: str, made_for: Iterable[str], device: str) -> BadRequest:
    names = ", ".join(curriculum.hardware[slug].name for slug in made_for)
    message = f"“{title}” is made for {names}, not for {curriculum.hardware[device].name}."
    return BadRequest(message, hint="Leave out the hardware, or ask for a path to what you want to learn.")


def _needed(case: Situation) -> set[str]:
    return closure(case.curriculum, case.goal.targets, case.mastered, case.rules_out)[0]


def _skipped(case: Situation) -> dict[str, str]:
    """What is met on the way and left out, with the reason."""
    _, met = closure(case.curriculum, case.goal.targets, case.mastered, case.rules_out)
    return {topic: case.left_out(topic) for topic in sorted(met)}


def _taught_by_itself(curriculum: Curriculum, groups: Groups, targets: Iterable[str]) -> Groups:
    """The groups of targets that can come last. A target on which something else builds that must be known before the
    resource is taught by another one."""
    wanted = set(targets)
    needed_before: set[str] = set()
    own = []
    for group in reversed(groups):
        if wanted.isdisjoint(group) or not needed_before.isdisjoint(group):
            needed_before.update(other for topic in group for other in curriculum.topics[topic].requires)
        else:
            own.append(group)
    return own[::-1]


def _within_hours(case: Situation, plan: Plan, teachers: Teachers) -> Plan:
    """The plan, with shorter resources where the hours demand it."""
    limit = int((case.request.hours or 0) * 60)
    return paths.shortened(case, plan, teachers, limit) if case.request.hours and plan.minutes > limit else plan


def _kernels_before(curriculum: Curriculum, wanted: KernelLine) -> set[str]:
    """The kernels that a kernel builds on, directly or not."""
    found: set[str] = set()
    waiting = list(wanted.requires)
    while waiting:
        slug = waiting.pop()
        if slug in curriculum.kernels and slug not in found:
            found.add(slug)
            waiting += curriculum.kernels[slug].requires
    return found - {wanted.slug}


def _placed(case: Situation, plan: Plan, wanted: KernelLine, before: Collection[str]) -> Mapping[int, Sequence[str]]:
    """The kernel in the last step, and those it builds on after the steps that prepare for them."""
    taught = {topic for choice in plan.choices for topic in choice.topics}
    fitting = planner.kernels(case.curriculum, plan.choices, taught, case.mastered, case.goal.hardware)
    kernels = {at: [slug for slug in slugs if slug in before] for at, slugs in fitting.items()}
    last = len(plan.choices) - 1
    return {**kernels, last: [*kernels.get(last, ()), wanted.slug]}
