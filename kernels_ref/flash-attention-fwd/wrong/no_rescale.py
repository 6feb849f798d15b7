"""Planted bug: when the maximum moves, the sum is rescaled and the output so far is not."""

import torch


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool) -> dict[str, torch.Tensor]:
    """Keys in tiles of 16."""
    queries, keys, group = q.shape[2], k.shape[2], q.shape[1] // k.shape[1]
    k, v = (x.float().repeat_interleave(group, dim=1) for x in (k, v))
    hidden = torch.ones(queries, keys, dtype=torch.bool).triu(keys - queries + 1) & causal
    top, total = torch.full((*q.shape[:3], 1), float("-inf")), torch.zeros(*q.shape[:3], 1)
    out = torch.zeros(q.shape)
    for start in range(0, keys, 16):
        tile = slice(start, start + 16)
        scores = (q.float() @ k[:, :, tile].mT * scale).masked_fill(hidden[:, tile], float("-inf"))
        new_top = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
        weights = torch.exp(scores - new_top)
        total = total * torch.exp(top - new_top) + weights.sum(dim=-1, keepdim=True)
        out = out + weights @ v[:, :, tile]
        top = new_top
    return {"out": (out / total.clamp(min=1e-30)).to(q.dtype), "lse": (top + total.log())[..., 0]}
