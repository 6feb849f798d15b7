"""A kernel for each format; rounding is integer arithmetic, so the bits are the same wherever it runs."""

import torch
import triton
import triton.language as tl

BLOCKS, WARPS = 128, 4  # blocks of 32 columns a program


@triton.jit
def e4m3(values):
    """float32 to e4m3 codes: half to even, too large becomes 448."""
    bits = values.to(tl.int32, bitcast=True)
    size = bits & 0x7FFFFFFF
    normal = ((size + 0x7FFFF + ((size >> 20) & 1)) >> 20) - (120 << 3)
    # 2^14 has steps of 2^-9, those of e4m3's denormals: adding it rounds.
    small = (tl.abs(values) + 16384.0).to(tl.int32, bitcast=True) - 0x46800000
    code = tl.where(size < 0x3C800000, small, tl.minimum(normal, 0x7E))
    return code | ((bits >> 24) & 0x80)


@triton.jit
def e2m1(values):
    """float32 to e2m1 codes: half to even, too large becomes 6."""
    bits = values.to(tl.int32, bitcast=True)
    size = bits & 0x7FFFFFFF
    normal = ((size + 0x1FFFFF + ((size >> 22) & 1)) >> 22) - (126 << 1)
    small = (tl.abs(values) + 4194304.0).to(tl.int32, bitcast=True) - 0x4A800000  # steps of 1/2
    code = tl.where(size < 0x3F800000, small, tl.minimum(normal, 7))
    return code | ((bits >> 28) & 8)


@triton.jit
def packed(codes, ROWS: tl.constexpr, BYTES: tl.constexpr):
    low, high = tl.split(tl.reshape(codes, (ROWS, BYTES, 2)))
    return (low | (high << 4)).to(tl.uint8)


@triton.jit
def mx_scale(bits, TOP: tl.constexpr):
    """The scale of each block as a code, its inverse as a number, and whether the block holds NaN or infinity."""
    amax = tl.max(bits & 0x7FFFFFFF, axis=1)  # magnitudes compare like their bits
    broken = amax >= 0x7F800000
    scale = tl.maximum((amax >> 23) - TOP, 0)
    inverse = ((254 - scale) << 23).to(tl.float32, bitcast=True)
    return tl.where(broken, 0xFF, scale), tl.where(broken, 0.0, inverse)[:, None], broken[:, None]


@triton.jit
def nv_scale(bits, tensor_scale):
    """The same for NVFP4, with a unit to divide by; 0 where all codes are 0."""
    amax = tl.max(bits & 0x7FFFFFFF, axis=1)
    broken = amax >= 0x7F800000
    size = tl.where(broken, 0, amax).to(tl.float32, bitcast=True)
    scale = e4m3(tl.div_rn(tl.div_rn(size, 6.0), tensor_scale))
    normal = ((scale + (120 << 3)) << 20).to(tl.float32, bitcast=True)
    unit = tl.where(scale < 8, scale.to(tl.float32) * 0.001953125, normal) * tensor_scale
    return tl.where(broken, 0x7F, scale), tl.where(broken, 0.0, unit)[:, None]


@triton.jit
def load_bits(x, block, total, WIDTH: tl.constexpr):
    """Blocks of bf16 as the bits of float32, 0 behind the end."""
    place = block[:, None] * WIDTH + tl.arange(0, WIDTH)[None, :]
    return tl.load(x + place, (block < total)[:, None], 0).to(tl.int32) << 16


@triton.jit
def to_mxfp8(x, codes, scales, total, BLOCKS: tl.constexpr):
    block = tl.program_id(0).to(tl.int64) * BLOCKS + tl.arange(0, BLOCKS)
    bits = load_bits(x, block, total, 32)
    scale, inverse, broken = mx_scale(bits, 8)
    code = tl.where(broken, 0, e4m3(bits.to(tl.float32, bitcast=True) * inverse))
    tl.store(scales + block, scale.to(tl.uint8), block < total)
    tl.store(codes + block[:, None] * 32 + tl.arange(0, 32)[None, :], code.to(tl.uint8), (block < total)[:, None])


@triton.jit
def to_mxfp4(x, codes, scales, total, BLOCKS: tl.constexpr):
    block = tl.program_id(0).to(tl.int64) * BLOCKS + tl.arange(0, BLOCKS)
    bits = load_bits(x, block, total, 32)
    scale, inverse, broken = mx_scale(bits, 2)
    code = tl.where(broken, 0, e2m1(bits.to(tl.float32, bitcast=True) * inverse))
    tl.store(scales + block, scale.to(tl.uint8), block < total)
    place = block[:, None] * 16 + tl.arange(0, 16)[None, :]
    tl.store(codes + place, packed(code, BLOCKS, 16), (block < total)[:, None])


@triton.jit
def to_nvfp4(x, codes, scales, tensor_scale, total, BLOCKS: tl.constexpr):
    block = tl.program_id(0).to(tl.int64) * BLOCKS + tl.arange(0, BLOCKS)
    bits = load_bits(x, block, total, 16)
    scale, unit = nv_scale(bits, tensor_scale)
    quotient = tl.div_rn(bits.to(tl.float32, bitcast=True), tl.where(unit == 0.0, 1.0, unit) + tl.zeros_like(bits))
    code = tl.where(unit == 0.0, 0, e2m1(quotient))
    tl.store(scales + block, scale.to(tl.uint8), block < total)
    place = block[:, None] * 8 + tl.arange(0, 8)[None, :]
    tl.store(codes + place, packed(code, BLOCKS, 8), (block < total)[:, None])


def run(x: torch.Tensor, tensor_scale: float) -> dict[str, torch.Tensor]:
    """x is read three times. Its columns divide into blocks, so rows need not be told apart."""
    rows, columns = x.shape
    shapes = {
        "mxfp8": columns, "mxfp8_scale": columns // 32, "mxfp4": columns // 2, "mxfp4_scale": columns // 32,
        "nvfp4": columns // 2, "nvfp4_scale": columns // 16,
    }  # fmt: skip
    out = {name: torch.empty(rows, width, dtype=torch.uint8, device=x.device) for name, width in shapes.items()}
    bits, total = x.view(torch.int16), x.numel() // 32
    grid = (triton.cdiv(total, BLOCKS),)
    to_mxfp8[grid](bits, out["mxfp8"], out["mxfp8_scale"], total, BLOCKS=BLOCKS, num_warps=WARPS)
    to_mxfp4[grid](bits, out["mxfp4"], out["mxfp4_scale"], total, BLOCKS=BLOCKS, num_warps=WARPS)
    grid = (triton.cdiv(2 * total, BLOCKS),)
    to_nvfp4[grid](bits, out["nvfp4"], out["nvfp4_scale"], tensor_scale, 2 * total, BLOCKS=BLOCKS, num_warps=WARPS)
    return out
