"""Facets: how many of the resources that answer have each value, counted over the fields of the index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from graph.curriculum import Curriculum
from graph.models import FacetCount, FacetField

SHOWN = 20  # values of a field, the most frequent


def count(points: Iterable[Mapping[str, Any]], curriculum: Curriculum) -> dict[FacetField, tuple[FacetCount, ...]]:
    """The counts of each field, highest first; a field that no point has is left out."""
    points = list(points)
    people = {slug: name for point in points for slug, name in zip(point["author"], point["by"], strict=True)}
    names: dict[str, Mapping[str, str]] = {
        "topic": {slug: topic.name for slug, topic in curriculum.topics.items()},
        "hardware": {slug: node.name for slug, node in curriculum.hardware.items()},
        "author": people,
    }
    found: dict[FacetField, tuple[FacetCount, ...]] = {}
    for field in get_args(FacetField):
        counted = Counter(value for point in points for value in _values(point[field]))
        most = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))[:SHOWN]
        if most:
            called = names.get(field, {})
            found[field] = tuple(FacetCount(value=v, name=called.get(v, v), count=n) for v, n in most)
    return found


def _values(held: object) -> set[str]:
    """The values of a field, which holds one, several or none."""
    if isinstance(held, list):
        return set(map(str, held))
    return set() if held is None else {str(held)}
