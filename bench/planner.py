"""How long planning takes on large topic graphs: `python -m bench.planner` prints a table.

Random graphs with a seed; goals are the topics with the largest closures, so every time is a hard case. p50 and p95 are
of whole plans; before them stand the medians of their parts, and the first plan of all: it reckons what is kept.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Mapping, Sequence

from graph import planner
from graph.closure import closure
from graph.curriculum import Curriculum
from graph.models import Resource, Topic
from graph.planner import Merits, Teacher

GOALS = 40
KINDS = ("blog", "paper", "video", "docs", "repo")


def graph(topics: int, edges: int, seed: int = 7) -> tuple[Curriculum, dict[str, list[Teacher]]]:
    """A graph with some pairs that need each other, three teachers a topic."""
    chance = random.Random(seed)
    requires: list[dict[str, str]] = [{} for _ in range(topics)]
    for _ in range(edges):
        low, high = sorted(chance.sample(range(topics), 2))
        requires[high][f"t{low}"] = "because"
    for low in chance.sample(range(topics - 1), topics // 100):  # pairs that need each other
        requires[low][f"t{low + 1}"] = requires[low + 1][f"t{low}"] = "because"
    made = {
        f"t{n}": Topic(slug=f"t{n}", name=f"t{n}", level=1 + n * 5 // topics, requires=needed)
        for n, needed in enumerate(requires)
    }
    works = [Resource(id=f"r{n}", title=f"r{n}", kind=KINDS[n % len(KINDS)]) for n in range(2 * topics)]
    # Direct enough, all of them, that none is left out of the comparison.
    teachers = {slug: [Teacher(work, chance.uniform(0.7, 1.5)) for work in chance.sample(works, 3)] for slug in made}
    return Curriculum(made, {}), teachers


def measure(topics: int, edges: int) -> str:
    """One row of the table."""
    curriculum, teachers = graph(topics, edges)
    _, first = _plan(curriculum, teachers, "t0")  # a small plan, and all that is kept for later ones
    sizes, times = zip(*(_plan(curriculum, teachers, f"t{n}") for n in range(topics - GOALS, topics)), strict=True)
    parts = [statistics.median(part) * 1000 for part in zip(*times, strict=True)]
    whole = [sum(parts) * 1000 for parts in times]
    figures = [sum(first) * 1000, *parts, statistics.median(whole), statistics.quantiles(whole, n=20)[-1]]
    cells = [f"{topics:,}", f"{edges:,}", f"{statistics.median(sizes):,.0f}", *(f"{ms:.1f}" for ms in figures)]
    return f"| {' | '.join(cells)} |"


def _plan(
    curriculum: Curriculum, teachers: Mapping[str, Sequence[Teacher]], goal: str
) -> tuple[int, tuple[float, ...]]:
    """How many topics a plan holds, and the seconds that its closure, its order and its choices take."""
    begun = time.perf_counter()
    needed, _ = closure(curriculum, [goal], ())
    closed = time.perf_counter()
    groups = planner.order(curriculum, needed)
    ordered = time.perf_counter()
    planner.choose(Merits(curriculum, None), groups, teachers)
    return len(needed), (closed - begun, ordered - closed, time.perf_counter() - ordered)


if __name__ == "__main__":
    heads = ("topics", "edges", "topics in the plan", "first", "closure", "order", "choice", "p50 ms", "p95 ms")
    print(f"| {' | '.join(heads)} |\n|{' ---: |' * len(heads)}")
    print(measure(1_000, 20_000))
    print(measure(10_000, 200_000))
