"""Step 6: TMA copies whole pages, unmasked; a last page has a descriptor that ends at its last token."""

import os

import torch
import triton
import triton.language as tl

UPCAST = os.environ.get("TRITON_INTERPRET") == "1"  # the interpreter computes on the bits of bf16
LATENT, ROTARY = 512, 64  # the columns of a row: the first are key and value, the last are key only
MOST_SPLITS = 64  # the merge holds all parts of 128 columns in registers
LOG2_E, LN_2 = tl.constexpr(1.4426950408889634), tl.constexpr(0.6931471805599453)

# Most heads -> heads a program, warps, stages. A stage holds a page: 64 rows of 576 columns, 72 KiB.
CONFIGS = (
    (16, {"HEADS": 16, "num_warps": 4, "num_stages": 2}),
    (1 << 31, {"HEADS": 64, "num_warps": 8, "num_stages": 2}),
)


@triton.jit
def attend(query, query_rotary, latent, key_rotary, seen, scale, top, total, mean, UPCAST: tl.constexpr):
    """The state after one more page; scores are in units of log2."""
    if UPCAST:
        latent, key_rotary = latent.to(tl.float32), key_rotary.to(tl.float32)
    scores = tl.dot(query_rotary, tl.trans(key_rotary))
    scores = tl.dot(query, tl.trans(latent), scores) * scale
    if seen is not None:
        scores = tl.where(seen, scores, float("-inf"))
    new_top = tl.maximum(top, tl.max(scores, 1))
    weights = tl.exp2(scores - new_top[:, None])
    shrink = tl.exp2(top - new_top)
    total = total * shrink[:, None] + weights
    return new_top, total, tl.dot(weights.to(latent.dtype), latent, mean * shrink[:, None])


