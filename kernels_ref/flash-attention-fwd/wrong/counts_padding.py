"""Planted bug: the last tile of keys is filled up with zeros, and each zero key weighs exp(0)."""

import torch
from torch.nn.functional import pad


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool) -> dict[str, torch.Tensor]:
    """Tiles of 16 keys; only the causal mask is applied."""
    queries, keys, group = q.shape[2], k.shape[2], q.shape[1] // k.shape[1]
    k, v = (pad(x.float().repeat_interleave(group, dim=1), (0, 0, 0, -keys % 16)) for x in (k, v))
    scores = q.float() @ k.mT * scale
    if causal:
        hidden = torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1)
        scores[..., :keys].masked_fill_(hidden, float("-inf"))
    lse = torch.logsumexp(scores, dim=-1)
    weights = torch.exp(scores - lse[..., None])
    return {"out": (weights @ v).to(q.dtype), "lse": lse}
