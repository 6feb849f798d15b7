"""How near topics stand in the graph."""

from __future__ import annotations

from graph.models import Topic
from graph.nearness import Nearness


def topic(slug: str, *requires: str, parent: str | None = None) -> Topic:
    return Topic(slug=slug, name=slug, requires=dict.fromkeys(requires, "why"), parent=parent)


# attention <- flash <- decode; attention <- cache; chips stands apart with wafer.
TOPICS = [
    topic("attention"),
    topic("flash", "attention"),
    topic("decode", "flash"),
    topic("cache", "attention"),
    topic("wafer"),
    topic("chips", "wafer"),
]


def test_neighbours_are_nearer_than_their_neighbours() -> None:
    near = Nearness.of(TOPICS).to(["decode"])

    assert near["flash"] > near["attention"] > near["cache"] > 0


def test_the_nearest_of_the_others_has_nearness_one() -> None:
    near = Nearness.of(TOPICS).to(["decode"])

    assert max(value for slug, value in near.items() if slug != "decode") == 1


def test_nothing_is_near_without_a_way() -> None:
    near = Nearness.of(TOPICS).to(["decode"])

    assert near["chips"] == near["wafer"] == 0


def test_what_everything_leads_to_is_damped() -> None:
    hub = [topic("hub"), topic("goal", "hub", "quiet"), topic("quiet"), *(topic(f"leaf-{n}", "hub") for n in range(20))]
    near = Nearness.of(hub).to(["goal"])

    assert near["quiet"] > near["hub"]


def test_an_unknown_goal_and_an_empty_graph_have_no_neighbours() -> None:
    assert set(Nearness.of(TOPICS).to(["nothing"]).values()) == {0.0}
    assert Nearness.of([]).to(["nothing"]) == {}
