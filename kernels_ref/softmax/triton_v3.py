"""One read: the whole row stays in registers between maximum, sum and quotient."""

import torch
import triton
import triton.language as tl

LONGEST = 65536  # elements that the registers of one block hold


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    columns = tl.arange(0, BLOCK)
    scores = tl.load(x + row * n + columns, columns < n, -float("inf")).to(tl.float32)
    top = tl.max(scores)
    weights = tl.exp(scores - tl.where(top == -float("inf"), 0.0, top))
    total = tl.sum(weights)
    weights *= 1.0 / tl.where(total == 0.0, 1.0, total)
    tl.store(out + row * n + columns, weights.to(out.dtype.element_ty), columns < n)


@triton.jit
def softmax_long(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x += row * n
    out += row * n
    tops = tl.full((BLOCK,), -float("inf"), tl.float32)
    sums = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        scores = tl.load(x + columns, columns < n, -float("inf")).to(tl.float32)
        higher = tl.maximum(tops, scores)
        shift = tl.where(higher == -float("inf"), 0.0, higher)
        sums = sums * tl.exp(tops - shift) + tl.exp(scores - shift)
        tops = higher
    top = tl.max(tops)
    top = tl.where(top == -float("inf"), 0.0, top)
    total = tl.sum(sums * tl.exp(tops - top))
    inverse = 1.0 / tl.where(total == 0.0, 1.0, total)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        weights = tl.exp(tl.load(x + columns, columns < n, -float("inf")).to(tl.float32) - top) * inverse
        tl.store(out + columns, weights.to(out.dtype.element_ty), columns < n)


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    """One program a row; rows too long for the registers are read twice, online."""
    rows, n = x.shape
    out = torch.empty_like(x)
    if n <= LONGEST:
        block = triton.next_power_of_2(n)
        softmax[(rows,)](x, out, n, BLOCK=block, num_warps=min(max(block // 1024, 1), 16))
    else:
        softmax_long[(rows,)](x, out, n, BLOCK=2048, num_warps=8)
    return {"out": out}
