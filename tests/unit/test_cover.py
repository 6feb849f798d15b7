"""The cheapest set of resources is as cheap as any."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from graph.cover import cheapest_cover


def brute_force(options: dict[int, list[str]], cost: dict[str, int]) -> int:
    """The least cost over all sets of resources."""
    ids = sorted(cost)
    sets = (set(some) for size in range(len(ids) + 1) for some in combinations(ids, size))
    covering = (some for some in sets if all(not group or some & set(group) for group in options.values()))
    return min(sum(cost[id] for id in some) for some in covering)


@pytest.mark.parametrize("seed", range(500))
def test_the_cost_equals_that_of_trying_every_set(seed: int) -> None:
    chance = random.Random(seed)
    resources = [f"r{number}" for number in range(chance.randint(1, 9))]
    cost = {id: chance.choice([10, 15, 20, 30, 45, 60, 75, 90, 180]) for id in resources}
    topics = range(chance.randint(1, 14))
    options = {topic: chance.sample(resources, chance.randint(0, min(4, len(resources)))) for topic in topics}

    chosen = cheapest_cover(options, cost)

    assert all(not group or chosen & set(group) for group in options.values())
    assert sum(cost[id] for id in chosen) == brute_force(options, cost)


def test_nothing_to_cover_costs_nothing() -> None:
    assert cheapest_cover({}, {}) == set()
