"""What a kernel.json says, as frozen values. Field names are those of kernel.schema.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kernels_ref.lib import formula


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension: a constant, a variable of the workload with its meaning, or a formula over other axes."""

    const: int | None = None
    var: str | None = None
    derived: str | None = None


@dataclass(frozen=True, slots=True)
class Tensor:
    """An input or output; a shape of None is a scalar."""

    dtype: str
    shape: tuple[str, ...] | None = None
    layout: str | None = None
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """Formulas of work and compulsory traffic, and the roof that the work runs into."""

    flops: str
    bytes: str
    peak: str
    bytes_l2: str | None = None
    assumes: str | None = None


@dataclass(frozen=True, slots=True)
class Workload:
    """One size to interpret, check or bench."""

    id: str
    use: tuple[str, ...]
    axes: Mapping[str, int]
    model: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class InputsGen:
    """How inputs are drawn: a distribution, generators for the special ones, and the hard cases."""

    default: str
    special: Mapping[str, str] = field(default_factory=dict)
    adversarial: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What an output may differ by; a None is not checked."""

    normwise: float | None = None
    vs_eager: float | None = None
    abs: float | None = None
    ulp: int | None = None
    exact: bool = False
    nonfinite: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """One file that computes the kernel, and the one idea it adds."""

    id: str
    file: str
    lang: str
    role: str
    idea: str | None = None
    beats: str | None = None
    predict: str | None = None
    tolerance: Mapping[str, Tolerance] = field(default_factory=dict)
    requires: Mapping[str, int | str] = field(default_factory=dict)
    emulates: str | None = None
    nondeterministic: bool = False
    ci: tuple[str, ...] = ()
    isa: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    max_local_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Wrong:
    """A planted bug that the check must find."""

    file: str
    bug: str


@dataclass(frozen=True, slots=True)
class Target:
    """A goal; it is met only by a record under results/."""

    hw: str
    workload: str
    metric: str
    goal: float
    variant: str | None = None
    vs: str | None = None


@dataclass(frozen=True, slots=True)
class Published:
    """A number that somebody else measured, never mixed with ours."""

    what: str
    value: float
    unit: str
    hw: str
    url: str


@dataclass(frozen=True, slots=True)
class Link:
    """A page, and what it is to the kernel."""

    url: str
    rel: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """The cost formulas at one workload."""

    flops: int | float
    bytes: int | float

    @property
    def intensity(self) -> float:
        """FLOPs per byte of compulsory traffic."""
        return self.flops / self.bytes


@dataclass(frozen=True, slots=True)
class Kernel:
    """One reference kernel. A described one has no variants; it points to where it can be read or raced."""

    folder: Path
    slug: str
    title: str
    summary: str
    version: int
    status: str
    op_type: str
    difficulty: int
    topics: tuple[str, ...]
    links: tuple[Link, ...]
    order: int | None = None
    aliases: tuple[str, ...] = ()
    prerequisites: tuple[str, ...] = ()
    hardware: tuple[str, ...] = ()
    axes: Mapping[str, Axis] = field(default_factory=dict)
    inputs: Mapping[str, Tensor] = field(default_factory=dict)
    outputs: Mapping[str, Tensor] = field(default_factory=dict)
    constraints: tuple[str, ...] = ()
    cost: Cost | None = None
    workloads: tuple[Workload, ...] = ()
    inputs_gen: InputsGen | None = None
    tolerance: Mapping[str, Tolerance] = field(default_factory=dict)
    variants: tuple[Variant, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    targets: tuple[Target, ...] = ()
    published: tuple[Published, ...] = ()

    @property
    def steps(self) -> tuple[Variant, ...]:
        """The variants that are ours to be fast: no oracle, no baseline."""
        return tuple(one for one in self.variants if one.role in ("ladder", "alt"))

    def limits(self, id: str) -> Mapping[str, Tolerance]:
        """What the outputs of a variant may differ by: its own tolerance where its order of rounding needs one."""
        own = next((variant.tolerance for variant in self.variants if variant.id == id), {})
        return {**self.tolerance, **own}

    def workload(self, id: str) -> Workload:
        """The workload of that name."""
        return {workload.id: workload for workload in self.workloads}[id]

    def sizes(self, workload: Workload) -> dict[str, int]:
        """Every axis at a workload: constants, the workload's own, then the derived ones in their order."""
        sizes = {name: axis.const for name, axis in self.axes.items() if axis.const is not None}
        sizes |= workload.axes
        for name, axis in self.axes.items():
            if axis.derived is not None:
                sizes[name] = _whole(axis.derived, sizes)
        return sizes

    def shape(self, tensor: Tensor, sizes: formula.Axes) -> tuple[int, ...]:
        """A tensor's shape in numbers; () for a scalar."""
        return tuple(sizes[axis] for axis in tensor.shape or ())

    def estimate(self, workload: Workload) -> Estimate | None:
        """FLOPs and bytes at a workload; None while the kernel states no cost."""
        if self.cost is None:
            return None
        sizes = self.sizes(workload)
        flops = formula.evaluate(self.cost.flops, sizes)
        return Estimate(flops, formula.evaluate(self.cost.bytes, sizes))


def _whole(text: str, sizes: formula.Axes) -> int:
    value = formula.evaluate(text, sizes)
    if not isinstance(value, int):
        raise formula.FormulaError(f"{text!r} is no whole number: {value}")
    return value
