"""Step 2: sixteen heads a program share each latent row, on tensor cores."""

import os

import torch
import triton
import triton.language as tl

UPCAST = os.environ.get("TRITON_INTERPRET") == "1"  # the interpreter computes on the bits of bf16
LATENT, ROTARY = 512, 64  # the columns of a row: the first are key and value, the last are key only


@triton.jit
def decode(
    q, kv, block_table, seq_lens, out, lse, scale, H, MP,
    LATENT: tl.constexpr, ROTARY: tl.constexpr, PS: tl.constexpr,
    HEADS: tl.constexpr, BLOCK_N: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """The tile of rows that was multiplied as keys is multiplied again as values, without a second load."""
    b, head = tl.program_id(0), tl.program_id(1) * HEADS + tl.arange(0, HEADS)
    width, real = LATENT + ROTARY, head < H
    columns, rotary = tl.arange(0, LATENT), LATENT + tl.arange(0, ROTARY)
    length = tl.load(seq_lens + b)
    at = (b * H + head)[:, None]
    query = tl.load(q + at * width + columns, mask=real[:, None], other=0.0)
    query_rotary = tl.load(q + at * width + rotary, mask=real[:, None], other=0.0)
    if UPCAST:
        query, query_rotary = query.to(tl.float32), query_rotary.to(tl.float32)
    top = tl.full((HEADS,), float("-inf"), tl.float32)
    total, mean = tl.zeros((HEADS,), tl.float32), tl.zeros((HEADS, LATENT), tl.float32)
    for start in range(0, length, BLOCK_N):
        token = start + tl.arange(0, BLOCK_N)
        seen = token < length
        page = tl.load(block_table + b * MP + token // PS, mask=seen, other=0).to(tl.int64)
        row = kv + (page * PS + token % PS)[:, None] * width
        latent = tl.load(row + columns, mask=seen[:, None], other=0.0)
        key_rotary = tl.load(row + rotary, mask=seen[:, None], other=0.0)
        if UPCAST:
            latent, key_rotary = latent.to(tl.float32), key_rotary.to(tl.float32)
        scores = tl.dot(query_rotary, tl.trans(key_rotary))
        scores = tl.dot(query, tl.trans(latent), scores) * scale
        scores = tl.where(seen, scores, float("-inf"))
        new_top = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp(scores - new_top[:, None])
        shrink = tl.exp(top - new_top)
        total = total * shrink + tl.sum(weights, 1)
        mean = tl.dot(weights.to(latent.dtype), latent, mean * shrink[:, None])
        top = new_top
    filled = tl.where(total == 0.0, 1.0, total)
    mean = mean / filled[:, None]
    tl.store(out + at * LATENT + columns, mean.to(out.dtype.element_ty), mask=real[:, None])
    tl.store(lse + b * H + head, top + tl.log(filled), mask=real)


def run(
    q: torch.Tensor, kv: torch.Tensor, block_table: torch.Tensor, seq_lens: torch.Tensor, scale: float
) -> dict[str, torch.Tensor]:
    """A sequence of length 0 has output 0 and lse -inf."""
    batch, heads, _ = q.shape
    out = torch.empty((batch, heads, LATENT), dtype=q.dtype, device=q.device)
    lse = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    decode[(batch, triton.cdiv(heads, 16))](
        q, kv, block_table, seq_lens, out, lse, scale, heads, block_table.shape[1], LATENT=LATENT, ROTARY=ROTARY,
        PS=kv.shape[1], HEADS=16, BLOCK_N=32, UPCAST=UPCAST, num_warps=4, num_stages=2,
    )  # fmt: skip
    return {"out": out, "lse": lse}
