"""Step 2: one program a key head; the query heads of its group share every key and value it reads."""

import os

import torch
import triton
import triton.language as tl

UPCAST = os.environ.get("TRITON_INTERPRET") == "1"  # the interpreter computes on the bits of bf16
LEAST_ROWS = 16  # what a tensor core multiplies at once: a group of four heads is padded


@triton.jit
def decode(
    q, k_cache, v_cache, block_table, seq_lens, out, lse, scale, HQ, HK, MP,
    D: tl.constexpr, PS: tl.constexpr, GROUP: tl.constexpr, ROWS: tl.constexpr,
    BLOCK_N: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """The group's queries are the rows of one small product, so the tensor cores do the work."""
    b, key_head = tl.program_id(0), tl.program_id(1)
    columns, row = tl.arange(0, D), tl.arange(0, ROWS)
    head = b * HQ + key_head * GROUP + row
    length = tl.load(seq_lens + b)
    query = tl.load(q + head[:, None] * D + columns, mask=row[:, None] < GROUP, other=0.0)
    if UPCAST:
        query = query.to(tl.float32)
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    total, mean = tl.zeros((ROWS,), tl.float32), tl.zeros((ROWS, D), tl.float32)
    for start in range(0, length, BLOCK_N):
        token = start + tl.arange(0, BLOCK_N)
        seen = token < length
        page = tl.load(block_table + b * MP + token // PS, mask=seen, other=0).to(tl.int64)
        at = ((page * PS + token % PS) * HK + key_head)[:, None] * D + columns
        key = tl.load(k_cache + at, mask=seen[:, None], other=0.0)
        value = tl.load(v_cache + at, mask=seen[:, None], other=0.0)
        if UPCAST:
            key, value = key.to(tl.float32), value.to(tl.float32)
        scores = tl.where(seen, tl.dot(query, tl.trans(key)) * scale, float("-inf"))
        new_top = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp(scores - new_top[:, None])
        shrink = tl.exp(top - new_top)
        total = total * shrink + tl.sum(weights, 1)
        mean = tl.dot(weights.to(value.dtype), value, mean * shrink[:, None])
        top = new_top
    filled = tl.where(total == 0.0, 1.0, total)
    mean = mean / filled[:, None]
    tl.store(out + head[:, None] * D + columns, mean.to(out.dtype.element_ty), mask=row[:, None] < GROUP)
    tl.store(lse + head, top + tl.log(filled), mask=row < GROUP)


def run(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_table: torch.Tensor,
    seq_lens: torch.Tensor,
    scale: float,
) -> dict[str, torch.Tensor]:
    """A sequence of length 0 has output 0 and lse -inf."""
    (batch, heads, d), (_, page, key_heads, _) = q.shape, k_cache.shape
    group = heads // key_heads
    out, lse = torch.empty_like(q), torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    decode[(batch, key_heads)](
        q, k_cache, v_cache, block_table, seq_lens, out, lse, scale, heads, key_heads, block_table.shape[1],
        D=d, PS=page, GROUP=group, ROWS=max(LEAST_ROWS, triton.next_power_of_2(group)),
        BLOCK_N=64, UPCAST=UPCAST, num_warps=4, num_stages=2,
    )  # fmt: skip
    return {"out": out, "lse": lse}
