"""Programs that stay: each takes token after token, reads the weight once and has the next token under way."""

import torch
import triton
import triton.language as tl

PER_WARP = 512  # elements
WARPS = 32  # that a multiprocessor runs at once with so many registers a thread


@triton.jit
def rmsnorm(x, weight, out, eps, tokens, width, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    weights = tl.load(weight + columns, columns < width, 0.0).to(tl.float32)
    for token in tl.range(tl.program_id(0), tokens, tl.num_programs(0), num_stages=STAGES):
        row = tl.cast(token, tl.int64) * width
        values = tl.load(x + row + columns, columns < width, 0.0).to(tl.float32)
        scale = tl.rsqrt(tl.sum(values * values) / width + eps)
        tl.store(out + row + columns, (values * scale * weights).to(out.dtype.element_ty), columns < width)


def run(x: torch.Tensor, weight: torch.Tensor, eps: float) -> dict[str, torch.Tensor]:
    """As many programs as the device runs at once; which tokens one takes does not change their bits."""
    tokens, width = x.shape
    out = torch.empty_like(x)
    block = triton.next_power_of_2(width)
    warps = min(max(block // PER_WARP, 1), 16)
    grid = (min(tokens, WARPS // warps * _multiprocessors(x.device)),)
    rmsnorm[grid](x, weight, out, eps, tokens, width, BLOCK=block, STAGES=3, num_warps=warps)
    return {"out": out}


def _multiprocessors(device: torch.device) -> int:
    return torch.cuda.get_device_properties(device).multi_processor_count if device.type == "cuda" else 2
