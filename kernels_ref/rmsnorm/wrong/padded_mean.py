"""Bug: the mean is taken over the block, padding included, instead of over the width."""

import torch
import triton
import triton.language as tl


@triton.jit
def rmsnorm(x, weight, out, eps, width, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    values = tl.load(x + token * width + columns, columns < width, 0.0).to(tl.float32)
    weights = tl.load(weight + columns, columns < width, 0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(values * values) / BLOCK + eps)
    tl.store(out + token * width + columns, (values * scale * weights).to(out.dtype.element_ty), columns < width)


def run(x: torch.Tensor, weight: torch.Tensor, eps: float) -> dict[str, torch.Tensor]:
    tokens, width = x.shape
    out = torch.empty_like(x)
    rmsnorm[(tokens,)](x, weight, out, eps, width, BLOCK=triton.next_power_of_2(width))
    return {"out": out}
