"""The truth of block quantisation; the codecs themselves are in kernels_ref.lib.formats."""

import numpy as np
from numpy.typing import NDArray

from kernels_ref.lib import formats

Codes = NDArray[np.uint8]
Values = NDArray[np.float64]
Flags = NDArray[np.bool_]
MX_BLOCK, NV_BLOCK = 32, 16
E4M3_NAN = 0x7F


def oracle(x: NDArray[np.float32], tensor_scale: float) -> dict[str, Codes]:
    """Three formats of one tensor. A block that holds a NaN or infinity has a NaN scale and codes 0."""
    mxfp8, mxfp8_scale = _mx(x, formats.E4M3, top_exponent=8)
    mxfp4, mxfp4_scale = _mx(x, formats.E2M1, top_exponent=2)
    nvfp4, nvfp4_scale = _nvfp4(x, np.float32(tensor_scale))
    return {
        "mxfp8": mxfp8,
        "mxfp8_scale": mxfp8_scale,
        "mxfp4": formats.pack_e2m1(mxfp4),
        "mxfp4_scale": mxfp4_scale,
        "nvfp4": formats.pack_e2m1(nvfp4),
        "nvfp4_scale": nvfp4_scale,
    }


def _mx(x: NDArray[np.float32], element: formats.Format, top_exponent: int) -> tuple[Codes, Codes]:
    """The scale is the power of two at or below amax, over the element format's largest power of two."""
    blocks, amax, broken = _blocks(x, MX_BLOCK)
    scale = formats.encode_e8m0(amax * 2.0**-top_exponent)
    codes = element.encode(blocks / formats.decode_e8m0(scale)[..., None])
    return _cleared(codes, broken).reshape(x.shape), np.where(broken, formats.E8M0_NAN, scale).astype(np.uint8)


def _nvfp4(x: NDArray[np.float32], tensor_scale: np.float32) -> tuple[Codes, Codes]:
    """The scale is amax / 6 / tensor_scale in e4m3. All divisions are float32's, as on the hardware."""
    blocks, amax, broken = _blocks(x, NV_BLOCK)
    scale = formats.E4M3.encode(amax.astype(np.float32) / np.float32(6) / tensor_scale)
    unit = formats.E4M3.decode(scale).astype(np.float32) * tensor_scale
    quotient = blocks.astype(np.float32) / np.where(unit == 0, np.float32(1), unit)[..., None]
    codes = _cleared(formats.E2M1.encode(quotient), broken | (unit == 0))
    return codes.reshape(x.shape), np.where(broken, E4M3_NAN, scale).astype(np.uint8)


def _blocks(x: NDArray[np.float32], width: int) -> tuple[Values, Values, Flags]:
    blocks: Values = x.astype(np.float64).reshape(x.shape[0], -1, width)
    broken: Flags = np.asarray(~np.isfinite(blocks).all(axis=-1))
    blocks = np.where(broken[..., None], 0.0, blocks)
    amax: Values = np.abs(blocks).max(axis=-1)
    return blocks, amax, broken


def _cleared(codes: Codes, blocks: Flags) -> Codes:
    return np.where(blocks[..., None], 0, codes).astype(np.uint8)
