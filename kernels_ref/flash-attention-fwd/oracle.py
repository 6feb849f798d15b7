"""The truth of attention."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def oracle(
    q: NDArray[np.float32], k: NDArray[np.float32], v: NDArray[np.float32], scale: float, causal: bool
) -> dict[str, Array]:
    """softmax(q k^T * scale) v for each sequence and head; query head h reads key head h // (HQ / HK).

    Causal places are counted from the end: query i sees key j if j - SK <= i - SQ. A query without keys has
    output 0 and lse -inf.
    """
    batch, heads, queries, _ = q.shape
    keys, group = k.shape[2], heads // k.shape[1]
    hidden = np.zeros((queries, keys), dtype=bool)
    if causal:
        hidden = np.arange(keys)[None, :] - keys > np.arange(queries)[:, None] - queries
    out, lse = np.zeros(q.shape), np.full((batch, heads, queries), -np.inf)
    for b in range(batch):
        for h in range(heads):
            scores = q[b, h].astype(np.float64) @ k[b, h // group].astype(np.float64).T * scale
            scores[hidden] = -np.inf
            out[b, h], lse[b, h] = _attend(scores, v[b, h // group].astype(np.float64))
    return {"out": out, "lse": lse}


def _attend(scores: Array, v: Array) -> tuple[Array, Array]:
    top = scores.max(axis=1, initial=-np.inf)
    weights = np.exp(scores - np.where(np.isneginf(top), 0.0, top)[:, None])
    total = weights.sum(axis=1)
    with np.errstate(divide="ignore"):
        lse = np.where(total > 0, top + np.log(total), -np.inf)
    return weights @ v / np.where(total > 0, total, 1.0)[:, None], lse
