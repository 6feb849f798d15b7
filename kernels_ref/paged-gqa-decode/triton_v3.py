"""Step 3: the tokens of a sequence are split over programs, and a second kernel merges the parts."""

import os

import torch
import triton
import triton.language as tl

UPCAST = os.environ.get("TRITON_INTERPRET") == "1"  # the interpreter computes on the bits of bf16
LEAST_ROWS = 16  # what a tensor core multiplies at once: a group of four heads is padded
MOST_SPLITS = 64  # the merge holds all parts of a row in registers


@triton.jit
def decode(
    q, k_cache, v_cache, block_table, seq_lens, parts, parts_lse, scale, HQ, HK, MP, TOKENS,
    D: tl.constexpr, PS: tl.constexpr, GROUP: tl.constexpr, ROWS: tl.constexpr,
    BLOCK_N: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """One split: TOKENS of one sequence for one key head, its output normalised by its own sum."""
    key_head, b, split = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    columns, row = tl.arange(0, D), tl.arange(0, ROWS)
    head = b * HQ + key_head * GROUP + row
    first = split * TOKENS
    last = tl.minimum(first + TOKENS, tl.load(seq_lens + b))
    query = tl.load(q + head[:, None] * D + columns, mask=row[:, None] < GROUP, other=0.0)
    if UPCAST:
        query = query.to(tl.float32)
    top = tl.full((ROWS,), float("-inf"), tl.float32)
    total, mean = tl.zeros((ROWS,), tl.float32), tl.zeros((ROWS, D), tl.float32)
    for start in range(first, last, BLOCK_N):
        token = start + tl.arange(0, BLOCK_N)
        seen = token < last
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
    at = split.to(tl.int64) * tl.num_programs(1) * HQ + head
    tl.store(parts + at[:, None] * D + columns, mean / filled[:, None], mask=row[:, None] < GROUP)
    tl.store(parts_lse + at, top + tl.log(filled), mask=row < GROUP)


@triton.jit
def merge(parts, parts_lse, out, lse, SPLITS, D: tl.constexpr, WIDTH: tl.constexpr):
    """The parts of one query head, each weighed by its share exp(lse) of the whole sum."""
    row, rows = tl.program_id(0), tl.num_programs(0)
    split, columns = tl.arange(0, WIDTH), tl.arange(0, D)
    at = split.to(tl.int64) * rows + row
    part_lse = tl.load(parts_lse + at, mask=split < SPLITS, other=float("-inf"))
    top = tl.max(part_lse, 0)
    weights = tl.exp(part_lse - tl.where(top == float("-inf"), 0.0, top))
    part = tl.load(parts + at[:, None] * D + columns, mask=part_lse[:, None] != float("-inf"), other=0.0)
    total = tl.sum(weights, 0)
    filled = tl.where(total == 0.0, 1.0, total)
    mean = tl.sum(part * weights[:, None], 0) / filled
    tl.store(out + row * D + columns, mean.to(out.dtype.element_ty))
    tl.store(lse + row, top + tl.log(filled))


def tokens_a_split(most_tokens: int, programs: int, block_n: int, device: torch.device) -> int:
    """Whole tiles, and as many splits as give a multiprocessor eight programs: four rounds of two at a time."""
    processors = torch.cuda.get_device_properties(device).multi_processor_count if device.type == "cuda" else 132
    splits = min(max(8 * processors // programs, 1), MOST_SPLITS)
    return triton.cdiv(triton.cdiv(most_tokens, block_n), splits) * block_n


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
    group, most_pages, block_n = heads // key_heads, block_table.shape[1], 64
    tokens = tokens_a_split(most_pages * page, batch * key_heads, block_n, q.device)
    splits = triton.cdiv(most_pages * page, tokens)
    parts = torch.empty((splits, batch, heads, d), dtype=torch.float32, device=q.device)
    parts_lse = torch.empty((splits, batch, heads), dtype=torch.float32, device=q.device)
    out, lse = torch.empty_like(q), torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    decode[(key_heads, batch, splits)](
        q, k_cache, v_cache, block_table, seq_lens, parts, parts_lse, scale, heads, key_heads, most_pages, tokens,
        D=d, PS=page, GROUP=group, ROWS=max(LEAST_ROWS, triton.next_power_of_2(group)),
        BLOCK_N=block_n, UPCAST=UPCAST, num_warps=4, num_stages=2,
    )  # fmt: skip
    merge[(batch * heads,)](parts, parts_lse, out, lse, splits, D=d, WIDTH=triton.next_power_of_2(splits))
    return {"out": out, "lse": lse}
