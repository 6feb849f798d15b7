"""What a torch user writes: gather the pages into one padded tensor, then attend with a mask."""

import torch


def run(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_table: torch.Tensor,
    seq_lens: torch.Tensor,
    scale: float,
) -> dict[str, torch.Tensor]:
    """Every sequence is gathered at full length; a sequence of length 0 has output 0 and lse -inf."""
    (batch, heads, d), (pages, page, key_heads, _) = q.shape, k_cache.shape
    tokens = torch.arange(block_table.shape[1] * page, device=q.device)
    seen = tokens < seq_lens[:, None]
    table = block_table.clamp(0, pages - 1).long()
    k, v = (cache[table].reshape(batch, -1, key_heads, d) for cache in (k_cache, v_cache))
    v = v.masked_fill(~seen[..., None, None], 0.0)
    grouped = q.view(batch, key_heads, heads // key_heads, d)
    scores = torch.einsum("bkgd,btkd->bkgt", grouped.float(), k.float()) * scale
    scores = scores.masked_fill(~seen[:, None, None], float("-inf"))
    lse = scores.logsumexp(dim=-1)
    weights = (scores - lse.clamp(min=-1e30)[..., None]).exp().to(v.dtype)
    out = torch.einsum("bkgt,btkd->bkgd", weights, v)
    return {"out": out.reshape(q.shape), "lse": lse.reshape(batch, heads)}
