"""Planted bug: query heads take key heads in turn, h mod HK, where h // (HQ / HK) is meant."""

import torch


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool) -> dict[str, torch.Tensor]:
    """Right with one key head, and with as many key heads as query heads."""
    queries, keys, group = q.shape[2], k.shape[2], q.shape[1] // k.shape[1]
    k, v = (x.float().repeat(1, group, 1, 1) for x in (k, v))
    hidden = torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1) & causal
    scores = (q.float() @ k.mT * scale).masked_fill(hidden, float("-inf"))
    lse = torch.logsumexp(scores, dim=-1)
    weights = torch.exp(scores - lse[..., None])
    return {"out": (weights @ v).to(q.dtype), "lse": lse}
