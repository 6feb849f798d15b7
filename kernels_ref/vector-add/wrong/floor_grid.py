"""Bug: the grid rounds down, so the tail is never written."""

import torch
import triton
import triton.language as tl

BLOCK = 512


@triton.jit
def add(a, b, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.load(a + offsets) + tl.load(b + offsets))


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    out = torch.empty_like(a)
    blocks = a.numel() // BLOCK
    if blocks:
        add[(blocks,)](a, b, out, BLOCK=BLOCK)
    return {"out": out}
