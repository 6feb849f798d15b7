"""Online: one pass finds maximum and sum, rescaling the sum whenever the maximum moves."""

import torch
import triton
import triton.language as tl

BLOCK, WARPS = 2048, 8


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x += row * n
    out += row * n
    tops = tl.full((BLOCK,), -float("inf"), tl.float32)  # every thread has a maximum and a sum of its own
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
    """One program a row."""
    out = torch.empty_like(x)
    softmax[(x.shape[0],)](x, out, x.shape[1], BLOCK=BLOCK, num_warps=WARPS)
    return {"out": out}
