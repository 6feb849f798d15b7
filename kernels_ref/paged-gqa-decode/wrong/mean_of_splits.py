"""Planted bug: two splits are averaged, not weighed by the sums of their exponentials."""

import torch


def run(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_table: torch.Tensor,
    seq_lens: torch.Tensor,
    scale: float,
) -> dict[str, torch.Tensor]:
    """Right where both halves happen to have equal sums."""
    (_, heads, _), (_, page, key_heads, _) = q.shape, k_cache.shape
    out, lse = torch.zeros_like(q), torch.full(q.shape[:2], float("-inf"))
    for b, length in enumerate(seq_lens.tolist()):
        if length == 0:
            continue
        token = torch.arange(length)
        k, v = (
            cache[block_table[b, token // page], token % page].float().repeat_interleave(heads // key_heads, dim=1)
            for cache in (k_cache, v_cache)
        )
        scores = torch.einsum("hd,thd->ht", q[b].float(), k) * scale
        lse[b] = scores.logsumexp(dim=-1)
        halves = [slice(0, (length + 1) // 2), slice((length + 1) // 2, length)]
        parts = [torch.einsum("ht,thd->hd", scores[:, half].softmax(dim=-1), v[half]) for half in halves]
        out[b] = (sum(parts) / 2).to(q.dtype)
    return {"out": out, "lse": lse}
