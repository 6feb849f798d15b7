"""Bit-exact codecs of the small formats: e4m3, e5m2, e2m1 (elements) and e8m0 (scales).

A code is a uint8. Positive finite codes rise with their value, so encoding is: round the magnitude to the
format's grid (half to even), then find it in the table of decoded values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Codes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Overflow = Literal["saturate", "nonfinite"]
Rounding = Literal["floor", "ceil", "even"]

E8M0_BIAS = 127
E8M0_NAN = 0xFF


@dataclass(frozen=True)
class Format:
    """A sign, exponent and mantissa layout; `finite` counts the codes from zero to the largest value."""

    name: str
    exponent_bits: int
    mantissa_bits: int
    bias: int
    finite: int
    infinity: int | None
    nan: int | None

    @property
    def sign(self) -> int:
        """The sign bit of a code."""
        return 1 << (self.exponent_bits + self.mantissa_bits)

    @property
    def max(self) -> float:
        """The largest finite value."""
        return float(self._magnitudes[-1])

    @cached_property
    def _magnitudes(self) -> Floats:
        """The value of each positive finite code, by code."""
        exponent, fraction = np.divmod(np.arange(self.finite), 1 << self.mantissa_bits)
        normal = exponent > 0
        significand = fraction + normal * (1 << self.mantissa_bits)
        shift = np.maximum(exponent, 1) - self.bias - self.mantissa_bits
        return np.asarray(np.ldexp(significand.astype(np.float64), shift))

    def decode(self, codes: ArrayLike) -> Floats:
        """The value of each code."""
        code = np.asarray(codes, dtype=np.uint8)
        table = np.full(self.sign, np.nan)
        table[: self.finite] = self._magnitudes
        if self.infinity is not None:
            table[self.infinity] = np.inf
        values = table[code & (self.sign - 1)]
        return np.asarray(np.where(code & self.sign, -values, values))

    def encode(self, values: ArrayLike, overflow: Overflow = "saturate") -> Codes:
        """The nearest code, ties to the even one.

        Saturating, whatever is too large becomes the largest finite value, infinities too. Otherwise it becomes
        infinity, or NaN in a format without one. NaN stays NaN; e2m1 has none and takes its largest value, as
        the conversion instructions of the hardware do.
        """
        value = np.asarray(values, dtype=np.float64)
        missing = np.isnan(value)
        rounded = self._round(np.where(missing, 0.0, np.abs(value)))
        code = np.searchsorted(self._magnitudes, np.minimum(rounded, self.max)).astype(np.uint8)
        code = np.where(rounded > self.max, self._overflow_code(overflow), code)
        code = np.where(missing, self.finite - 1 if self.nan is None else self.nan, code)
        negative = np.signbit(value) & ~missing
        return (code | np.where(negative, self.sign, 0)).astype(np.uint8)

    def _round(self, magnitude: Floats) -> Floats:
        """A magnitude on the grid, exponents above the format's own allowed."""
        exponent = np.maximum(np.frexp(magnitude)[1] - 1, 1 - self.bias)
        quantum = np.ldexp(1.0, exponent - self.mantissa_bits)
        rounded: Floats = np.rint(magnitude / quantum) * quantum
        return rounded

    def _overflow_code(self, overflow: Overflow) -> int:
        special = self.nan if self.infinity is None else self.infinity
        return self.finite - 1 if overflow == "saturate" or special is None else special


E4M3 = Format("e4m3", 4, 3, bias=7, finite=0x7F, infinity=None, nan=0x7F)
E5M2 = Format("e5m2", 5, 2, bias=15, finite=0x7C, infinity=0x7C, nan=0x7E)
E2M1 = Format("e2m1", 2, 1, bias=1, finite=0x8, infinity=None, nan=None)


def decode_e8m0(codes: ArrayLike) -> Floats:
    """A power of two for each code; 0xFF is NaN."""
    code = np.asarray(codes, dtype=np.uint8)
    scale = np.ldexp(1.0, code.astype(np.int64) - E8M0_BIAS)
    return np.where(code == E8M0_NAN, np.nan, scale)


def encode_e8m0(values: ArrayLike, rounding: Rounding = "floor") -> Codes:
    """The power of two below, above or nearest (ties to the even exponent); clamped to the ends, NaN is 0xFF.

    The format has neither sign nor zero: the magnitude is taken, and zero becomes the smallest scale.
    """
    magnitude = np.abs(np.asarray(values, dtype=np.float64))
    missing = np.isnan(magnitude)
    fraction, exponent = np.frexp(np.where(missing, 1.0, magnitude))  # magnitude = fraction * 2**exponent
    code = exponent.astype(np.int64) - 1 + E8M0_BIAS
    if rounding == "ceil":
        code += fraction > 0.5
    elif rounding == "even":
        code += (fraction > 0.75) | ((fraction == 0.75) & (code % 2 == 1))
    code = np.where(magnitude == 0, 0, np.where(np.isinf(magnitude), E8M0_NAN - 1, np.clip(code, 0, E8M0_NAN - 1)))
    return np.where(missing, E8M0_NAN, code).astype(np.uint8)


def pack_e2m1(codes: ArrayLike) -> Codes:
    """Two codes a byte along the last axis, the even one in the low half."""
    code = np.asarray(codes, dtype=np.uint8)
    return (code[..., 0::2] | (code[..., 1::2] << 4)).astype(np.uint8)


def unpack_e2m1(packed: ArrayLike) -> Codes:
    """The codes of packed bytes, twice as many along the last axis."""
    byte = np.asarray(packed, dtype=np.uint8)
    return np.stack([byte & 0xF, byte >> 4], axis=-1).reshape(*byte.shape[:-1], 2 * byte.shape[-1])


def to_bfloat16(values: ArrayLike) -> NDArray[np.float32]:
    """The nearest bf16 values, ties to even, held as float32: NumPy has no bf16 of its own."""
    single = np.asarray(values, dtype=np.float32)
    bits = single.view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isfinite(single), rounded, single)
