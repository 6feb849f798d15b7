"""Planted bug: the value is taken from the last 512 columns, rotary ones included."""

import torch


def run(
    q: torch.Tensor, kv: torch.Tensor, block_table: torch.Tensor, seq_lens: torch.Tensor, scale: float
) -> dict[str, torch.Tensor]:
    """Right scores, wrong values."""
    out, lse = torch.zeros_like(q[..., :512]), torch.full(q.shape[:2], float("-inf"))
    for b, length in enumerate(seq_lens.tolist()):
        if length == 0:
            continue
        token = torch.arange(length)
        rows = kv[block_table[b, token // kv.shape[1]], token % kv.shape[1]].float()
        scores = q[b].float() @ rows.mT * scale
        lse[b] = scores.logsumexp(dim=-1)
        out[b] = ((scores - lse[b][:, None]).exp() @ rows[:, 64:]).to(q.dtype)
    return {"out": out, "lse": lse}
