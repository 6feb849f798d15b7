"""The truth of vector addition."""

import numpy as np
from numpy.typing import NDArray


def oracle(a: NDArray[np.float32], b: NDArray[np.float32]) -> dict[str, NDArray[np.float64]]:
    """out[i] = a[i] + b[i]; a sum of two floats rounds to the same float32 by way of float64."""
    return {"out": a.astype(np.float64) + b.astype(np.float64)}
