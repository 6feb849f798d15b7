"""Bug: the padding of a row holds 0, which adds exp(0 - max) each to the sum."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    scores = tl.load(x + row * n + columns, columns < n, 0.0).to(tl.float32)
    weights = tl.exp(scores - tl.max(scores))
    tl.store(out + row * n + columns, (weights / tl.sum(weights)).to(out.dtype.element_ty), columns < n)


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    out = torch.empty_like(x)
    softmax[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1] + 1))
    return {"out": out}
