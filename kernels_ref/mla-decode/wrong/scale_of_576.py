"""Planted bug: scores are scaled for the 576 columns that are multiplied, not for the head of 192 before absorption."""

import torch


def run(
    q: torch.Tensor, kv: torch.Tensor, block_table: torch.Tensor, seq_lens: torch.Tensor, scale: float
) -> dict[str, torch.Tensor]:
    """The scale given is ignored."""
    out, lse = torch.zeros_like(q[..., :512]), torch.full(q.shape[:2], float("-inf"))
    for b, length in enumerate(seq_lens.tolist()):
        if length == 0:
            continue
        token = torch.arange(length)
        rows = kv[block_table[b, token // kv.shape[1]], token % kv.shape[1]].float()
        scores = q[b].float() @ rows.mT * q.shape[-1] ** -0.5
        lse[b] = scores.logsumexp(dim=-1)
        out[b] = ((scores - lse[b][:, None]).exp() @ rows[:, :512]).to(q.dtype)
    return {"out": out, "lse": lse}
