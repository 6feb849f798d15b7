"""Bug: the last block writes past the end."""

import torch
import triton
import triton.language as tl

BLOCK = 512


@triton.jit
def add(a, b, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = offsets < n
    tl.store(out + offsets, tl.load(a + offsets, inside, 0.0) + tl.load(b + offsets, inside, 0.0), offsets < n + 8)


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    out = torch.empty_like(a)
    add[(triton.cdiv(a.numel(), BLOCK),)](a, b, out, a.numel(), BLOCK=BLOCK)
    return {"out": out}
