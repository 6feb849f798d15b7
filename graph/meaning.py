"""How near a text is in meaning to each topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.names import slug_of
from graph.records import Vector


@dataclass(frozen=True)
class TopicVectors:
    """The vectors of all topics in one matrix. A topic is as near as the nearest of its texts."""

    slugs: tuple[str, ...]
    rows: NDArray[np.float32]  # shape (texts, dimension)
    starts: NDArray[np.intp]  # the first row of each topic

    @classmethod
    def of(cls, vectors: Mapping[str, Vector], dimension: int) -> TopicVectors:
        """From the stored vectors of topics, by node id."""
        parts = [vector.rows(dimension) for vector in vectors.values()]
        starts = np.cumsum([0, *map(len, parts)])[:-1].astype(np.intp)
        rows = np.concatenate(parts) if parts else np.empty((0, dimension), np.float32)
        return cls(tuple(map(slug_of, vectors)), rows, starts)

    def likeness(self, vector: NDArray[np.float32]) -> dict[str, float]:
        """Cosine of a vector of length 1 to every topic, by slug."""
        if not self.slugs:
            return {}
        cosines = np.maximum.reduceat(np.vecdot(self.rows, vector), self.starts)  # too small to wake BLAS threads for
        return dict(zip(self.slugs, cosines.tolist(), strict=True))
