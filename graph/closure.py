"""What a topic builds on: the AND-closure of its prerequisites. One shortest path would miss most of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from graph.curriculum import Curriculum


def closure(
    curriculum: Curriculum,
    targets: Iterable[str],
    known: Collection[str],
    without: Callable[[str], bool] = lambda _: False,
) -> tuple[set[str], set[str]]:
    """Every topic needed for the targets, and those met on the way that are left out: known, or ruled out.

    What is left out is not followed further, so that what only it needs is left out as well. A target is never dropped:
    it was asked for.
    """
    needed: set[str] = set()
    met: set[str] = set()
    new = set(targets)
    while new:
        needed |= new
        below = set().union(*(curriculum.needs[slug] for slug in new)) - needed - met
        left_out = {slug for slug in below if slug in known or without(slug)}
        met |= left_out
        new = below - left_out
    return needed, met


def mastered(curriculum: Curriculum, known: Iterable[str]) -> frozenset[str]:
    """What is known, with everything that it requires: who knows a topic knows what it builds on."""
    return frozenset(closure(curriculum, known, ())[0])
