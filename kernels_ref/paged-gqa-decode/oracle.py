"""The truth of decoding over a paged cache."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def oracle(
    q: NDArray[np.float32],
    k_cache: NDArray[np.float32],
    v_cache: NDArray[np.float32],
    block_table: NDArray[np.int32],
    seq_lens: NDArray[np.int32],
    scale: float,
) -> dict[str, Array]:
    """Gathers each sequence's tokens, then attends; query head h reads key head h // (HQ / HK).

    Only tokens below the sequence's length are read. A sequence of length 0 has output 0 and lse -inf.
    """
    heads, page = q.shape[1], k_cache.shape[1]
    group = heads // k_cache.shape[2]
    out, lse = np.zeros(q.shape), np.full(q.shape[:2], -np.inf)
    for b, length in enumerate(seq_lens):
        if length == 0:
            continue
        token = np.arange(length)
        where = block_table[b, token // page], token % page
        for h in range(heads):
            k, v = (cache[where][:, h // group].astype(np.float64) for cache in (k_cache, v_cache))
            scores = k @ q[b, h].astype(np.float64) * scale
            weights = np.exp(scores - scores.max())
            out[b, h] = weights @ v / weights.sum()
            lse[b, h] = scores.max() + np.log(weights.sum())
    return {"out": out, "lse": lse}
