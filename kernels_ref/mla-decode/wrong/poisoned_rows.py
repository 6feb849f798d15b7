"""Planted bug: scores of unused slots are masked, their rows are not: 0 * NaN is NaN."""

import torch


def run(
    q: torch.Tensor, kv: torch.Tensor, block_table: torch.Tensor, seq_lens: torch.Tensor, scale: float
) -> dict[str, torch.Tensor]:
    """Right as long as unused slots hold numbers."""
    out, lse = torch.zeros_like(q[..., :512]), torch.full(q.shape[:2], float("-inf"))
    for b, length in enumerate(seq_lens.tolist()):
        if length == 0:
            continue
        token = torch.arange(-(-length // kv.shape[1]) * kv.shape[1])
        rows = kv[block_table[b, token // kv.shape[1]], token % kv.shape[1]].float()
        scores = q[b].float() @ rows.mT * scale
        scores[:, length:] = float("-inf")
        lse[b] = scores.logsumexp(dim=-1)
        out[b] = ((scores - lse[b][:, None]).exp() @ rows[:, :512]).to(q.dtype)
    return {"out": out, "lse": lse}
