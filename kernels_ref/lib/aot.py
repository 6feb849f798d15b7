"""Compiles Triton variants for GPUs that are not here, and reads what came out: instructions, registers, spills.

A variant's `run` is called on tensors without memory (torch's `meta` device) at the sizes of the bench
workloads. Each launch on the way is caught and compiled as it would have been on the device, alignment included.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend
from triton.runtime.jit import JITFunction, create_function_from_signature

from kernels_ref.lib.inputs import special
from kernels_ref.lib.kernel import Kernel, Variant, Workload
from kernels_ref.lib.variants import DTYPES, load, to_tensor

MAX_SHARED_BYTES = {"cuda": 227 * 1024, "gfx942": 64 * 1024, "gfx950": 160 * 1024}
_CUOBJDUMP = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"


@dataclass(frozen=True, slots=True)
class Launch:
    """One kernel with the arguments it was started with."""

    kernel: Any
    arguments: tuple[Any, ...]
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Compiled:
    """A kernel compiled for a target: its assembly and what it takes of the device."""

    name: str
    target: str
    assembly: str
    registers: int
    local_bytes: int
    shared_bytes: int

    def __str__(self) -> str:
        return f"{self.name}: {self.registers} registers, {self.local_bytes} B local, {self.shared_bytes} B shared"


def targets(variant: Variant) -> list[str]:
    """The targets that a variant's `ci` names: `cuda:90`, `hip:gfx950`."""
    return [one.removeprefix("aot:") for one in variant.ci if one.startswith("aot:")]


def compile_variant(kernel: Kernel, variant: Variant, target: str) -> list[Compiled]:
    """Every launch of a variant, compiled for one target."""
    compiled = (_compile(launch, target) for launch in launches(kernel, variant))
    return list(dict.fromkeys(compiled))  # two sizes often give the same kernel


def faults(variant: Variant, target: str, compiled: list[Compiled]) -> Iterator[str]:
    """What is wrong with the result: no kernel, missing instructions, spills, more than the device has."""
    if not compiled:
        yield "started no Triton kernel"
    for text in variant.isa.get(target, ()):
        if not any(text in one.assembly for one in compiled):
            yield f"no {text!r} in the assembly"
    kind, _, arch = target.partition(":")
    for one in compiled:
        if one.local_bytes > (variant.max_local_bytes or 0):
            yield f"{one}: it spills"
        if one.shared_bytes > MAX_SHARED_BYTES[kind if kind == "cuda" else arch]:
            yield f"{one}: that is more shared memory than a {target} has"


def launches(kernel: Kernel, variant: Variant) -> list[Launch]:
    """What a variant starts at its bench workloads."""
    run = load(kernel.folder / variant.file)
    with _caught() as caught:
        for workload in kernel.workloads:
            if "bench" in workload.use:
                run(**_phantoms(kernel, workload))
    return caught


def _phantoms(kernel: Kernel, workload: Workload) -> dict[str, Any]:
    """Inputs of the right shapes without memory; scalars are real."""
    sizes = kernel.sizes(workload)
    scalars = special(kernel, workload, seed=0, only_scalars=True)
    shaped = {
        name: torch.empty(kernel.shape(tensor, sizes), dtype=DTYPES[tensor.dtype], device="meta")
        for name, tensor in kernel.inputs.items()
        if tensor.shape is not None
    }
    return shaped | {name: to_tensor(value, kernel.inputs[name].dtype) for name, value in scalars.items()}


@contextmanager
def _caught() -> Iterator[list[Launch]]:
    """While open, starting a kernel only writes down how."""
    caught: list[Launch] = []
    start = JITFunction.run

    def write_down(self: Any, *arguments: Any, grid: Any, warmup: bool, **options: Any) -> None:
        caught.append(Launch(self, arguments, options))

    JITFunction.run = write_down
    try:
        yield caught
    finally:
        JITFunction.run = start


def _compile(launch: Launch, target: str) -> Compiled:
    """The steps of triton's own JITFunction.run, for a device of our choice."""
    gpu = _gpu(target)
    backend = make_backend(gpu)
    bind = create_function_from_signature(launch.kernel.signature, launch.kernel.params, backend)
    options = launch.options | {"debug": False}
    bound, specialization, options = bind(*launch.arguments, **options)
    packed, signature, constants, attributes = launch.kernel._pack_args(
        backend, options, bound, specialization, options
    )
    source = ASTSource(launch.kernel, signature, constants, attributes)
    return _read(triton.compile(source, target=gpu, options=packed.__dict__), target)


def _gpu(target: str) -> GPUTarget:
    kind, _, arch = target.partition(":")
    return GPUTarget("cuda", int(arch), 32) if kind == "cuda" else GPUTarget("hip", arch, 64)


def _read(binary: Any, target: str) -> Compiled:
    name, shared = binary.metadata.name, int(binary.metadata.shared)
    if target.startswith("cuda"):
        usage = usage_of(binary.asm["cubin"])
        return Compiled(name, target, binary.asm["ptx"], usage["REG"], usage["LOCAL"] + usage["STACK"], shared)
    text = binary.asm["amdgcn"]
    spilled = _field(text, ".vgpr_spill_count:") + _field(text, ".sgpr_spill_count:")
    scratch = max(4 * spilled, _field(text, ".private_segment_fixed_size:"))
    return Compiled(name, target, text, _field(text, ".vgpr_count:"), scratch, shared)


def usage_of(cubin: bytes) -> dict[str, int]:
    """REG, STACK, LOCAL and their like as cuobjdump prints them; of several kernels, the most that one takes."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = [str(_CUOBJDUMP), "--dump-resource-usage", file.name]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603
    return dict(sorted((name, int(number)) for name, number in re.findall(r"\b([A-Z]+):(\d+)", text)))


def _field(text: str, name: str) -> int:
    _, found, rest = text.partition(name)
    return int(rest.split(maxsplit=1)[0]) if found else 0
