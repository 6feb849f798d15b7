"""Planted bug: scores leave out the rotary columns."""

import torch


def run(
    q: torch.Tensor, kv: torch.Tensor, block_table: torch.Tensor, seq_lens: torch.Tensor, scale: float
) -> dict[str, torch.Tensor]:
    """Places of tokens do not matter to it."""
    out, lse = torch.zeros_like(q[..., :512]), torch.full(q.shape[:2], float("-inf"))
    for b, length in enumerate(seq_lens.tolist()):
        if length == 0:
            continue
        token = torch.arange(length)
        rows = kv[block_table[b, token // kv.shape[1]], token % kv.shape[1]].float()
        scores = q[b, :, :512].float() @ rows[:, :512].mT * scale
        lse[b] = scores.logsumexp(dim=-1)
        out[b] = ((scores - lse[b][:, None]).exp() @ rows[:, :512]).to(q.dtype)
    return {"out": out, "lse": lse}
