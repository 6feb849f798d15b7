"""Step 1: three kernels with the whole score matrix between them in memory."""

import os

import torch
import triton
import triton.language as tl

UPCAST = os.environ.get("TRITON_INTERPRET") == "1"  # the interpreter computes on the bits of bf16


@triton.jit
def score(
    q, k, scores, scale, HQ, GROUP, SQ, SK, CAUSAL: tl.constexpr,
    D: tl.constexpr, BLOCK: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """scores = q k^T * scale, -inf where a query does not see a key; all tensors are contiguous."""
    head = tl.program_id(2).to(tl.int64)
    key_head = head // HQ * (HQ // GROUP) + head % HQ // GROUP
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keys = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.arange(0, D)
    x = tl.load(q + (head * SQ + rows[:, None]) * D + columns, mask=rows[:, None] < SQ, other=0.0)
    y = tl.load(k + (key_head * SK + keys[None, :]) * D + columns[:, None], mask=keys[None, :] < SK, other=0.0)
    if UPCAST:
        x, y = x.to(tl.float32), y.to(tl.float32)
    tile = tl.dot(x, y) * scale
    if CAUSAL:
        tile = tl.where(keys - SK <= rows[:, None] - SQ, tile, float("-inf"))
    tl.store(scores + (head * SQ + rows[:, None]) * SK + keys, tile, mask=(rows[:, None] < SQ) & (keys < SK))


@triton.jit
def normalise(scores, lse, SK, WIDTH: tl.constexpr):
    """Turns one row of scores into weights, in place."""
    row = tl.program_id(0).to(tl.int64)
    keys = tl.arange(0, WIDTH)
    values = tl.load(scores + row * SK + keys, mask=keys < SK, other=float("-inf"))
    top = tl.max(values, 0)
    weights = tl.exp(values - top)
    total = tl.sum(weights, 0)
    tl.store(scores + row * SK + keys, weights / total, mask=keys < SK)
    tl.store(lse + row, top + tl.log(total))


@triton.jit
def weigh(
    scores, v, out, HQ, GROUP, SQ, SK,
    D: tl.constexpr, BLOCK: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """out = weights v."""
    head = tl.program_id(1).to(tl.int64)
    key_head = head // HQ * (HQ // GROUP) + head % HQ // GROUP
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.arange(0, D)
    total = tl.zeros((BLOCK, D), tl.float32)
    for start in range(0, SK, BLOCK):
        keys = start + tl.arange(0, BLOCK)
        inside = (rows[:, None] < SQ) & (keys < SK)
        weights = tl.load(scores + (head * SQ + rows[:, None]) * SK + keys, mask=inside, other=0.0)
        values = tl.load(v + (key_head * SK + keys[:, None]) * D + columns, mask=keys[:, None] < SK, other=0.0)
        if UPCAST:
            values = values.to(tl.float32)
        total = tl.dot(weights.to(values.dtype), values, total)
    at = out + (head * SQ + rows[:, None]) * D + columns
    tl.store(at, total.to(out.dtype.element_ty), mask=rows[:, None] < SQ)


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool) -> dict[str, torch.Tensor]:
    """A query without keys has output 0 and lse -inf."""
    batch, heads, queries, d = q.shape
    keys, group, block = k.shape[2], heads // k.shape[1], 64
    out, lse = torch.empty_like(q), torch.empty((batch, heads, queries), dtype=torch.float32, device=q.device)
    if keys == 0:
        return {"out": out.zero_(), "lse": lse.fill_(float("-inf"))}
    scores = torch.empty((batch, heads, queries, keys), dtype=torch.float32, device=q.device)
    tiles, sizes = triton.cdiv(queries, block), (heads, group, queries, keys)
    score[(tiles, triton.cdiv(keys, block), batch * heads)](
        q, k, scores, scale, *sizes, CAUSAL=causal, D=d, BLOCK=block, UPCAST=UPCAST
    )
    normalise[(batch * heads * queries,)](scores, lse, keys, WIDTH=triton.next_power_of_2(keys), num_warps=8)
    weigh[(tiles, batch * heads)](scores, v, out, *sizes, D=d, BLOCK=block, UPCAST=UPCAST)
    return {"out": out, "lse": lse}
