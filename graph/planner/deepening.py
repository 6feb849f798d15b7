"""Further resources on what a plan teaches, while there is time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from graph.curriculum import Curriculum
from graph.planner.merits import presupposed, surely_about
from graph.planner.plans import Choice
from graph.planner.teachers import Teacher, Teachers

MOST_MORE = 2  # further resources on one step's topics


def deepen(
    curriculum: Curriculum,
    choices: Sequence[Choice],
    candidates: Iterable[Teacher],
    teachers: Teachers,
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
