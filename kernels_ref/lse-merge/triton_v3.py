"""A few rows a program: their log-sums lie side by side and come in one wide load."""

import torch
import triton
import triton.language as tl

ROWS, WARPS = 4, 4


@triton.jit
def merge(o, lse, out, lse_out, parts, rows, width, PARTS: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    part = tl.arange(0, PARTS)
    columns = tl.arange(0, WIDTH)
    here = (part < parts)[:, None] & (row < rows)[None, :]
    ones = tl.load(lse + part[:, None] * rows + row[None, :], here, -float("inf"))
    top = tl.max(ones, axis=0)
    empty = top == -float("inf")
    weights = tl.exp(ones - tl.where(empty, 0.0, top)[None, :])
    total = tl.where(empty, 1.0, tl.sum(weights, axis=0))
    seen = (weights > 0.0)[:, :, None] & (columns < width)[None, None, :]
    place = (part[:, None] * rows + row[None, :])[:, :, None] * width + columns[None, None, :]
    sums = tl.sum(tl.load(o + place, seen, 0.0) * weights[:, :, None], axis=0)
    inside = (row < rows)[:, None] & (columns < width)[None, :]
    tl.store(out + row[:, None] * width + columns[None, :], sums / total[:, None], inside)
    tl.store(lse_out + row, tl.where(empty, -float("inf"), top + tl.log(total)), row < rows)


def run(o: torch.Tensor, lse: torch.Tensor) -> dict[str, torch.Tensor]:
    """ROWS rows a program."""
    parts, rows, width = o.shape
    out = torch.empty(rows, width, dtype=o.dtype, device=o.device)
    lse_out = torch.empty(rows, dtype=lse.dtype, device=o.device)
    tile = {"PARTS": triton.next_power_of_2(parts), "ROWS": ROWS, "WIDTH": triton.next_power_of_2(width)}
    merge[(triton.cdiv(rows, ROWS),)](o, lse, out, lse_out, parts, rows, width, **tile, num_warps=WARPS)
    return {"out": out, "lse_out": lse_out}
