"""The checker has teeth: each kind of wrong answer is found, and said in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kernels_ref.lib.answers import oracle
from kernels_ref.lib.check import GUARD, Guarded, check, compare, row_errors
from kernels_ref.lib.formats import to_bfloat16
from kernels_ref.lib.inputs import generate
from kernels_ref.lib.loader import load_all

KERNELS = load_all()
Answer = Callable[..., dict[str, Any]]


def softmax(x: np.ndarray) -> dict[str, np.ndarray]:
    return {"out": to_bfloat16(oracle(KERNELS["softmax"])(x)["out"])}


def zeros(x: np.ndarray) -> dict[str, np.ndarray]:
    return {"out": np.zeros_like(x)}


def drops_the_tail(x: np.ndarray) -> dict[str, np.ndarray]:
    out = softmax(x)["out"]
    out[:, -40:] = 0
    return {"out": out}


def loses_one_row(x: np.ndarray) -> dict[str, np.ndarray]:
    out = softmax(x)["out"]
    out[36] *= 1.02
    return {"out": out}


def nan_in_a_corner(x: np.ndarray) -> dict[str, np.ndarray]:
    out = softmax(x)["out"]
    out[36, 780] = np.nan
    return {"out": out}


def changes_its_input(x: np.ndarray) -> dict[str, np.ndarray]:
    out = softmax(x)["out"]
    x[2, 3] = 7
    return {"out": out}


def runs_past_the_end(x: np.ndarray, out: dict[str, np.ndarray]) -> None:
    out["out"][...] = softmax(x)["out"]
    out["out"].base[GUARD + x.size] = 1.0


def runs_before_its_input(x: np.ndarray) -> dict[str, np.ndarray]:
    x.base[GUARD - 1] = 1.0
    return softmax(x)


def forgets_the_last_row(x: np.ndarray, out: dict[str, np.ndarray]) -> None:
    out["out"][:-1] = softmax(x)["out"][:-1]


@pytest.mark.parametrize(
    ("wrong", "property", "words"),
    [
        (zeros, "normwise", "37 of 37 rows"),
        (drops_the_tail, "normwise", "first at [0, 7"),
        (loses_one_row, "normwise", "1 of 37 rows fail; first at [36, "),
        (nan_in_a_corner, "nonfinite", "first at [36, 780]: got nan, want"),
        (changes_its_input, "inputs untouched", "first at [2, 3]: got 7.0, want"),
        (runs_past_the_end, "guard zone", "element 28897 was written, past its end"),
        (runs_before_its_input, "guard zone", "element -1 was written, before its start"),
        (forgets_the_last_row, "nonfinite", "first at [36, 0]: got nan"),
        (lambda x: {"out": softmax(x)["out"].T}, "shape", "got (781, 37), want (37, 781)"),
        (lambda x: {"y": x}, "present", "returned y"),
    ],
)
def test_a_wrong_answer_is_found_and_explained(wrong: Answer, property: str, words: str) -> None:
    report = run_softmax(wrong)
    assert not report.passed
    assert any(finding.property == property and words in finding.words for finding in report.findings), str(report)


def test_a_right_answer_passes_whether_it_returns_or_fills() -> None:
    def fills(x: np.ndarray, out: dict[str, np.ndarray]) -> None:
        out["out"][...] = softmax(x)["out"]

    for answer in (softmax, fills):
        report = run_softmax(answer)
        assert report.passed, str(report)
        assert str(report) == "every property holds"


def test_an_answer_far_behind_eager_fails_even_within_the_loose_bound() -> None:
    kernel = KERNELS["lse-merge"]
    want = oracle(kernel)(**generate(kernel, kernel.workload("odd"), 0))
    eager = want | {"out": want["out"] * (1 + 1e-7)}
    assert compare(kernel, eager, want, eager).passed
    report = compare(kernel, want | {"out": want["out"] * (1 + 9e-6)}, want, eager)
    assert [finding.property for finding in report.findings] == ["vs_eager"]


def test_exact_means_bits_so_negative_zero_is_no_zero() -> None:
    kernel = KERNELS["transpose"]
    report = compare(kernel, {"out": np.float32([[-0.0, 1.0]])}, {"out": np.float32([[0.0, 1.0]])})
    assert "first at [0, 0]: got -0.0, want 0.0" in str(report)


def test_one_unit_in_the_last_place_is_seen() -> None:
    kernel = KERNELS["vector-add"]
    want = np.array([1.5, 3e-39, -7.0])
    good = want.astype(np.float32)
    assert compare(kernel, {"out": good}, {"out": want}).passed
    assert not compare(kernel, {"out": np.nextafter(good, np.float32(np.inf))}, {"out": want}).passed


def test_the_worst_row_counts_and_a_zero_row_allows_nothing() -> None:
    want = np.array([[3.0, 4.0], [0.0, 0.0], [1e-9, 0.0]])
    got = np.array([[3.0, 4.0], [0.0, 1e-30], [2e-9, 0.0]])
    assert row_errors(got, want).tolist() == [0, np.inf, 1]


def test_guards_hold_for_integers_and_empty_arrays_too() -> None:
    for dtype in (np.int32, np.uint8, np.float32, np.bool_):
        guarded = Guarded.poisoned((0, 4), np.dtype(dtype))
        assert guarded.touched() is None
        guarded.buffer[-1] = 0
        assert guarded.touched() == GUARD - 1


def run_softmax(answer: Answer) -> Any:
    kernel = KERNELS["softmax"]
    workload = kernel.workload("odd")
    inputs = generate(kernel, workload, 0)
    return check(kernel, kernel.sizes(workload), answer, inputs, oracle(kernel)(**inputs))
