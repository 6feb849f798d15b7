"""Holds an answer against the oracle and says in words what is wrong with it.

Errors are measured row by row over the last axis and the worst row counts: a mean over a tensor hides a lost
tile, and a share of matching elements lets an answer of zeros pass.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels_ref.lib.inputs import Inputs, Sizes, storage, store
from kernels_ref.lib.kernel import Kernel, Tolerance

Array = NDArray[Any]
Outputs = Mapping[str, Array]
Run = Callable[..., Outputs]

GUARD = 64  # elements on each side of a buffer
POISON = 0xA5  # the byte that fills integers; floats are filled with NaN
_MANTISSA_BITS = {"f64": 52, "f32": 23, "f16": 10, "bf16": 7}


@dataclass(frozen=True, slots=True)
class Finding:
    """One property that does not hold."""

    output: str
    property: str
    words: str

    def __str__(self) -> str:
        return f"{self.output}: {self.property}: {self.words}"


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of one check; none means that the answer holds."""

    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether every property holds."""
        return not self.findings

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or "every property holds"


@dataclass(frozen=True, slots=True)
class Guarded:
    """An array inside a larger buffer whose two ends nobody may touch."""

    view: Array
    buffer: Array

    @classmethod
    def copy(cls, values: Array) -> Guarded:
        """A guarded copy of an input."""
        guarded = cls.poisoned(values.shape, values.dtype)
        guarded.view[...] = values
        return guarded

    @classmethod
    def poisoned(cls, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Guarded:
        """A guarded output that holds poison until it is written."""
        size = int(np.prod(shape))
        buffer = np.full(size + 2 * GUARD, _poison(dtype), dtype=dtype)
        return cls(buffer[GUARD : GUARD + size].reshape(shape), buffer)

    def touched(self) -> int | None:
        """The offset from the array's start of the first guard element written, if one was."""
        clean = _bits(np.full(1, _poison(self.buffer.dtype), dtype=self.buffer.dtype))[0]
        changed = _bits(self.buffer) != clean
        changed[GUARD : self.buffer.size - GUARD] = False
        return int(np.argmax(changed)) - GUARD if changed.any() else None


def check(
    kernel: Kernel, sizes: Sizes, run: Run, inputs: Inputs, want: Outputs, eager: Outputs | None = None
) -> Report:
    """Runs an answer on guarded copies of the inputs and compares all its outputs.

    An answer that takes `out` gets a dict of poisoned, guarded arrays to fill; any other returns its own.
    """
    guarded = {name: Guarded.copy(value) for name, value in inputs.items() if isinstance(value, np.ndarray)}
    targets = {
        name: Guarded.poisoned(kernel.shape(tensor, sizes), storage(tensor.dtype))
        for name, tensor in kernel.outputs.items()
    }
    arguments = inputs | {name: guard.view for name, guard in guarded.items()}
    if "out" in inspect.signature(run).parameters:
        run(**arguments, out={name: guard.view for name, guard in targets.items()})
        got: Outputs = {name: guard.view for name, guard in targets.items()}
    else:
        got = run(**arguments)
    findings = [*_intrusions(guarded, inputs), *_overruns(targets), *compare(kernel, got, want, eager).findings]
    return Report(tuple(findings))


def compare(kernel: Kernel, got: Outputs, want: Outputs, eager: Outputs | None = None) -> Report:
    """Every output against the oracle's, under the kernel's tolerances."""
    findings: list[Finding] = []
    for name, tensor in kernel.outputs.items():
        if name not in got:
            findings.append(
                Finding(name, "present", f"missing; the answer returned {', '.join(sorted(got)) or 'nothing'}")
            )
        elif np.shape(got[name]) != np.shape(want[name]):
            words = f"got {np.shape(got[name])}, want {np.shape(want[name])}"
            findings.append(Finding(name, "shape", words))
        else:
            rival = None if eager is None else np.asarray(eager[name])
            pair = np.asarray(got[name]), np.asarray(want[name])
            found = _differences(*pair, rival, kernel.tolerance[name], tensor.dtype)
            findings += [Finding(name, prop, words) for prop, words in found]
    return Report(tuple(findings))


