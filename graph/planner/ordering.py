"""The order in which topics are learned: each after what it builds on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from heapq import heappop, heappush

import rustworkx as rx

from graph.curriculum import Curriculum
from graph.planner.plans import Groups
from graph.prerequisites import Group


def order(curriculum: Curriculum, needed: Collection[str]) -> Groups:
    """Groups of topics so that every prerequisite comes before what needs it.

    Kahn's algorithm over the strongly connected components. Among those that may come next, the easier comes first, of
    equals one of the area just left, then by name: the same input always gives the same order.
    """
    graph = curriculum.prerequisites.among(needed)
    nodes = sorted(graph.node_indices(), key=graph.__getitem__)
    rank = {node: at for at, node in enumerate(nodes)}
    groups = [graph[node] for node in nodes]
    sorter = rx.TopologicalSorter(graph, check_cycle=False)
    ready: list[int] = []  # heap of all that may come next
    ready_in: dict[str, list[int]] = defaultdict(list)  # the same by area; what one heap gave is stale in the other
    here: list[int] = []
    ordered: dict[int, tuple[str, ...]] = {}
    while sorter.is_active():
        for free in map(rank.__getitem__, sorter.get_ready()):
            heappush(ready, free)
            heappush(ready_in[groups[free].area], free)
        at = _next(groups, here, ready, ordered)
        ordered[at] = groups[at].topics
        here = ready_in[groups[at].area]
        sorter.done(nodes[at])
    return list(ordered.values())


def _next(groups: Sequence[Group], here: list[int], anywhere: list[int], done: Collection[int]) -> int:
    """The easiest that is not done yet; of equals one of the same area, if there is one."""
    for heap in (here, anywhere):
        while heap and heap[0] in done:
            heappop(heap)
    stays = here and groups[here[0]].level == groups[anywhere[0]].level
    return heappop(here if stays else anywhere)
