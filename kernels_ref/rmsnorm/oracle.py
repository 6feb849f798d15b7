"""The truth of RMSNorm."""

import numpy as np
from numpy.typing import NDArray


def oracle(x: NDArray[np.float32], weight: NDArray[np.float32], eps: float) -> dict[str, NDArray[np.float64]]:
    """x * weight / sqrt(mean(x^2) + eps), token by token; a NaN or infinity makes its token follow IEEE."""
    x64 = x.astype(np.float64)
    mean_square = (x64 * x64).mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return {"out": x64 / np.sqrt(mean_square + eps) * weight.astype(np.float64)}