def row_errors(got: Array, want: Array) -> NDArray[np.float64]:
    """The norm of each row's difference over the norm of the row; nonfinite elements count as equal."""
    got, want = _rows(got), _rows(want)
    finite = np.isfinite(got) & np.isfinite(want)
    got, want = np.where(finite, got, 0.0), np.where(finite, want, 0.0)
    difference, size = np.linalg.norm(got - want, axis=1), np.linalg.norm(want, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(difference == 0, 0.0, difference / size)


def _differences(
    got: Array, want: Array, eager: Array | None, limits: Tolerance, dtype: str
) -> Iterator[tuple[str, str]]:
    if limits.exact:
        yield from _exact(got, want)
        return
    got, want = got.astype(np.float64), want.astype(np.float64)
    if limits.nonfinite is not None:
        yield from _nonfinite(got, want)
    if limits.normwise is not None:
        yield from _normwise(got, want, limits.normwise)
    if limits.abs is not None:
        yield from _absolute(got, want, limits.abs)
    if limits.ulp is not None:
        yield from _ulps(got, want, limits.ulp, dtype)
    if limits.vs_eager is not None and eager is not None:
        yield from _vs_eager(got, want, eager.astype(np.float64), limits.vs_eager, dtype)


def _exact(got: Array, want: Array) -> Iterator[tuple[str, str]]:
    want = want.astype(got.dtype)
    bad = _bits(got) != _bits(want)
    if bad.any():
        yield "exact", f"{np.count_nonzero(bad)} of {bad.size} differ; {_first_bad(bad, got, want)}"


def _nonfinite(got: Array, want: Array) -> Iterator[tuple[str, str]]:
    masks: dict[str, Callable[[Array], Array]] = {"NaN": np.isnan, "+inf": np.isposinf, "-inf": np.isneginf}
    for name, mask in masks.items():
        bad = mask(got) != mask(want)
        if bad.any():
            hint = "; NaN where a number belongs can be the poison of an unwritten output" if name == "NaN" else ""
            yield "nonfinite", f"{name} in the wrong places; {_first_bad(bad, got, want)}{hint}"


def _normwise(got: Array, want: Array, limit: float) -> Iterator[tuple[str, str]]:
    errors = row_errors(got, want)
    if not (errors > limit).any():
        return
    row = int(np.argmax(errors > limit))
    distance = _finite_difference(_rows(got)[row], _rows(want)[row])
    bad = np.zeros(_rows(want).shape, dtype=bool)
    bad[row, np.argmax(distance)] = True  # the farthest element of the first row that fails
    count = np.count_nonzero(errors > limit)
    yield (
        "normwise",
        (
            f"the worst row is off by {errors.max():.3g} of its norm, {limit:g} is allowed; "
            f"{count} of {errors.size} rows fail; {_first_bad(bad.reshape(want.shape), got, want)}"
        ),
    )


def _absolute(got: Array, want: Array, limit: float) -> Iterator[tuple[str, str]]:
    difference = _finite_difference(got, want)
    if (difference > limit).any():
        words = f"off by up to {difference.max():.3g}, {limit:g} is allowed"
        yield "abs", f"{words}; {_first_bad(difference > limit, got, want)}"


def _ulps(got: Array, want: Array, limit: int, dtype: str) -> Iterator[tuple[str, str]]:
    nearest = store(want, dtype).astype(np.float64)
    steps = _finite_difference(got, nearest) / _ulp(nearest, dtype)
    if (steps > limit).any():
        words = f"off by up to {steps.max():.3g} units in the last place, {limit} allowed"
        yield "ulp", f"{words}; {_first_bad(steps > limit, got, nearest)}"


def _vs_eager(got: Array, want: Array, eager: Array, factor: float, dtype: str) -> Iterator[tuple[str, str]]:
    ours, theirs = _finite_difference(got, want), _finite_difference(eager, want)
    largest = np.abs(want[np.isfinite(want)]).max(initial=0.0)
    limit = factor * theirs.max(initial=0.0) + float(_ulp(np.asarray(largest), dtype))
    if (ours > limit).any():
        words = f"off by up to {ours.max():.3g} where eager is off by {theirs.max():.3g}, {limit:.3g} is allowed"
        yield "vs_eager", f"{words}; {_first_bad(ours > limit, got, want)}"


def _intrusions(guarded: Mapping[str, Guarded], inputs: Inputs) -> Iterator[Finding]:
    for name, guard in guarded.items():
        bad = _bits(guard.view) != _bits(inputs[name])
        if bad.any():
            yield Finding(name, "inputs untouched", f"changed by the run; {_first_bad(bad, guard.view, inputs[name])}")
    yield from _overruns(guarded)


def _overruns(guarded: Mapping[str, Guarded]) -> Iterator[Finding]:
    for name, guard in guarded.items():
        offset = guard.touched()
        if offset is not None:
            side = "before its start" if offset < 0 else "past its end"
            yield Finding(name, "guard zone", f"element {offset} was written, {side}")


def _first_bad(bad: Array, got: Array, want: Array) -> str:
    index = tuple(int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape))
    return f"first at {list(index)}: got {got[index]}, want {want[index]}"


def _finite_difference(got: Array, want: Array) -> Array:
    finite = np.isfinite(got) & np.isfinite(want)
    return np.asarray(np.abs(np.where(finite, got, 0.0) - np.where(finite, want, 0.0)))


def _ulp(values: Array, dtype: str) -> Array:
    """The step between neighbours of a dtype at each value."""
    finite = np.where(np.isfinite(values), np.abs(values), 0.0)
    smallest = -126 if dtype in ("f32", "bf16") else -14 if dtype == "f16" else -1022
    exponent = np.maximum(np.frexp(finite)[1] - 1, smallest)
    return np.asarray(np.ldexp(1.0, exponent - _MANTISSA_BITS[dtype]))


def _rows(values: Array) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    return array.reshape(-1, array.shape[-1]) if array.ndim and array.size else array.reshape(1, -1)


def _bits(values: Array) -> Array:
    bits: Array = np.ascontiguousarray(values).view(f"u{values.dtype.itemsize}").reshape(values.shape)
    return bits


def _poison(dtype: np.dtype[Any]) -> Any:
    if dtype.kind == "f":
        return np.nan
    return True if dtype.kind == "b" else np.frombuffer(bytes([POISON]) * dtype.itemsize, dtype=dtype)[0]
