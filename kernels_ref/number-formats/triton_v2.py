"""One read serves all three formats."""

import torch
import triton
import triton.language as tl

BLOCKS, WARPS = 64, 4  # blocks of 32 columns a program


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
def quantise(x, mxfp8, mxfp8_scale, mxfp4, mxfp4_scale, nvfp4, nvfp4_scale, tensor_scale, total, BLOCKS: tl.constexpr):
    block = tl.program_id(0).to(tl.int64) * BLOCKS + tl.arange(0, BLOCKS)
    inside, wide = (block < total)[:, None], block[:, None] * 32 + tl.arange(0, 32)[None, :]
    bits = tl.load(x + wide, inside, 0).to(tl.int32) << 16
    values = bits.to(tl.float32, bitcast=True)
    half = block[:, None] * 16 + tl.arange(0, 16)[None, :]

    scale, inverse, broken = mx_scale(bits, 8)
    tl.store(mxfp8_scale + block, scale.to(tl.uint8), block < total)
    tl.store(mxfp8 + wide, tl.where(broken, 0, e4m3(values * inverse)).to(tl.uint8), inside)

    scale, inverse, broken = mx_scale(bits, 2)
    tl.store(mxfp4_scale + block, scale.to(tl.uint8), block < total)
    tl.store(mxfp4 + half, packed(tl.where(broken, 0, e2m1(values * inverse)), BLOCKS, 16), inside)

    halves = tl.reshape(bits, (2 * BLOCKS, 16))
    scale, unit = nv_scale(halves, tensor_scale)
    quotient = tl.div_rn(halves.to(tl.float32, bitcast=True), tl.where(unit == 0.0, 1.0, unit) + tl.zeros_like(halves))
    code = tl.reshape(tl.where(unit == 0.0, 0, e2m1(quotient)), (BLOCKS, 32))
    tl.store(nvfp4 + half, packed(code, BLOCKS, 16), inside)
    place = block[:, None] * 2 + tl.arange(0, 2)[None, :]
    tl.store(nvfp4_scale + place, tl.reshape(scale, (BLOCKS, 2)).to(tl.uint8), inside)


def run(x: torch.Tensor, tensor_scale: float) -> dict[str, torch.Tensor]:
    """Columns divide into blocks, so rows need not be told apart."""
    rows, columns = x.shape
    shapes = {
        "mxfp8": columns, "mxfp8_scale": columns // 32, "mxfp4": columns // 2, "mxfp4_scale": columns // 32,
        "nvfp4": columns // 2, "nvfp4_scale": columns // 16,
    }  # fmt: skip
    out = {name: torch.empty(rows, width, dtype=torch.uint8, device=x.device) for name, width in shapes.items()}
    total = x.numel() // 32
    grid = (triton.cdiv(total, BLOCKS),)
    quantise[grid](x.view(torch.int16), *out.values(), tensor_scale, total, BLOCKS=BLOCKS, num_warps=WARPS)
    return out
