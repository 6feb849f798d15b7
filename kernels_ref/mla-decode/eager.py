"""What a torch user writes: gather the pages into one padded tensor, then attend with a mask."""

import torch

VALUE_WIDTH = 512


def run(
    q: torch.Tensor, kv: torch.Tensor, block_table: torch.Tensor, seq_lens: torch.Tensor, scale: float
) -> dict[str, torch.Tensor]:
    """Every sequence is gathered at full length; a sequence of length 0 has output 0 and lse -inf."""
    tokens = torch.arange(block_table.shape[1] * kv.shape[1], device=q.device)
    seen = tokens < seq_lens[:, None]
    rows = kv[block_table.clamp(0, kv.shape[0] - 1).long()].flatten(1, 2)
    rows = rows.masked_fill(~seen[..., None], 0.0)
    scores = torch.einsum("bhd,btd->bht", q.float(), rows.float()) * scale
    scores = scores.masked_fill(~seen[:, None], float("-inf"))
    lse = scores.logsumexp(dim=-1)
    weights = (scores - lse.clamp(min=-1e30)[..., None]).exp().to(rows.dtype)
    return {"out": torch.einsum("bht,btd->bhd", weights, rows[..., :VALUE_WIDTH]), "lse": lse}
