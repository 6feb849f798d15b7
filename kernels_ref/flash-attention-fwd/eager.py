"""What a torch user writes: scaled_dot_product_attention for the output, and one more product for the log-sum-exp."""

import torch
from torch.nn.functional import scaled_dot_product_attention

HEADS_AT_ONCE = 4  # scores of all heads together would not fit in the memory of a GPU


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool) -> dict[str, torch.Tensor]:
    """A query without keys has output 0 and lse -inf."""
    batch, heads, queries, _ = q.shape
    keys, group = k.shape[2], heads // k.shape[1]
    lse = torch.full((batch, heads, queries), float("-inf"), device=q.device)
    if keys == 0:
        return {"out": torch.zeros_like(q), "lse": lse}
    hidden = torch.ones(queries, keys, dtype=torch.bool, device=q.device).triu(keys - queries + 1)
    # The flag is_causal counts places from the start, so it serves only as many queries as keys.
    square = {"is_causal": True} if queries == keys else {"attn_mask": ~hidden}
    out = scaled_dot_product_attention(q, k, v, scale=scale, enable_gqa=group > 1, **(square if causal else {}))
    for b in range(batch):
        for h in range(0, heads, HEADS_AT_ONCE):
            shared = torch.arange(h, min(h + HEADS_AT_ONCE, heads), device=q.device) // group
            scores = q[b, h : h + HEADS_AT_ONCE].float() @ k[b, shared].float().mT * scale
            if causal:
                scores.masked_fill_(hidden, float("-inf"))
            lse[b, h : h + HEADS_AT_ONCE] = scores.logsumexp(dim=-1)
    return {"out": out, "lse": lse}
