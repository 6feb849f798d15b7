"""Step 4: fitted to Hopper: powers of two instead of e, the longest programs first, tiles that feed two warpgroups."""

import os

import torch
import triton
import triton.language as tl

UPCAST = os.environ.get("TRITON_INTERPRET") == "1"  # the interpreter computes on the bits of bf16
LOG2_E = 1.4426950408889634
LN_2 = tl.constexpr(0.6931471805599453)

# Widest head -> tile, warps, stages. A stage holds a tile of k and one of v: 4 * BLOCK_N * D bytes.
CONFIGS = (
    (64, {"BLOCK_M": 128, "BLOCK_N": 128, "num_warps": 8, "num_stages": 3}),
    (128, {"BLOCK_M": 128, "BLOCK_N": 128, "num_warps": 8, "num_stages": 3}),
    (256, {"BLOCK_M": 128, "BLOCK_N": 64, "num_warps": 8, "num_stages": 2}),
)


@triton.jit
def past_keys(
    top, total, mean, query, k, v, first, last, rows, scale, SQ, SK, CAUSAL: tl.constexpr,
    MASKED: tl.constexpr, D: tl.constexpr, BLOCK_N: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """Takes queries past the keys from first to last, all of them seen unless MASKED."""
    columns = tl.arange(0, D)
    for start in range(first, last, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        at = keys[:, None] * D + columns
        if MASKED:
            key = tl.load(k + at, mask=keys[:, None] < SK, other=0.0)
            value = tl.load(v + at, mask=keys[:, None] < SK, other=0.0)
        else:
            key, value = tl.load(k + at), tl.load(v + at)
        if UPCAST:
            key, value = key.to(tl.float32), value.to(tl.float32)
        scores = tl.dot(query, tl.trans(key))
        if MASKED:
            seen = keys[None, :] < SK
            if CAUSAL:
                seen = seen & (keys - SK <= rows[:, None] - SQ)
            scores = tl.where(seen, scores, float("-inf"))
        # The scale waits until here, where it and the subtraction are one instruction; 2^x is one more.
        new_top = tl.maximum(top, tl.max(scores, 1) * scale)
        finite = tl.where(new_top == float("-inf"), 0.0, new_top) if MASKED else new_top
        shrink = tl.exp2(top - finite)
        weights = tl.exp2(scores * scale - finite[:, None])
        total = total * shrink + tl.sum(weights, 1)
        mean = tl.dot(weights.to(value.dtype), value, mean * shrink[:, None])
        top = new_top
    return top, total, mean


@triton.jit
def attend(
    q, k, v, out, lse, scale, HQ, GROUP, SQ, SK, CAUSAL: tl.constexpr,
    D: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """The maximum is kept in units of log2(e); scale is positive and has that factor in it."""
    head = tl.program_id(0).to(tl.int64)  # heads that share keys run side by side
    key_head = head // HQ * (HQ // GROUP) + head % HQ // GROUP
    start = (tl.num_programs(1) - 1 - tl.program_id(1)) * BLOCK_M  # the last queries see most keys
    rows = start + tl.arange(0, BLOCK_M)
    columns = tl.arange(0, D)
    inside = rows[:, None] < SQ
    query = tl.load(q + (head * SQ + rows[:, None]) * D + columns, mask=inside, other=0.0)
    if UPCAST:
        query = query.to(tl.float32)
    top = tl.full((BLOCK_M,), float("-inf"), tl.float32)
    total = tl.zeros((BLOCK_M,), tl.float32)
    mean = tl.zeros((BLOCK_M, D), tl.float32)
    end, plain = SK, SK
    if CAUSAL:
        end = tl.minimum(SK, start + BLOCK_M + SK - SQ)  # the last query of the program sees keys below this
        plain = tl.minimum(SK, start + 1 + SK - SQ)  # and the first one keys below this
    plain = plain // BLOCK_N * BLOCK_N
    k += key_head * SK * D
    v += key_head * SK * D
    top, total, mean = past_keys(
        top, total, mean, query, k, v, 0, plain, rows, scale, SQ, SK, CAUSAL, False, D, BLOCK_N, UPCAST
    )
    top, total, mean = past_keys(
        top, total, mean, query, k, v, plain, end, rows, scale, SQ, SK, CAUSAL, True, D, BLOCK_N, UPCAST
    )
    empty = total == 0.0
    mean = mean / tl.where(empty, 1.0, total)[:, None]
    tl.store(out + (head * SQ + rows[:, None]) * D + columns, mean.to(out.dtype.element_ty), mask=inside)
    tl.store(lse + head * SQ + rows, top * LN_2 + tl.log(tl.where(empty, 1.0, total)), mask=rows < SQ)


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool) -> dict[str, torch.Tensor]:
    """A query without keys has output 0 and lse -inf."""
    batch, heads, queries, d = q.shape
    keys, group = k.shape[2], heads // k.shape[1]
    out, lse = torch.empty_like(q), torch.empty((batch, heads, queries), dtype=torch.float32, device=q.device)
    config = next(config for widest, config in CONFIGS if d <= widest)
    attend[(batch * heads, triton.cdiv(queries, config["BLOCK_M"]))](
        q, k, v, out, lse, scale * LOG2_E, heads, group, queries, keys, CAUSAL=causal, D=d, UPCAST=UPCAST, **config
    )  # fmt: skip
    return {"out": out, "lse": lse}
