"""Reads kernel.json files into Kernel values and refuses what does not hold together.

Standard library only: whoever links kernels to topics must not need NumPy, torch or a compiler for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from kernels_ref.lib import formula, schema
from kernels_ref.lib.kernel import (
    Axis,
    Cost,
    InputsGen,
    Kernel,
    Link,
    Published,
    Target,
    Tensor,
    Tolerance,
    Variant,
    Workload,
    Wrong,
)

ROOT = Path(__file__).parents[1]
NAME = "kernel.json"


class KernelError(ValueError):
    """A kernel.json that cannot be used; the message names the file and the field of each fault."""


def load(folder: Path) -> Kernel:
    """The kernel of one folder."""
    path = folder / NAME
    data = _read(path)
    _refuse(path, schema.problems(data, _schema()))
    kernel = _build(folder, data)
    _refuse(path, _faults(kernel))
    return kernel


def load_all(root: Path = ROOT) -> dict[str, Kernel]:
    """All kernels below a folder by slug, each after its prerequisites, ties in curriculum order."""
    kernels: dict[str, Kernel] = {}
    for path in sorted(root.rglob(NAME)):
        kernel = load(path.parent)
        if kernel.slug in kernels:
            _refuse(path, [("slug", f"{kernel.slug!r} is taken by {kernels[kernel.slug].folder}")])
        kernels[kernel.slug] = kernel
    return {slug: kernels[slug] for slug in _curriculum(kernels)}


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise KernelError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise KernelError(f"{path}: no JSON: {error}") from error


@cache
def _schema() -> Any:
    return _read(ROOT / "schema" / "kernel.schema.json")


def _refuse(path: Path, problems: Iterable[schema.Problem]) -> None:
    lines = [f"{path}: {where or 'the file'}: {what}" for where, what in problems]
    if lines:
        raise KernelError("\n".join(lines))


def _build(folder: Path, data: Mapping[str, Any]) -> Kernel:
    fields = {name: value for name, value in data.items() if name != "schema"}
    for name, build in _BUILDERS.items():
        if name in fields:
            fields[name] = build(fields[name])
    return Kernel(folder=folder, **{name: _frozen(value) for name, value in fields.items()})


def _each(kind: Callable[..., Any]) -> Callable[[list[Any]], tuple[Any, ...]]:
    return lambda entries: tuple(_one(kind)(entry) for entry in entries)


def _named(kind: Callable[..., Any]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda entries: {name: _one(kind)(entry) for name, entry in entries.items()}


def _one(kind: Callable[..., Any]) -> Callable[[Mapping[str, Any]], Any]:
    return lambda entry: kind(**{name: _frozen(value) for name, value in entry.items()})


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return {name: _frozen(inner) for name, inner in value.items()}
    return value


def _variant(**entry: Any) -> Variant:
    tolerance = {name: Tolerance(**limits) for name, limits in entry.pop("tolerance", {}).items()}
    return Variant(**entry, tolerance=tolerance)


_BUILDERS: dict[str, Callable[[Any], Any]] = {
    "axes": _named(Axis),
    "inputs": _named(Tensor),
    "outputs": _named(Tensor),
    "tolerance": _named(Tolerance),
    "cost": _one(Cost),
    "inputs_gen": _one(InputsGen),
    "workloads": _each(Workload),
    "variants": _each(_variant),
    "wrong": _each(Wrong),
    "targets": _each(Target),
    "published": _each(Published),
    "links": _each(Link),
}


def _faults(kernel: Kernel) -> Iterator[schema.Problem]:
    """What a schema cannot say: names that must agree, files that must exist, formulas that must have a value."""
    if kernel.slug != kernel.folder.name:
        yield "slug", f"{kernel.slug!r} is not the folder's name {kernel.folder.name!r}"
    if kernel.slug in kernel.prerequisites:
        yield "prerequisites", "a kernel cannot come before itself"
    yield from _missing_files(kernel)
    yield from _unknown_names(kernel)
    for index, workload in enumerate(kernel.workloads):
        yield from ((f"workloads[{index}]", what) for what in _workload_faults(kernel, workload))


def _missing_files(kernel: Kernel) -> Iterator[schema.Problem]:
    variants = {f"variants[{index}].file": variant.file for index, variant in enumerate(kernel.variants)}
    wrong = {f"wrong[{index}].file": wrong.file for index, wrong in enumerate(kernel.wrong)}
    for field, file in (variants | wrong).items():
        if not (kernel.folder / file).is_file():
            yield field, f"{file!r} does not exist"


def _unknown_names(kernel: Kernel) -> Iterator[schema.Problem]:
    for field, tensors in (("inputs", kernel.inputs), ("outputs", kernel.outputs)):
        for name, tensor in tensors.items():
            unknown = set(tensor.shape or ()) - kernel.axes.keys()
            yield from ((f"{field}.{name}.shape", f"unknown axis {axis!r}") for axis in sorted(unknown))
    for name in kernel.outputs.keys() ^ kernel.tolerance.keys():
        yield f"tolerance.{name}", "every output needs a tolerance, and nothing else has one"
    ids = {variant.id for variant in kernel.variants}
    for index, variant in enumerate(kernel.variants):
        if variant.beats is not None and variant.beats not in ids - {variant.id}:
            yield f"variants[{index}].beats", f"unknown variant {variant.beats!r}"
    workloads = {workload.id for workload in kernel.workloads}
    for index, target in enumerate(kernel.targets):
        if target.workload not in workloads:
            yield f"targets[{index}].workload", f"unknown workload {target.workload!r}"


def _workload_faults(kernel: Kernel, workload: Workload) -> Iterator[str]:
    variable = {name for name, axis in kernel.axes.items() if axis.var is not None}
    for name in sorted(variable ^ workload.axes.keys()):
        yield f"axis {name!r} is {'missing' if name in variable else 'not a variable of this kernel'}"
        return
    try:
        sizes = kernel.sizes(workload)
        yield from (f"breaks {rule!r}" for rule in kernel.constraints if not formula.holds(rule, sizes))
        estimate = kernel.estimate(workload)
    except formula.FormulaError as error:
        yield str(error)
        return
    for what, value in (("flops", estimate.flops), ("bytes", estimate.bytes)) if estimate else ():
        if not isinstance(value, int) or value < 0:
            yield f"cost.{what} is {value}, not a count"


def _curriculum(kernels: Mapping[str, Kernel]) -> list[str]:
    for kernel in kernels.values():
        for name in kernel.prerequisites:
            if name not in kernels:
                _refuse(kernel.folder / NAME, [("prerequisites", f"unknown kernel {name!r}")])
    sorter = TopologicalSorter({slug: kernel.prerequisites for slug, kernel in kernels.items()})
    try:
        sorter.prepare()
    except CycleError as error:
        circle = " -> ".join(error.args[1])
        _refuse(kernels[error.args[1][0]].folder / NAME, [("prerequisites", f"go in a circle: {circle}")])
    return list(_in_order(sorter, kernels))


def _in_order(sorter: TopologicalSorter[str], kernels: Mapping[str, Kernel]) -> Iterator[str]:
    """Always the next kernel of the curriculum among those whose prerequisites are all behind."""
    ready: list[str] = []
    while sorter.is_active():
        ready = sorted([*ready, *sorter.get_ready()], key=lambda slug: (kernels[slug].order or 10**6, slug))
        slug = ready.pop(0)
        sorter.done(slug)
        yield slug
