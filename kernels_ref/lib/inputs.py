"""Seeded inputs for a workload: the default draw, the special tensors, and the hard cases by name.

Draws come from PCG64, so one seed gives the same bits on every machine. A bf16 tensor is a float32 array whose
values bf16 can hold; e4m3 and its like are uint8 codes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernels_ref.lib.formats import to_bfloat16
from kernels_ref.lib.kernel import Kernel, Tensor, Workload

Array = NDArray[Any]
Inputs = dict[str, Any]  # arrays, and Python scalars where the shape is null
Sizes = Mapping[str, int]

FAR_BLOCK = 2147480000  # a page number that any read of it must crash on
_STORAGE = {
    "f64": np.float64, "f32": np.float32, "tf32": np.float32, "f16": np.float16, "bf16": np.float32,
    "e4m3": np.uint8, "e5m2": np.uint8, "e2m1x2": np.uint8, "e8m0": np.uint8,
    "i64": np.int64, "i32": np.int32, "i8": np.int8, "u8": np.uint8, "bool": np.bool_,
}  # fmt: skip


def storage(dtype: str) -> np.dtype[Any]:
    """The NumPy type that carries a dtype of kernel.json."""
    return np.dtype(_STORAGE[dtype])


def store(values: Array, dtype: str) -> Array:
    """Values in a dtype, rounded the way the hardware stores them."""
    return to_bfloat16(values) if dtype == "bf16" else values.astype(storage(dtype))


def generate(kernel: Kernel, workload: Workload, seed: int, case: str | None = None) -> Inputs:
    """The inputs of a workload: the default draw, or one of the adversarial cases over it."""
    rng = np.random.Generator(np.random.PCG64(seed))
    inputs = {name: _draw(kernel, workload, name, rng) for name in kernel.inputs}
    if case is not None:
        _CASES[case](inputs, rng)
        inputs = {name: _stored(value, kernel.inputs[name]) for name, value in inputs.items()}
    return inputs


def special(kernel: Kernel, workload: Workload, seed: int, only_scalars: bool = False) -> Inputs:
    """The inputs that are no plain normal draw; the others are large, and a device draws them itself."""
    rng = np.random.Generator(np.random.PCG64(seed))
    names = kernel.inputs_gen.special if kernel.inputs_gen else {}
    chosen = (name for name in names if kernel.inputs[name].shape is None or not only_scalars)
    return {name: _draw(kernel, workload, name, rng) for name in chosen}


def cases() -> frozenset[str]:
    """The names of the adversarial cases."""
    return frozenset(_CASES)


def _draw(kernel: Kernel, workload: Workload, name: str, rng: np.random.Generator) -> Any:
    tensor, sizes = kernel.inputs[name], kernel.sizes(workload)
    special = kernel.inputs_gen.special if kernel.inputs_gen else {}
    make, _, axis = special.get(name, "normal").partition(":")
    return _stored(_GENERATORS[make](kernel.shape(tensor, sizes), sizes, rng, axis), tensor)


def _stored(value: Any, tensor: Tensor) -> Any:
    if tensor.shape is None:
        return storage(tensor.dtype).type(value).item()
    return store(value, tensor.dtype)


def _normal(shape: tuple[int, ...], sizes: Sizes, rng: np.random.Generator, axis: str) -> Array:
    return rng.standard_normal(shape)


def _attention_scale(shape: tuple[int, ...], sizes: Sizes, rng: np.random.Generator, axis: str) -> float:
    return float(sizes[axis] ** -0.5)


def _epsilon(shape: tuple[int, ...], sizes: Sizes, rng: np.random.Generator, axis: str) -> float:
    return 1e-6


def _axis_value(shape: tuple[int, ...], sizes: Sizes, rng: np.random.Generator, axis: str) -> int:
    return sizes[axis]


def _full_length(shape: tuple[int, ...], sizes: Sizes, rng: np.random.Generator, axis: str) -> Array:
    return np.full(shape, sizes[axis])


def _shuffled_pages(shape: tuple[int, ...], sizes: Sizes, rng: np.random.Generator, axis: str) -> Array:
    """Every page once, in no order: a kernel that ignores the table reads the wrong page."""
    return rng.permutation(sizes[axis])[: int(np.prod(shape))].reshape(shape)


def _log_sum_exp(shape: tuple[int, ...], sizes: Sizes, rng: np.random.Generator, axis: str) -> Array:
    """Logarithms of sums over a few hundred scores, some sets heavier than others."""
    return 5.0 + 2.0 * rng.standard_normal(shape)


def _tensor_scale(shape: tuple[int, ...], sizes: Sizes, rng: np.random.Generator, axis: str) -> float:
    """What brings the largest of a normal tensor near the top of e4m3 scales times e2m1 elements."""
    return 6.0 / (448.0 * 6.0)


_GENERATORS: dict[str, Callable[[tuple[int, ...], Sizes, np.random.Generator, str], Any]] = {
    "normal": _normal,
    "attention_scale": _attention_scale,
    "epsilon": _epsilon,
    "axis": _axis_value,
    "full_length": _full_length,
    "shuffled_pages": _shuffled_pages,
    "log_sum_exp": _log_sum_exp,
    "tensor_scale": _tensor_scale,
}


def _first(inputs: Inputs) -> Array:
    """The tensor that a case speaks of: the first of the kernel."""
    array: Array = next(value for value in inputs.values() if isinstance(value, np.ndarray))
    return array


# Rows: the last axis is reduced.


def _all_neg_inf_row(inputs: Inputs, rng: np.random.Generator) -> None:
    _first(inputs)[0] = -np.inf


def _one_pos_inf(inputs: Inputs, rng: np.random.Generator) -> None:
    _first(inputs)[0, -1] = np.inf


def _nan_in_one_row(inputs: Inputs, rng: np.random.Generator) -> None:
    _first(inputs)[0, -1] = np.nan


def _fp16_extremes(inputs: Inputs, rng: np.random.Generator) -> None:
    array = _first(inputs)
    array[...] = rng.choice([-6e4, 6e4], array.shape)


def _constant(inputs: Inputs, rng: np.random.Generator) -> None:
    _first(inputs)[...] = 3.0


def _zeros(inputs: Inputs, rng: np.random.Generator) -> None:
    _first(inputs)[...] = 0.0


def _negative_zeros(inputs: Inputs, rng: np.random.Generator) -> None:
    _first(inputs)[...] = -0.0


def _max_last(inputs: Inputs, rng: np.random.Generator) -> None:
    _first(inputs)[..., -1] = 100.0


def _denormals(inputs: Inputs, rng: np.random.Generator) -> None:
    array = _first(inputs)
    array[...] = rng.integers(-64, 65, array.shape) * 2.0**-133


def _near_epsilon(inputs: Inputs, rng: np.random.Generator) -> None:
    """Squares of the size of eps: where it stands in the formula shows."""
    _first(inputs)[...] *= 1e-3


# Products and sums: answers that are exact, and operands that cancel.


def _small_integers(inputs: Inputs, rng: np.random.Generator) -> None:
    for name, value in inputs.items():
        if isinstance(value, np.ndarray):
            inputs[name] = rng.integers(-8, 9, value.shape).astype(value.dtype)


def _cancelling_columns(inputs: Inputs, rng: np.random.Generator) -> None:
    """The sum over k cancels but for its odd last term."""
    a, b = inputs["a"], inputs["b"]
    half = a.shape[1] // 2
    a[:, half : 2 * half] = -a[:, :half]
    b[half : 2 * half] = b[:half]


def _huge_row(inputs: Inputs, rng: np.random.Generator) -> None:
    _first(inputs)[0] *= 1e4


def _identity(inputs: Inputs, rng: np.random.Generator) -> None:
    inputs["a"] = np.eye(*inputs["a"].shape)


def _permutation(inputs: Inputs, rng: np.random.Generator) -> None:
    rows, columns = inputs["a"].shape
    inputs["a"] = np.eye(columns)[rng.permutation(columns)][np.arange(rows) % columns]


def _unique_values(inputs: Inputs, rng: np.random.Generator) -> None:
    """No value twice, so that one moved to a wrong place shows."""
    array = _first(inputs)
    array[...] = np.arange(array.size).reshape(array.shape)


# Partial softmax states.


def _empty_partials(inputs: Inputs, rng: np.random.Generator) -> None:
    """A state over no keys weighs nothing, whatever its output holds."""
    inputs["lse"][0] = -np.inf
    inputs["o"][0] = np.nan


def _all_empty(inputs: Inputs, rng: np.random.Generator) -> None:
    inputs["lse"][:] = -np.inf
    inputs["o"][:] = np.nan


def _one_dominates(inputs: Inputs, rng: np.random.Generator) -> None:
    inputs["lse"][-1] += 1e4


# Attention.


def _huge_logit(inputs: Inputs, rng: np.random.Generator) -> None:
    inputs["q"][...] *= 1e3


def _equal_logits(inputs: Inputs, rng: np.random.Generator) -> None:
    """All scores zero: the output is the mean of V."""
    inputs["q"][...] = 0.0


def _one_hot_values(inputs: Inputs, rng: np.random.Generator) -> None:
    """V is one in one column of one key only: the output reads that key's weight."""
    inputs["v"][...] = 0.0
    inputs["v"][..., :1, 0] = 1.0


