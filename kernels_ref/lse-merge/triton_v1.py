"""One program a row; parts join one after another, rescaling what is there when the maximum moves."""

import torch
import triton
import triton.language as tl


@triton.jit
def merge(o, lse, out, lse_out, parts, rows, width, WIDTH: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, WIDTH)
    top = tl.full((), -float("inf"), tl.float32)
    total = tl.zeros((), tl.float32)
    sums = tl.zeros((WIDTH,), tl.float32)
    for part in range(parts):
        one = tl.load(lse + part * rows + row)
        values = tl.load(o + (part * rows + row) * width + columns, columns < width, 0.0)
        values = tl.where(one == -float("inf"), 0.0, values)  # a part without keys may hold NaN
        higher = tl.maximum(top, one)
        shift = tl.where(higher == -float("inf"), 0.0, higher)
        kept, weight = tl.exp(top - shift), tl.exp(one - shift)
        sums = sums * kept + values * weight
        total = total * kept + weight
        top = higher
    empty = total == 0.0
    tl.store(out + row * width + columns, sums / tl.where(empty, 1.0, total), columns < width)
    tl.store(lse_out + row, tl.where(empty, -float("inf"), top + tl.log(tl.where(empty, 1.0, total))))


def run(o: torch.Tensor, lse: torch.Tensor) -> dict[str, torch.Tensor]:
    """The state starts as the identity of the merge: nothing seen, maximum -inf."""
    parts, rows, width = o.shape
    out = torch.empty(rows, width, dtype=o.dtype, device=o.device)
    lse_out = torch.empty(rows, dtype=lse.dtype, device=o.device)
    merge[(rows,)](o, lse, out, lse_out, parts, rows, width, WIDTH=triton.next_power_of_2(width), num_warps=1)
    return {"out": out, "lse_out": lse_out}
