"""Step 2: keys come tile by tile under a running maximum and sum; scores never leave the chip."""

import os

import torch
import triton
import triton.language as tl

UPCAST = os.environ.get("TRITON_INTERPRET") == "1"  # the interpreter computes on the bits of bf16


@triton.jit
def attend(
    q, k, v, out, lse, scale, HQ, GROUP, SQ, SK, CAUSAL: tl.constexpr,
    D: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """One program takes BLOCK_M queries of one head past all keys; all tensors are contiguous."""
    head = tl.program_id(1).to(tl.int64)
    key_head = head // HQ * (HQ // GROUP) + head % HQ // GROUP
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, D)
    inside = rows[:, None] < SQ
    query = tl.load(q + (head * SQ + rows[:, None]) * D + columns, mask=inside, other=0.0)
    if UPCAST:
        query = query.to(tl.float32)
    top = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    mean = tl.zeros((BLOCK_M, D), tl.float32)
    for start in range(0, SK, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        at = (key_head * SK + keys[:, None]) * D + columns
        key = tl.load(k + at, mask=keys[:, None] < SK, other=0.0)
        value = tl.load(v + at, mask=keys[:, None] < SK, other=0.0)
        if UPCAST:
            key, value = key.to(tl.float32), value.to(tl.float32)
        scores = tl.dot(query, tl.trans(key)) * scale
        seen = keys[None, :] < SK
        if CAUSAL:
            seen = seen & (keys - SK <= rows[:, None] - SQ)
        scores = tl.where(seen, scores, float("-inf"))
        # What was summed so far was weighed against the old maximum: bring it to the new one.
        new_top = tl.maximum(top, tl.max(scores, 1))
        finite = tl.where(new_top == float("-inf"), 0.0, new_top)
        shrink = tl.exp(top - finite)
        weights = tl.exp(scores - finite[:, None])
        total = total * shrink + tl.sum(weights, 1)
        mean = tl.dot(weights.to(value.dtype), value, mean * shrink[:, None])
        top = new_top
    empty = total == 0.0
    mean = mean / tl.where(empty, 1.0, total)[:, None]
    tl.store(out + (head * SQ + rows[:, None]) * D + columns, mean.to(out.dtype.element_ty), mask=inside)
    tl.store(lse + head * SQ + rows, top + tl.log(tl.where(empty, 1.0, total)), mask=rows < SQ)


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool) -> dict[str, torch.Tensor]:
    """A query without keys has output 0 and lse -inf."""
    batch, heads, queries, d = q.shape
    keys, group = k.shape[2], heads // k.shape[1]
    out, lse = torch.empty_like(q), torch.empty((batch, heads, queries), dtype=torch.float32, device=q.device)
    block_m, block_n = 64, 64
    attend[(triton.cdiv(queries, block_m), batch * heads)](
        q, k, v, out, lse, scale, heads, group, queries, keys, CAUSAL=causal,
        D=d, BLOCK_M=block_m, BLOCK_N=block_n, UPCAST=UPCAST, num_warps=4, num_stages=2,
    )  # fmt: skip
    return {"out": out, "lse": lse}