def _ragged(inputs: Inputs, rng: np.random.Generator) -> None:
    lengths = inputs["seq_lens"]
    inputs["seq_lens"] = rng.integers(1, lengths + 1)


def _zero_length(inputs: Inputs, rng: np.random.Generator) -> None:
    inputs["seq_lens"][0] = 0


def _repeated_pages(inputs: Inputs, rng: np.random.Generator) -> None:
    inputs["block_table"][...] = inputs["block_table"][0]


def _poisoned_tail(inputs: Inputs, rng: np.random.Generator) -> None:
    """Ragged lengths; NaN wherever no token lies, and far page numbers where no page is needed."""
    _ragged(inputs, rng)
    caches = [value for name, value in inputs.items() if name.startswith(("k_cache", "v_cache", "kv"))]
    per_page, table = caches[0].shape[1], inputs["block_table"]
    used = np.zeros(caches[0].shape[:2], dtype=bool)
    for row, length in enumerate(inputs["seq_lens"]):
        tokens = np.arange(length)
        used[table[row, tokens // per_page], tokens % per_page] = True
        table[row, -(-int(length) // per_page) :] = FAR_BLOCK
    for cache in caches:
        cache[~used] = np.nan


# Formats.


def _ties(inputs: Inputs, rng: np.random.Generator) -> None:
    """Multiples of 1/4 up to 6: every value of e2m1 and every midpoint between two."""
    array = _first(inputs)
    array[...] = np.resize(np.arange(-24, 25) / 4.0, array.shape)


def _block_of_zeros(inputs: Inputs, rng: np.random.Generator) -> None:
    _first(inputs)[:, :32] = 0.0


def _nonfinite_blocks(inputs: Inputs, rng: np.random.Generator) -> None:
    array = _first(inputs)
    array[0, 0], array[-1, -1] = np.nan, np.inf


_CASES: dict[str, Callable[[Inputs, np.random.Generator], None]] = {
    function.__name__.lstrip("_"): function
    for function in (
        _all_neg_inf_row, _one_pos_inf, _nan_in_one_row, _fp16_extremes, _constant, _zeros, _negative_zeros,
        _max_last, _denormals, _near_epsilon, _small_integers, _cancelling_columns, _huge_row, _identity, _permutation,
        _unique_values, _empty_partials, _all_empty, _one_dominates, _huge_logit, _equal_logits,
        _one_hot_values, _ragged, _zero_length, _repeated_pages, _poisoned_tail, _ties, _block_of_zeros,
        _nonfinite_blocks,
    )
}  # fmt: skip
