"""Step 5: k and v through tensor descriptors: the TMA unit copies tiles, registers and issue slots stay free."""

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
    top, total, mean, query, k_tiles, v_tiles, key_head, first, last, rows, scale, SQ, SK, CAUSAL: tl.constexpr,
    MASKED: tl.constexpr, D: tl.constexpr, BLOCK_N: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """Takes queries past the keys from first to last, all of them seen unless MASKED."""
    for start in range(first, last, BLOCK_N):
        keys = start + tl.arange(0, BLOCK_N)
        key = tl.reshape(k_tiles.load([key_head, start, 0]), (BLOCK_N, D))
        value = tl.reshape(v_tiles.load([key_head, start, 0]), (BLOCK_N, D))
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
    q, k, v, out, lse, scale, HEADS, HQ, GROUP, SQ, SK, CAUSAL: tl.constexpr,
    D: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """The maximum is kept in units of log2(e); scale is positive and has that factor in it."""
    head = tl.program_id(0).to(tl.int64)  # heads that share keys run side by side
    key_head = (head // HQ * (HQ // GROUP) + head % HQ // GROUP).to(tl.int32)
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
    # Three axes, so that a tile past the last key of a head is zero and not the next head's first keys.
    k_tiles = tl.make_tensor_descriptor(k, [HEADS, SK, D], [SK * D, D, 1], [1, BLOCK_N, D])
    v_tiles = tl.make_tensor_descriptor(v, [HEADS, SK, D], [SK * D, D, 1], [1, BLOCK_N, D])
    top, total, mean = past_keys(
        top, total, mean, query, k_tiles, v_tiles, key_head, 0, plain,
        rows, scale, SQ, SK, CAUSAL, False, D, BLOCK_N, UPCAST,
    )  # fmt: skip
    top, total, mean = past_keys(
        top, total, mean, query, k_tiles, v_tiles, key_head, plain, end,
        rows, scale, SQ, SK, CAUSAL, True, D, BLOCK_N, UPCAST,
    )  # fmt: skip
    empty = total == 0.0
    mean = mean / tl.where(empty, 1.0, total)[:, None]
    tl.store(out + (head * SQ + rows[:, None]) * D + columns, mean.to(out.dtype.element_ty), mask=inside)
    tl.store(lse + head * SQ + rows, top * LN_2 + tl.log(tl.where(empty, 1.0, total)), mask=rows < SQ)


def aligned(x: torch.Tensor) -> torch.Tensor:
    """The same tensor where TMA can reach it: on a multiple of 16 bytes."""
    return x if x.data_ptr() % 16 == 0 else x.clone()


def run(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float, causal: bool) -> dict[str, torch.Tensor]:
    """A query without keys has output 0 and lse -inf."""
    batch, heads, queries, d = q.shape
    keys, group = k.shape[2], heads // k.shape[1]
    out, lse = torch.empty_like(q), torch.empty((batch, heads, queries), dtype=torch.float32, device=q.device)
    if keys == 0:
        return {"out": out.zero_(), "lse": lse.fill_(float("-inf"))}
    k, v = aligned(k), aligned(v)
    # Descriptors made on the device live in memory that the launcher asks this function for.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=q.device))
    config = next(config for widest, config in CONFIGS if d <= widest)
    attend[(batch * heads, triton.cdiv(queries, config["BLOCK_M"]))](
        q, k, v, out, lse, scale * LOG2_E, batch * k.shape[1], heads, group, queries, keys,
        CAUSAL=causal, D=d, UPCAST=UPCAST, **config,
    )  # fmt: skip
    return {"out": out, "lse": lse}
