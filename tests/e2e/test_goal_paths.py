"""Paths to goals, over all starter lists: straight to the goal first, and beyond it afterwards."""

from __future__ import annotations

import pytest

from graph.closure import closure
from graph.library import Library
from graph.models import PathRequest

GOALS = (
    PathRequest(goal="understand PagedAttention", know=("transformers",), hours=8),
    PathRequest(goal="flash attention", know=("cuda basics",), hours=25),
    PathRequest(goal="expert parallelism", hours=30),
    PathRequest(goal="parallel reduction", know=("C++",)),
)


@pytest.mark.parametrize("request_", GOALS, ids=lambda one: one.goal)
def test_what_leads_to_the_goal_comes_before_what_goes_beyond_it(starter: Library, request_: PathRequest) -> None:
    """More on a topic of the way may stand on the way."""
    path = starter.plan(request_)

    leading = {topic for step in path.steps if not step.beyond for topic in step.topics}
    reached = max(step.position for step in path.steps if not step.beyond)
    early = {topic for step in path.steps if step.beyond and step.position < reached for topic in step.topics}
    assert early <= leading
    assert any(step.beyond for step in path.steps if step.position > reached)


@pytest.mark.parametrize("request_", GOALS, ids=lambda one: one.goal)
def test_nothing_that_the_goal_needs_goes_beyond_it(starter: Library, request_: PathRequest) -> None:
    path, curriculum = starter.plan(request_), starter.curriculum
    known = {*path.known, *path.certificate.assumed}

    leading = {topic for step in path.steps if not step.beyond for topic in step.topics}
    assert closure(curriculum, path.targets, known)[0] <= leading | {one.topic for one in path.left_out}


def test_a_step_says_what_it_helps_with(starter: Library) -> None:
    """What is not needed but good to know before another step."""
    path = starter.plan(PathRequest(goal="flash attention", know=("cuda basics",), hours=25))
    helps = starter.curriculum.topics["flashattention"].helps

    reasons = {topic: step.reason for step in path.steps for topic in step.topics if topic in helps}
    assert reasons
    assert all(reason.startswith("Needed for") or helps[topic] in reason for topic, reason in reasons.items())
