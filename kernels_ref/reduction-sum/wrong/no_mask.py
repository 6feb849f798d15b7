"""Bug: the last tile also sums what lies behind the row."""

import torch
import triton
import triton.language as tl

BLOCK = 256


@triton.jit
def row_sum(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    sums = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        sums += tl.load(x + row * n + start + tl.arange(0, BLOCK))
    tl.store(out + row, tl.sum(sums))


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    rows, n = x.shape
    out = torch.empty(rows, dtype=x.dtype, device=x.device)
    row_sum[(rows,)](x, out, n, BLOCK=BLOCK)
    return {"out": out}
