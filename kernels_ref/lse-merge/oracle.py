"""The truth of merging partial softmax sums."""

import numpy as np
from numpy.typing import NDArray


def oracle(o: NDArray[np.float32], lse: NDArray[np.float32]) -> dict[str, NDArray[np.float64]]:
    """Weighs each part by the share of its sum, exp(lse) over the total.

    A part with lse = -inf saw no keys: it is left out, whatever its output holds. With no keys at all the
    result is the identity of the merge, output 0 and lse -inf.
    """
    lse64 = lse.astype(np.float64)
    top = lse64.max(axis=0)
    empty = np.isneginf(top)
    weights = np.exp(lse64 - np.where(empty, 0.0, top))
    total = weights.sum(axis=0)
    seen = np.where((weights > 0)[..., None], o.astype(np.float64), 0.0)
    out = (weights[..., None] * seen).sum(axis=0) / np.where(empty, 1.0, total)[:, None]
    with np.errstate(divide="ignore"):
        return {"out": out, "lse_out": np.where(empty, -np.inf, top + np.log(total))}
