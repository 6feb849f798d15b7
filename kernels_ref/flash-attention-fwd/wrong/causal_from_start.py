"""Planted bug: causal places are counted from the first key, so extra keys in front are lost."""

import torch


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool) -> dict[str, torch.Tensor]:
    """Right as long as there are as many queries as keys."""
    queries, keys, group = q.shape[2], k.shape[2], q.shape[1] // k.shape[1]
    k, v = (x.float().repeat_interleave(group, dim=1) for x in (k, v))
    hidden = torch.ones(queries, keys, dtype=torch.bool).triu(1) & causal
    scores = (q.float() @ k.mT * scale).masked_fill(hidden, float("-inf"))
    lse = torch.logsumexp(scores, dim=-1)
    weights = torch.exp(scores - lse[..., None])
    return {"out": (weights @ v).to(q.dtype), "lse": lse}
