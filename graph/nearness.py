"""How near topics stand to each other in the graph: what one would learn next to a goal, whatever it is called.

Personalised PageRank (Haveliwala 2002, https://doi.org/10.1145/511446.511513): a walk from the goal's topics along
prerequisites and areas, either way, that often starts anew. Topics that everything leads to are damped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.models import Topic

START_ANEW = 0.35  # chance that a walk goes back to where it began
ROUNDS = 30  # what is left of the first guess after them is nothing: 0.65 to the power of 30


@dataclass(frozen=True)
class Nearness:
    """The walk's edges: arrays of one length, both directions."""

    place: Mapping[str, int]  # slug -> number
    source: NDArray[np.intp]
    target: NDArray[np.intp]
    chance: NDArray[np.float64]  # of the edge, of all that leave its source

    @classmethod
    def of(cls, topics: Iterable[Topic]) -> Nearness:
        """From each topic's prerequisites, co-requisites and area."""
        pairs = [
            (t.slug, other) for t in topics for other in (*t.requires, *t.helps, *t.corequisites, t.parent) if other
        ]
        place = {slug: number for number, slug in enumerate(sorted({slug for pair in pairs for slug in pair}))}
        one_way = np.array([(place[a], place[b]) for a, b in pairs], dtype=np.intp).reshape(-1, 2)
        source, target = np.concatenate([one_way, one_way[:, ::-1]]).T
        weight = 1 / np.sqrt(np.bincount(target, minlength=len(place)))[target]
        total = np.bincount(source, weights=weight, minlength=len(place))
        return cls(place, source, target, weight / total[source])

    def to(self, slugs: Collection[str]) -> dict[str, float]:
        """How near each topic is to some, 0 to 1 for the nearest of the others; topics without edges are absent."""
        begun = np.zeros(len(self.place))
        begun[[self.place[slug] for slug in slugs if slug in self.place]] = 1 / max(1, len(slugs))
        share = begun
        for _ in range(ROUNDS):
            step = np.bincount(self.target, weights=share[self.source] * self.chance, minlength=len(begun))
            share = START_ANEW * begun + (1 - START_ANEW) * step
        most = float(np.max(share, where=begun == 0, initial=0.0)) or 1.0
        return {slug: float(min(1.0, share[at] / most)) ** 0.5 for slug, at in self.place.items()}
