"""Planted bug: pages are taken in the order in which they lie in memory."""

import torch


def run(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_table: torch.Tensor,
    seq_lens: torch.Tensor,
    scale: float,
) -> dict[str, torch.Tensor]:
    """Right only for a cache that was never shared or freed."""
    (_, heads, _), (_, page, key_heads, _) = q.shape, k_cache.shape
    out, lse = torch.zeros_like(q), torch.full(q.shape[:2], float("-inf"))
    for b, length in enumerate(seq_lens.tolist()):
        if length == 0:
            continue
        token = torch.arange(length)
        k, v = (
            cache[b * block_table.shape[1] + token // page, token % page]
            .float()
            .repeat_interleave(heads // key_heads, dim=1)
            for cache in (k_cache, v_cache)
        )
        scores = torch.einsum("hd,thd->ht", q[b].float(), k) * scale
        lse[b] = scores.logsumexp(dim=-1)
        out[b] = torch.einsum("ht,thd->hd", (scores - lse[b][:, None]).exp(), v).to(q.dtype)
    return {"out": out, "lse": lse}