@triton.jit
def decode(
    q, kv, block_table, seq_lens, parts, parts_lse, scale, H, MP, PAGES, ROWS,
    LATENT: tl.constexpr, ROTARY: tl.constexpr, PS: tl.constexpr, HEADS: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """One split of PAGES pages; a tile is a page. Scores are [heads, tokens]."""
    b, head = tl.program_id(1), tl.program_id(0) * HEADS + tl.arange(0, HEADS)
    width: tl.constexpr = LATENT + ROTARY
    real = head < H
    columns, rotary = tl.arange(0, LATENT), LATENT + tl.arange(0, ROTARY)
    first, length = tl.program_id(2) * PAGES, tl.load(seq_lens + b)
    full, left = tl.minimum(first + PAGES, length // PS), length % PS
    latents = tl.make_tensor_descriptor(kv, [ROWS, width], [width, 1], [PS, LATENT])
    rotaries = tl.make_tensor_descriptor(kv, [ROWS, width], [width, 1], [PS, ROTARY])
    at = (b * H + head)[:, None]
    query = tl.load(q + at * width + columns, mask=real[:, None], other=0.0)
    query_rotary = tl.load(q + at * width + rotary, mask=real[:, None], other=0.0)
    if UPCAST:
        query, query_rotary = query.to(tl.float32), query_rotary.to(tl.float32)
    top = tl.full((HEADS,), float("-inf"), tl.float32)
    total, mean = tl.zeros((HEADS, PS), tl.float32), tl.zeros((HEADS, LATENT), tl.float32)
    for index in range(first, full):
        page = tl.load(block_table + b * MP + index)
        latent, key_rotary = latents.load([page * PS, 0]), rotaries.load([page * PS, LATENT])
        top, total, mean = attend(query, query_rotary, latent, key_rotary, None, scale, top, total, mean, UPCAST)
    if (left > 0) & (length // PS >= first) & (length // PS < first + PAGES):  # what lies past the end is read as zero
        rest = kv + tl.load(block_table + b * MP + full).to(tl.int64) * PS * width
        latent = tl.make_tensor_descriptor(rest, [left, width], [width, 1], [PS, LATENT]).load([0, 0])
        key_rotary = tl.make_tensor_descriptor(rest, [left, width], [width, 1], [PS, ROTARY]).load([0, LATENT])
        seen = tl.arange(0, PS) < left
        top, total, mean = attend(query, query_rotary, latent, key_rotary, seen, scale, top, total, mean, UPCAST)
    total = tl.sum(total, 1)
    filled = tl.where(total == 0.0, 1.0, total)
    at = tl.program_id(2).to(tl.int64) * tl.num_programs(1) * H + b * H + head
    tl.store(parts + at[:, None] * LATENT + columns, mean / filled[:, None], mask=real[:, None])
    tl.store(parts_lse + at, top + tl.log2(filled), mask=real)


@triton.jit
def merge(parts, parts_lse, out, lse, SPLITS, LATENT: tl.constexpr, COLUMNS: tl.constexpr, WIDTH: tl.constexpr):
    """The parts of one head, COLUMNS at a time, each weighed by its share exp2(lse) of the whole sum."""
    row, rows = tl.program_id(0), tl.num_programs(0)
    split, columns = tl.arange(0, WIDTH), tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    at = split.to(tl.int64) * rows + row
    part_lse = tl.load(parts_lse + at, mask=split < SPLITS, other=float("-inf"))
    top = tl.max(part_lse, 0)
    weights = tl.exp2(part_lse - tl.where(top == float("-inf"), 0.0, top))
    part = tl.load(parts + at[:, None] * LATENT + columns, mask=part_lse[:, None] != float("-inf"), other=0.0)
    total = tl.sum(weights, 0)
    filled = tl.where(total == 0.0, 1.0, total)
    mean = tl.sum(part * weights[:, None], 0) / filled
    tl.store(out + row * LATENT + columns, mean.to(out.dtype.element_ty))
    tl.store(lse + row, (top + tl.log2(filled)) * LN_2)


def pages_a_split(most_pages: int, programs: int, device: torch.device) -> int:
    """No more splits than run at once: each part is 512 columns of fp32 that the merge reads again."""
    processors = torch.cuda.get_device_properties(device).multi_processor_count if device.type == "cuda" else 132
    splits = min(max(2 * processors // programs, 1), MOST_SPLITS)
    return triton.cdiv(most_pages, splits)


def run(
    q: torch.Tensor, kv: torch.Tensor, block_table: torch.Tensor, seq_lens: torch.Tensor, scale: float
) -> dict[str, torch.Tensor]:
    """A sequence of length 0 has output 0 and lse -inf."""
    (batch, heads, _), most_pages = q.shape, block_table.shape[1]
    config = next(config for most, config in CONFIGS if heads <= most)
    tiles = triton.cdiv(heads, config["HEADS"])
    pages = pages_a_split(most_pages, batch * tiles, q.device)
    splits = triton.cdiv(most_pages, pages)
    parts = torch.empty((splits, batch, heads, LATENT), dtype=torch.float32, device=q.device)
    parts_lse = torch.empty((splits, batch, heads), dtype=torch.float32, device=q.device)
    out = torch.empty((batch, heads, LATENT), dtype=q.dtype, device=q.device)
    lse = torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    # Descriptors made on the device live in memory that the launcher asks this function for.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=q.device))
    decode[(tiles, batch, splits)](
        q, kv, block_table, seq_lens, parts, parts_lse, scale * LOG2_E.value, heads, most_pages, pages,
        kv.shape[0] * kv.shape[1], LATENT=LATENT, ROTARY=ROTARY, PS=kv.shape[1], UPCAST=UPCAST, **config,
    )  # fmt: skip
    merge[(batch * heads, LATENT // 128)](
        parts, parts_lse, out, lse, splits, LATENT=LATENT, COLUMNS=128, WIDTH=triton.next_power_of_2(splits)
    )
    return {"out": out, "lse": lse}
