"""One program a row; every tile is summed by a tree before the next is read."""

import torch
import triton
import triton.language as tl

BLOCK, WARPS = 1024, 4


@triton.jit
def row_sum(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros((), tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + row * n + columns, columns < n, 0.0))
    tl.store(out + row, total)


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    """out[i] = sum of row i."""
    rows, n = x.shape
    out = torch.empty(rows, dtype=x.dtype, device=x.device)
    row_sum[(rows,)](x, out, n, BLOCK=BLOCK, num_warps=WARPS)
    return {"out": out}
