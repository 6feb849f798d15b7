"""The truth of decoding over a latent cache."""

import numpy as np
from numpy.typing import NDArray

VALUE_WIDTH = 512


def oracle(
    q: NDArray[np.float32],
    kv: NDArray[np.float32],
    block_table: NDArray[np.int32],
    seq_lens: NDArray[np.int32],
    scale: float,
) -> dict[str, NDArray[np.float64]]:
    """All heads of a sequence share its cache rows: a whole row is the key, its first 512 columns the value.

    Only tokens below the sequence's length are read. A sequence of length 0 has output 0 and lse -inf.
    """
    batch, heads, _ = q.shape
    out, lse = np.zeros((batch, heads, VALUE_WIDTH)), np.full((batch, heads), -np.inf)
    for b, length in enumerate(seq_lens):
        if length == 0:
            continue
        token = np.arange(length)
        rows = kv[block_table[b, token // kv.shape[1]], token % kv.shape[1]].astype(np.float64)
        scores = q[b].astype(np.float64) @ rows.T * scale
        top = scores.max(axis=1, keepdims=True)
        weights = np.exp(scores - top)
        total = weights.sum(axis=1, keepdims=True)
        out[b] = weights / total @ rows[:, :VALUE_WIDTH]
        lse[b] = (top + np.log(total))[:, 0]
    return {"out": out, "lse": lse}
