"""Measures of one ranking. `found` holds the grade of each result in order, 0 for what answers nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import log2

GOOD = 2  # grade from which a result answers on its own


def ndcg(found: Sequence[int], wanted: Collection[int], at: int = 10) -> float:
    """Discounted cumulative gain against the best order there is, 0 to 1; a grade g gains 2^g - 1.

    Järvelin & Kekäläinen 2002, https://doi.org/10.1145/582415.582418; gains of Burges et al. 2005.
    """
    best = _gain(sorted(wanted, reverse=True)[:at])
    return _gain(found[:at]) / best if best else 0.0


def reciprocal_rank(found: Sequence[int]) -> float:
    """One over the rank of the first result that answers; 0 if there is none."""
    return next((1 / rank for rank, grade in enumerate(found, 1) if grade), 0.0)


def recall(found: Sequence[int], wanted: Collection[int], at: int) -> float:
    """The part of the works wanted that the first results hold."""
    return sum(map(bool, found[:at])) / len(wanted) if wanted else 0.0


def good_first(found: Sequence[int]) -> float:
    """1 if the very first result answers on its own, else 0."""
    return float(bool(found) and found[0] >= GOOD)


def _gain(grades: Sequence[int]) -> float:
    return sum((2.0**grade - 1) / log2(rank + 1) for rank, grade in enumerate(grades, 1))
