"""The codecs, exhaustively over codes and against exact rational arithmetic over values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from kernels_ref.lib import formats
from kernels_ref.lib.formats import E2M1, E4M3, E5M2, Format

FORMATS = [E4M3, E5M2, E2M1]
TOP = {"e4m3": 448.0, "e5m2": 57344.0, "e2m1": 6.0}


def codes_of(element: Format) -> np.ndarray:
    return np.arange(2 * element.sign, dtype=np.uint8)


def dumb_decode(element: Format, code: int) -> Fraction:
    exponent = code >> element.mantissa_bits & (1 << element.exponent_bits) - 1
    fraction = Fraction(code & (1 << element.mantissa_bits) - 1, 1 << element.mantissa_bits)
    value = (fraction + 1) * Fraction(2) ** (exponent - element.bias)
    if exponent == 0:
        value = fraction * Fraction(2) ** (1 - element.bias)
    return -value if code & element.sign else value


def dumb_encode(element: Format, value: float) -> int:
    """The nearest of all finite codes; of two equally near the even one; saturating."""
    exact = abs(Fraction(value))
    code = min(range(element.finite), key=lambda code: (abs(dumb_decode(element, code) - exact), code % 2))
    return code | (element.sign if np.signbit(value) else 0)


@pytest.mark.parametrize("element", FORMATS, ids=lambda element: element.name)
def test_every_finite_code_decodes_to_its_bits_and_back(element: Format) -> None:
    values = element.decode(codes_of(element))
    finite = np.isfinite(values)
    assert element.max == TOP[element.name]
    assert [float(dumb_decode(element, int(code))) for code in codes_of(element)[finite]] == values[finite].tolist()
    assert np.array_equal(element.encode(values[finite]), codes_of(element)[finite])


@pytest.mark.parametrize("element", FORMATS, ids=lambda element: element.name)
def test_values_midpoints_and_their_neighbours_round_half_to_even(element: Format) -> None:
    grid = element.decode(np.arange(element.finite))
    middle = (grid[:-1] + grid[1:]) / 2
    rng = np.random.default_rng(7)
    values = np.concatenate([middle, np.nextafter(middle, 0), np.nextafter(middle, np.inf), grid,
                             rng.standard_normal(300) * element.max / 3, [1e9, 5e-324, 0.0]])  # fmt: skip
    values = np.concatenate([values, -values])
    assert element.encode(values).tolist() == [dumb_encode(element, value) for value in values]


def test_overflow_is_what_was_asked_for() -> None:
    beyond = [464.0, 464.1, 1e30, np.inf, -np.inf]
    assert E4M3.decode(E4M3.encode(beyond)).tolist() == [448, 448, 448, 448, -448]
    assert np.isnan(E4M3.decode(E4M3.encode(beyond, "nonfinite"))).tolist() == [False, True, True, True, True]
    assert E5M2.decode(E5M2.encode([61439.9, 61440.0, -np.inf], "nonfinite")).tolist() == [57344, np.inf, -np.inf]
    assert E2M1.decode(E2M1.encode([7.0, -np.inf], "nonfinite")).tolist() == [6, -6]


def test_nan_stays_nan_where_the_format_has_one() -> None:
    assert np.isnan(E4M3.decode(E4M3.encode([np.nan]))).all()
    assert np.isnan(E5M2.decode(E5M2.encode([np.nan]))).all()
    assert E2M1.decode(E2M1.encode([np.nan])).tolist() == [6]


def test_codecs_agree_with_torch_on_every_half_float() -> None:
    torch = pytest.importorskip("torch")
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float64)
    small = halves[np.abs(halves) <= 448]
    for element, dtype in ((E4M3, torch.float8_e4m3fn), (E5M2, torch.float8_e5m2)):
        theirs = torch.from_numpy(small).to(torch.float32).to(dtype).view(torch.uint8).numpy()
        assert np.array_equal(element.encode(small), theirs)


def test_every_scale_round_trips_and_rounds_as_told() -> None:
    codes = np.arange(255, dtype=np.uint8)
    values = formats.decode_e8m0(codes)
    assert values[127] == 1
    assert np.isnan(formats.decode_e8m0([255])).all()
    for rounding in ("floor", "ceil", "even"):
        assert np.array_equal(formats.encode_e8m0(values, rounding), codes)
    asked = [3.0, 2.9, 3.1, 6.0, 0.0, np.inf, np.nan, 1e-300]
    assert formats.encode_e8m0(asked, "floor").tolist() == [128, 128, 128, 129, 0, 254, 255, 0]
    assert formats.encode_e8m0(asked, "ceil").tolist() == [129, 129, 129, 130, 0, 254, 255, 0]
    assert formats.encode_e8m0(asked, "even").tolist() == [128, 128, 129, 130, 0, 254, 255, 0]


def test_packing_puts_the_even_column_in_the_low_half() -> None:
    assert formats.pack_e2m1([[1, 2, 15, 0]]).tolist() == [[0x21, 0x0F]]
    codes = np.arange(32, dtype=np.uint8).reshape(2, 16) % 16
    assert np.array_equal(formats.unpack_e2m1(formats.pack_e2m1(codes)), codes)


def test_bfloat16_rounds_as_torch_does() -> None:
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(3)
    values = rng.integers(0, 1 << 32, 100_000, dtype=np.uint32).view(np.float32)
    theirs = torch.from_numpy(values).to(torch.bfloat16).to(torch.float32).numpy()
    assert np.array_equal(formats.to_bfloat16(values), theirs, equal_nan=True)
