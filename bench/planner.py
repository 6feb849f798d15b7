"""How long planning takes on large topic graphs: `python bench/planner.py` prints a table.

Random graphs with a seed; goals are the topics with the largest closures, so every time is a hard case.
"""

from __future__ import annotations

import random
import statistics
import time

from graph import planner
from graph.closure import closure
from graph.curriculum import Curriculum
from graph.models import Resource, Topic
from graph.planner import Teacher

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
    teachers = {slug: [Teacher(work, chance.random()) for work in chance.sample(works, 3)] for slug in made}
    return Curriculum(made, {}), teachers


def measure(topics: int, edges: int) -> str:
    """One row of the table."""
    curriculum, teachers = graph(topics, edges)
    times, sizes = [], []
    for number in range(topics - GOALS, topics):
        started = time.perf_counter()
        needed, _ = closure(curriculum, [f"t{number}"], ())
        groups = planner.order(curriculum, needed)
        planner.choose(curriculum, groups, teachers, None)
        times.append((time.perf_counter() - started) * 1000)
        sizes.append(len(needed))
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"| {topics:,} | {edges:,} | {statistics.median(sizes):,.0f} | {statistics.median(times):.1f} | {p95:.1f} |"


if __name__ == "__main__":
    print("| topics | edges | topics in the plan | p50 ms | p95 ms |\n| ---: | ---: | ---: | ---: | ---: |")
    print(measure(1_000, 20_000))
    print(measure(10_000, 200_000))
