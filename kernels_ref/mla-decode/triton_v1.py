"""Step 1: one program a sequence and head, so every latent row is read once for each head."""

import torch
import triton
import triton.language as tl

LATENT, ROTARY = 512, 64  # the columns of a row: the first are key and value, the last are key only


@triton.jit
def decode(
    q, kv, block_table, seq_lens, out, lse, scale, H, MP,
    LATENT: tl.constexpr, ROTARY: tl.constexpr, PS: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """576 is no power of two: a row is loaded as its latent part and its rotary part."""
    b, head = tl.program_id(0), tl.program_id(1)
    width = LATENT + ROTARY
    columns, rotary = tl.arange(0, LATENT), LATENT + tl.arange(0, ROTARY)
    length = tl.load(seq_lens + b)
    query = tl.load(q + (b * H + head) * width + columns).to(tl.float32)
    query_rotary = tl.load(q + (b * H + head) * width + rotary).to(tl.float32)
    top, total, mean = float("-inf"), 0.0, tl.zeros((LATENT,), tl.float32)
    for start in range(0, length, BLOCK_N):
        token = start + tl.arange(0, BLOCK_N)
        seen = token < length
        page = tl.load(block_table + b * MP + token // PS, mask=seen, other=0).to(tl.int64)
        at = (page * PS + token % PS)[:, None] * width
        latent = tl.load(kv + at + columns, mask=seen[:, None], other=0.0).to(tl.float32)
        key_rotary = tl.load(kv + at + rotary, mask=seen[:, None], other=0.0).to(tl.float32)
        scores = (tl.sum(query * latent, 1) + tl.sum(query_rotary * key_rotary, 1)) * scale
        scores = tl.where(seen, scores, float("-inf"))
        new_top = tl.maximum(top, tl.max(scores, 0))
        weights = tl.exp(scores - new_top)
        shrink = tl.exp(top - new_top)
        total = total * shrink + tl.sum(weights, 0)
        mean = mean * shrink + tl.sum(weights[:, None] * latent, 0)
        top = new_top
    filled = tl.where(total == 0.0, 1.0, total)  # a sequence of length 0 never entered the loop
    tl.store(out + (b * H + head) * LATENT + columns, (mean / filled).to(out.dtype.element_ty))
    tl.store(lse + b * H + head, top + tl.log(filled))


def run(
    q: torch.Tensor, kv: torch.Tensor, block_table: torch.Tensor, seq_lens: torch.Tensor, scale: float
) -> dict[str, torch.Tensor]:
    """A sequence of length 0 has output 0 and lse -inf."""
    batch, heads, _ = q.shape
    out = torch.empty((batch, heads, LATENT), dtype=q.dtype, device=q.device)
    lse = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    decode[(batch, heads)](
        q, kv, block_table, seq_lens, out, lse, scale, heads, block_table.shape[1],
        LATENT=LATENT, ROTARY=ROTARY, PS=kv.shape[1], BLOCK_N=16, num_warps=8,
    )  # fmt: skip
    return {"out": out, "lse": lse}
