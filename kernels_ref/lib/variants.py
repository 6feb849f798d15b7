"""Runs the file of a variant: NumPy inputs to torch tensors inside guard zones, and its outputs back.

A variant file has `run(**inputs) -> dict`: it takes the inputs of kernel.json by name, tensors on any device and
scalars as Python numbers, and returns the outputs by name in the dtypes that kernel.json states.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from kernels_ref.lib import answers
from kernels_ref.lib.check import GUARD, POISON, Finding, Report, check
from kernels_ref.lib.inputs import Inputs, generate
from kernels_ref.lib.kernel import Kernel, Workload

Tensors = dict[str, Any]  # tensors, and Python numbers where the shape is null
Function = Callable[..., Tensors]

DTYPES: Mapping[str, torch.dtype] = {
    "f64": torch.float64, "f32": torch.float32, "tf32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
    "e4m3": torch.uint8, "e5m2": torch.uint8, "e2m1x2": torch.uint8, "e8m0": torch.uint8,
    "i64": torch.int64, "i32": torch.int32, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trial:
    """One file at one workload, on the default draw or on a hard case."""

    file: str
    workload: str
    case: str | None
    report: Report


class Guards(TorchFunctionMode):
    """Puts guard zones round inputs and round whatever a run gets from `torch.empty`, which is poisoned too."""

    def __init__(self) -> None:
        super().__init__()
        self._fenced: list[tuple[str, torch.Tensor]] = []

    def __torch_function__(
        self, func: Any, types: Sequence[type], args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        """Replaces fresh memory by poisoned memory; everything else runs as it is."""
        result = func(*args, **(kwargs or {}))
        return self.fence(result, "memory of the run") if func in (torch.empty, torch.empty_like) else result

    def fence(self, tensor: torch.Tensor, name: str) -> torch.Tensor:
        """A poisoned tensor of the same kind between two guard zones."""
        buffer = torch.empty(tensor.numel() + 2 * GUARD, dtype=tensor.dtype, device=tensor.device)
        _fill_with_poison(buffer)
        self._fenced.append((name, buffer))
        return buffer[GUARD : GUARD + tensor.numel()].view(tensor.shape)

    def findings(self) -> Iterator[Finding]:
        """The guard zones that somebody wrote into."""
        for name, buffer in self._fenced:
            clean = buffer[:1].clone()
            _fill_with_poison(clean)
            zones = {"before its start": buffer[:GUARD], "past its end": buffer[-GUARD:]}
            for side, zone in zones.items():
                if bool((_bytes(zone).view(GUARD, -1) != _bytes(clean)).any()):
                    yield Finding(name, "guard zone", f"written {side}")


class Guarded:
    """A function over tensors as one over arrays, the way `check` calls it; `findings` tell what it touched."""

    def __init__(self, kernel: Kernel, function: Function, device: str) -> None:
        self._kernel, self._function, self._device = kernel, function, device
        self.findings: list[Finding] = []

    def __call__(self, **inputs: Any) -> dict[str, Any]:
        """The outputs as arrays; what the run did to its inputs is copied back for `check` to see."""
        guards = Guards()
        tensors = {name: self._inside(guards, name, value) for name, value in inputs.items()}
        before = {name: _bytes(value).clone() for name, value in tensors.items() if isinstance(value, torch.Tensor)}
        with guards:
            outputs = self._function(**tensors)
        self.findings += guards.findings()
        for name, bits in before.items():
            if not torch.equal(_bytes(tensors[name]), bits):
                inputs[name][...] = to_array(tensors[name])
        self.findings += _strange(self._kernel, outputs)
        return {name: to_array(value) for name, value in outputs.items() if isinstance(value, torch.Tensor)}

    def _inside(self, guards: Guards, name: str, value: Any) -> Any:
        tensor = to_tensor(value, self._kernel.inputs[name].dtype, self._device)
        return guards.fence(tensor, name).copy_(tensor) if isinstance(tensor, torch.Tensor) else tensor


def load(path: Path) -> Function:
    """The `run` of a variant file, which is executed; under TRITON_INTERPRET=1 its kernels are interpreted."""
    return answers.read(path, "run")


def to_tensor(value: Any, dtype: str, device: str = "cpu") -> Any:
    """An array as a tensor of the dtype that kernel.json states; a scalar stays what it is."""
    if not isinstance(value, np.ndarray):
        return value
    return torch.from_numpy(np.ascontiguousarray(value)).to(device=device, dtype=DTYPES[dtype])


def to_array(tensor: torch.Tensor) -> np.ndarray[Any, Any]:
    """A tensor as the array that carries its dtype: bf16 as float32, codes as uint8."""
    tensor = tensor.detach().cpu()
    if tensor.dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        tensor = tensor.view(torch.uint8)
    array: np.ndarray[Any, Any] = (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()
    return array


def baseline(kernel: Kernel) -> Path | None:
    """The file that a torch user would have written."""
    return next((kernel.folder / variant.file for variant in kernel.variants if variant.role == "baseline"), None)


def trials(
    kernel: Kernel, files: Sequence[Path], use: str = "interp", device: str = "cpu", until_failure: bool = False
) -> Iterator[Trial]:
    """Holds files against the oracle at every workload of a use, on the default draw and on each hard case.

    A baseline is what people use, not what we wish: it meets the default draw only. `until_failure` ends the
    trials of a file with the first that fails.
    """
    functions = {path: load(path) for path in files}
    for workload in (one for one in kernel.workloads if use in one.use):
        for case in (None, *_cases(kernel)):
            asked = [path for path in functions if case is None or path != baseline(kernel)]
            for path, report in _round(kernel, {path: functions[path] for path in asked}, workload, case, device):
                yield Trial(_name(kernel, path), workload.id, case, report)
                if until_failure and not report.passed:
                    del functions[path]


def _cases(kernel: Kernel) -> Iterator[str]:
    """The hard cases, but for the one that the interpreter fails itself: it loses the denormals of bf16."""
    bf16 = any(tensor.dtype == "bf16" for tensor in kernel.inputs.values())
    lost = "denormals" if bf16 and kernel.op_type == "row" and os.environ.get("TRITON_INTERPRET") == "1" else None
    yield from (case for case in (kernel.inputs_gen.adversarial if kernel.inputs_gen else ()) if case != lost)


def _round(
    kernel: Kernel, functions: Mapping[Path, Function], workload: Workload, case: str | None, device: str
) -> Iterator[tuple[Path, Report]]:
    if not functions:
        return
    inputs, sizes = generate(kernel, workload, seed=1, case=case), kernel.sizes(workload)
    with np.errstate(all="ignore"):
        want = answers.oracle(kernel)(**inputs)
    eager = _eager(kernel, inputs, device) if case is None else None
    for path, function in functions.items():
        guarded = Guarded(kernel, function, device)
        try:
            report = check(kernel, sizes, guarded, inputs, want, eager)
        except Exception as error:  # whatever a learner's file raises is an answer too, a wrong one
            report = Report((Finding("run", "runs", f"{type(error).__name__}: {error}"),))
        yield path, Report((*report.findings, *guarded.findings))


def _eager(kernel: Kernel, inputs: Inputs, device: str) -> dict[str, Any] | None:
    path = baseline(kernel)
    if path is None or not any(tolerance.vs_eager for tolerance in kernel.tolerance.values()):
        return None
    return Guarded(kernel, load(path), device)(**{name: _copied(value) for name, value in inputs.items()})


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _strange(kernel: Kernel, outputs: Any) -> Iterator[Finding]:
    """Outputs that are no plain tensors of the dtype stated."""
    for name, value in outputs.items():
        want = kernel.outputs[name].dtype if name in kernel.outputs else None
        if type(value) is not torch.Tensor:
            yield Finding(name, "tensor", f"got {type(value).__name__}, want a plain torch.Tensor")
        elif want and value.dtype != DTYPES[want] and str(value.dtype).removeprefix("torch.float8_")[:4] != want:
            yield Finding(name, "dtype", f"got {value.dtype}, want {want}, that is {DTYPES[want]}")


def _name(kernel: Kernel, path: Path) -> str:
    return str(path.relative_to(kernel.folder)) if path.is_relative_to(kernel.folder) else str(path)


def _fill_with_poison(tensor: torch.Tensor) -> None:
    if tensor.dtype.is_floating_point:
        tensor.fill_(float("nan"))
    elif tensor.dtype == torch.bool:
        tensor.fill_(True)
    else:
        _bytes(tensor).fill_(POISON)


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.view(torch.uint8)
