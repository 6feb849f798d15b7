"""What a torch user writes: reshape, amax, divide, cast; the four-bit codes by comparing with the midpoints."""

from collections.abc import Callable

import torch

E4M3_MAX, E2M1_MAX = 448.0, 6.0
MIDPOINTS = (0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0)


def run(x: torch.Tensor, tensor_scale: float) -> dict[str, torch.Tensor]:
    """Three formats of one tensor, bit for bit; dozens of kernels, each through memory."""
    mxfp8, mxfp8_scale = _mx(x, 8, _e4m3)
    mxfp4, mxfp4_scale = _mx(x, 2, _e2m1)
    nvfp4, nvfp4_scale = _nvfp4(x, tensor_scale)
    return {
        "mxfp8": mxfp8, "mxfp8_scale": mxfp8_scale, "mxfp4": _packed(mxfp4), "mxfp4_scale": mxfp4_scale,
        "nvfp4": _packed(nvfp4), "nvfp4_scale": nvfp4_scale,
    }  # fmt: skip


def _mx(
    x: torch.Tensor, top_exponent: int, encode: Callable[[torch.Tensor], torch.Tensor]
) -> tuple[torch.Tensor, torch.Tensor]:
    blocks, amax, broken = _blocks(x, 32)
    scale = ((amax.view(torch.int32) >> 23) - top_exponent).clamp(min=0)
    inverse = ((254 - scale) << 23).view(torch.float32)
    codes = encode(blocks * inverse).masked_fill(broken, 0)
    return codes.view(x.shape), scale.masked_fill(broken, 0xFF).to(torch.uint8).view(x.shape[0], -1)


def _nvfp4(x: torch.Tensor, tensor_scale: float) -> tuple[torch.Tensor, torch.Tensor]:
    blocks, amax, broken = _blocks(x, 16)
    # Divisors on the device: by a Python number a GPU multiplies with the inverse, which has other bits.
    scale = _e4m3(amax / amax.new_tensor(E2M1_MAX) / amax.new_tensor(tensor_scale))
    unit = scale.view(torch.float8_e4m3fn).float() * tensor_scale
    quotient = blocks / torch.where(unit == 0, 1.0, unit)
    codes = _e2m1(quotient).masked_fill(broken | (unit == 0), 0)
    return codes.view(x.shape), scale.masked_fill(broken, 0x7F).view(x.shape[0], -1)


def _blocks(x: torch.Tensor, width: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    blocks = x.float().view(x.shape[0], -1, width)
    broken = ~blocks.isfinite().all(dim=-1, keepdim=True)
    blocks = torch.where(broken, 0.0, blocks)
    return blocks, blocks.abs().amax(dim=-1, keepdim=True), broken


def _e4m3(values: torch.Tensor) -> torch.Tensor:
    """Clamped first: whether the cast saturates depends on the version of torch."""
    return values.clamp(-E4M3_MAX, E4M3_MAX).to(torch.float8_e4m3fn).view(torch.uint8)


def _e2m1(values: torch.Tensor) -> torch.Tensor:
    """Counts the midpoints passed; on a midpoint the even code wins, so every other one is passed by reaching it."""
    size = values.abs()
    code = torch.zeros_like(values, dtype=torch.uint8)
    for index, midpoint in enumerate(MIDPOINTS):
        code += size >= midpoint if index % 2 else size > midpoint
    return code | (values.signbit().to(torch.uint8) << 3)


def _packed(codes: torch.Tensor) -> torch.Tensor:
    return codes[:, 0::2] | (codes[:, 1::2] << 4)
