"""Means with how far chance may have moved them, by system and group, and what lies between two systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from graph.models import Value

RESAMPLES = 2000
SEED = 7  # the same figures give the same interval
CONFIDENCE = 0.95
ALL = "all"

Measures = Mapping[str, float]  # by name


class Estimate(Value):
    """A mean and the interval around it that holds the true one with a confidence of 95 %."""

    mean: float
    low: float
    high: float


class Row(Value):
    """What one system reaches on one group of cases."""

    group: str
    system: str
    cases: int
    measures: dict[str, Estimate]


class Lead(Value):
    """How much the first system is better than another, case by case, on all cases."""

    over: str
    measures: dict[str, Estimate]


class Case(Value):
    """One query or goal: its group, and what each system reached on it."""

    id: str
    group: str
    text: str
    measures: dict[str, dict[str, float]]  # by system, by measure


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of some cases with its percentile bootstrap interval over the cases.

    Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 13.
    """
    held = np.asarray(values, dtype=float)
    picks = np.random.default_rng(SEED).integers(len(held), size=(RESAMPLES, len(held)))
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(held[picks].mean(axis=1), (tail, 100 - tail))
    return Estimate(mean=round(float(held.mean()), 4), low=round(float(low), 4), high=round(float(high), 4))


def rows(cases: Sequence[Case]) -> tuple[Row, ...]:
    """Every system on all cases, then on each group of them."""
    groups = [ALL, *sorted({case.group for case in cases if case.group != ALL})]
    return tuple(row for group in groups for row in _rows(group, [c for c in cases if group in (ALL, c.group)]))


def leads(cases: Sequence[Case]) -> tuple[Lead, ...]:
    """What the first system is ahead of each other one, paired by case."""
    first, *others = cases[0].measures
    return tuple(
        Lead(over=other, measures=_estimates([_difference(c.measures[first], c.measures[other]) for c in cases]))
        for other in others
    )


def _rows(group: str, cases: Sequence[Case]) -> list[Row]:
    return [
        Row(group=group, system=name, cases=len(cases), measures=_estimates([case.measures[name] for case in cases]))
        for name in cases[0].measures
    ]


def _estimates(measured: Sequence[Measures]) -> dict[str, Estimate]:
    return {name: estimate([one[name] for one in measured]) for name in measured[0]}


def _difference(one: Measures, other: Measures) -> Measures:
    return {name: one[name] - other[name] for name in one}
