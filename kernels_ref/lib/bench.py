"""Races the variants of a kernel on a GPU, and believes no time whose answer is not checked.

Every variant is held against the oracle at the small sizes, on the hard cases too, and against the baseline at the
size it is timed at: before the race, and after it on new values in the same memory, so that remembered answers show.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import torch

from kernels_ref.lib import ceilings as roof
from kernels_ref.lib.inputs import special
from kernels_ref.lib.kernel import Kernel, Tolerance, Variant, Workload
from kernels_ref.lib.roofline import roofs
from kernels_ref.lib.timing import Device, Timing, race
from kernels_ref.lib.variants import DTYPES, Function, Guards, Tensors, baseline, load, to_tensor, trials

Record = dict[str, Any]

TOO_FAST = 1.05
L2_FACTOR = 4  # inputs rotate among sets that together exceed the L2 cache so many times
MOST_SETS = 64
_MANTISSA_BITS = {"f32": 23, "tf32": 23, "f16": 10, "bf16": 7}


def bench(kernel: Kernel, device: Device, ceilings: Mapping[str, float], hardware: str) -> Iterator[Record]:
    """A record for every variant at every bench workload; one that fails says why in `error`."""
    functions, failures = _sound(kernel, device)
    yield from ({"variant": name, "error": why} for name, why in failures.items())
    for workload in (one for one in kernel.workloads if "bench" in one.use):
        try:
            found = contest(kernel, workload, functions, device, ceilings)
        except Exception as error:  # the next size may fit into memory where this one did not
            found = [{"workload": workload.id, "error": f"{type(error).__name__}: {error}"[:500]}]
        yield from (_against_datasheet(kernel, workload, record, hardware) for record in found)


def beside_baseline(kernel: Kernel, workload: Workload, function: Function, place: str) -> str | None:
    """How a function differs from the baseline at a size too large for the oracle; None if it does not."""
    path = baseline(kernel)
    rivals = {_baseline(kernel) or "": load(path)} if path else {}
    return _wrong(kernel, rivals | {"yours": function}, draw(kernel, workload, 0, place)).get("yours")


def contest(
    kernel: Kernel,
    workload: Workload,
    functions: Mapping[str, Function],
    device: Device,
    ceilings: Mapping[str, float],
) -> list[Record]:
    """Checks, times and checks again; whoever fails a check has no time."""
    sets = _sets(kernel, workload, device)
    errors = _wrong(kernel, functions, sets[0])
    fair = {name: function for name, function in functions.items() if name not in errors}
    times = race(device, {name: [_call(run, one) for one in sets] for name, run in fair.items()})
    _refresh(kernel, workload, sets[0], device.place)
    errors |= _wrong(kernel, fair, sets[0])
    records = [{"workload": workload.id, "variant": name, "error": why} for name, why in errors.items()]
    base = _baseline(kernel)
    for name, timing in times.items():
        if name not in errors:
            rival = times[base] if base in times and base not in errors else None
            records.append(_record(kernel, workload, name, timing, rival, ceilings) | {"sets": len(sets)})
    return records


def line(record: Record) -> str:
    """A record in words."""
    where = f"{record.get('workload', ''):16} {record.get('variant', ''):8}"
    if "error" in record:
        return f"{where} FAILED {record['error']}"
    rates = f"{record['gbps']:7.0f} GB/s {record['tflops']:7.1f} TFLOP/s {record['pct_ceiling']:5.1f} % of the ceiling"
    return f"{where} {record['median_us']:10.1f} µs {rates}"


def draw(kernel: Kernel, workload: Workload, seed: int, place: str) -> Tensors:
    """Inputs on a device; what is plain normal is drawn there."""
    sizes, generator = kernel.sizes(workload), torch.Generator(place).manual_seed(seed)
    tensors: Tensors = {}
    others = special(kernel, workload, seed)
    for name, tensor in kernel.inputs.items():
        if name in others:
            tensors[name] = to_tensor(others[name], tensor.dtype, place)
        else:
            shape = kernel.shape(tensor, sizes)
            tensors[name] = torch.randn(shape, generator=generator, device=place, dtype=DTYPES[tensor.dtype])
    return tensors


def _sound(kernel: Kernel, device: Device) -> tuple[dict[str, Function], dict[str, str]]:
    """The variants that load, run here and give the oracle's answers at the small sizes; why the others do not."""
    functions, failures = {}, {}
    for variant in kernel.variants:
        if variant.role == "oracle":
            continue
        try:
            demand(variant)
            path = kernel.folder / variant.file
            bad = next((one for one in trials(kernel, [path], "interp", device.place) if not one.report.passed), None)
            if bad is None:
                functions[variant.id] = load(path)
            else:
                failures[variant.id] = f"wrong at {bad.workload}, {bad.case or 'default draw'}: {bad.report}"[:500]
        except Exception as error:  # whatever is wrong with one variant, the others are timed
            failures[variant.id] = f"{type(error).__name__}: {error}"[:500]
    return functions, failures


def demand(variant: Variant) -> None:
    """Raises LookupError where this GPU lacks what a variant needs."""
    needed = variant.requires.get("cuda")
    if isinstance(needed, int) and torch.cuda.is_available() and torch.version.cuda:
        major, minor = torch.cuda.get_device_capability()
        if 10 * major + minor < needed:
            raise LookupError(f"needs compute capability {needed / 10}, this GPU has {major}.{minor}")


def _sets(kernel: Kernel, workload: Workload, device: Device) -> list[Tensors]:
    first = draw(kernel, workload, 0, device.place)
    size = sum(value.nbytes for value in first.values() if isinstance(value, torch.Tensor))
    count = min(max(math.ceil(L2_FACTOR * device.l2_bytes / max(size, 1)), 2), MOST_SETS)
    return [first, *(draw(kernel, workload, seed, device.place) for seed in range(1, count))]


def _refresh(kernel: Kernel, workload: Workload, tensors: Tensors, place: str) -> None:
    """New values in the same memory."""
    for name, value in draw(kernel, workload, 1_000_003, place).items():
        if isinstance(value, torch.Tensor):
            tensors[name].copy_(value)


def _call(run: Function, tensors: Tensors) -> Callable[[], Any]:
    return lambda: run(**tensors)


def _baseline(kernel: Kernel) -> str | None:
    return next((variant.id for variant in kernel.variants if variant.role == "baseline"), None)


def _wrong(kernel: Kernel, functions: Mapping[str, Function], tensors: Tensors) -> dict[str, str]:
    """What each function does wrong beside the baseline, or beside the first where there is none."""
    base = _baseline(kernel)
    names = sorted(functions, key=lambda name: name != base)
    want, errors = None, {}
    for name in names:
        try:
            got, fault = _watched(functions[name], tensors)
            want = want or got
            own = replace(kernel, tolerance=kernel.limits(name))
            found = [fault] if fault else list(differences(own, got, want))
        except Exception as error:  # one that runs out of memory, or worse, is out of the race
            found = [f"{type(error).__name__}: {error}"[:500]]
        if found:
            errors[name] = "; ".join(found)
    return errors


def _watched(run: Function, tensors: Tensors) -> tuple[Tensors, str | None]:
    """The outputs, and whether memory was touched that is not the run's to touch."""
    before = {name: value.clone() for name, value in tensors.items() if isinstance(value, torch.Tensor)}
    guards = Guards()
    with guards:
        outputs = run(**tensors)
    written = [str(finding) for finding in guards.findings()]
    changed = [name for name, value in before.items() if not _same(tensors[name], value)]
    for name in changed:
        tensors[name].copy_(before[name])
    faults = [*written, *(f"{name}: changed by the run" for name in changed)]
    return outputs, "; ".join(faults) or None


def differences(kernel: Kernel, got: Tensors, want: Tensors) -> Iterator[str]:
    """Where two answers lie farther apart than two right ones can: twice the tolerance of each."""
    for name, tensor in kernel.outputs.items():
        value = got.get(name)
        if type(value) is not torch.Tensor:
            yield f"{name}: {type(value).__name__} instead of a plain tensor"
        elif value.shape != want[name].shape or value.dtype != want[name].dtype:
            yield f"{name}: {value.dtype}{list(value.shape)} instead of {want[name].dtype}{list(want[name].shape)}"
        else:
            limits = kernel.tolerance[name]
            yield from (f"{name}: {what}" for what in _apart(value, want[name], limits, tensor.dtype))


def _apart(got: torch.Tensor, want: torch.Tensor, limits: Tolerance, dtype: str) -> Iterator[str]:
    if limits.exact:
        if not _same(got, want):
            yield "other bits than the baseline"
        return
    if not torch.equal(got.isfinite(), want.isfinite()):
        yield "NaN or infinity in other places than the baseline, or poison that was never overwritten"
        return
    normwise, absolute, ulp = limits.normwise, limits.abs, limits.ulp
    if normwise is not None and not (worst := _worst_row(got, want)) <= 2 * normwise:
        yield f"the worst row is {worst:.3g} of its norm away from the baseline, {2 * normwise:g} is allowed"
    if absolute is not None and not (worst := _largest(got, want)) <= 2 * absolute:
        yield f"up to {worst:.3g} away from the baseline, {2 * absolute:g} is allowed"
    if ulp is not None and not (worst := _largest(got, want, want)) <= 4 * ulp * 2.0 ** -_MANTISSA_BITS[dtype]:
        yield f"up to {worst:.3g} of its value away from the baseline"


def _worst_row(got: torch.Tensor, want: torch.Tensor) -> float:
    worst = 0.0
    for ours, theirs in _chunks(got, want):
        size = theirs.norm(dim=-1)
        errors = (ours - theirs).norm(dim=-1) / torch.where(size == 0, 1.0, size)
        worst = max(worst, float(errors.nan_to_num(nan=0.0, posinf=math.inf).max()))
    return worst


def _largest(got: torch.Tensor, want: torch.Tensor, unit: torch.Tensor | None = None) -> float:
    worst = 0.0
    for ours, theirs in _chunks(got, want):
        errors = (ours - theirs).abs().nan_to_num(nan=0.0)
        errors = errors if unit is None else torch.where(errors == 0, 0.0, errors / theirs.abs())
        worst = max(worst, float(errors.max()))
    return worst


def _chunks(got: torch.Tensor, want: torch.Tensor) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """A few rows at a time in float32, so that a check needs little memory beside the race's own."""
    width = got.shape[-1] if got.ndim else 1
    ours, theirs = got.reshape(-1, width), want.reshape(-1, width)
    step = max(2**26 // max(width, 1), 1)
    yield from ((ours[at : at + step].float(), theirs[at : at + step].float()) for at in range(0, len(ours), step))


def _same(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Bit for bit: NaN equals itself, and -0.0 is not 0.0."""
    words = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[a.element_size()]
    return torch.equal(a.contiguous().view(words), b.contiguous().view(words))


def _record(
    kernel: Kernel,
    workload: Workload,
    name: str,
    timing: Timing,
    rival: Timing | None,
    ceilings: Mapping[str, float],
) -> Record:
    record: Record = {"workload": workload.id, "variant": name, "kernel_version": kernel.version}
    seconds, estimate = timing.median * 1e-6, kernel.estimate(workload)
    if kernel.cost is None or estimate is None:
        return record | {"error": "states no cost"}
    fastest = roof.beyond(estimate, kernel.cost.peak, ceilings, seconds)
    if fastest > TOO_FAST:
        words = f"{timing.median:.4g} µs is {100 * fastest:.0f} % of the ceiling: clock or byte count is wrong"
        return record | {"error": words}
    return record | {
        "median_us": timing.median, "p10_us": timing.p10, "p90_us": timing.p90, "samples": timing.samples,
        "spread": timing.spread, "how": timing.how, "cache": "rotating inputs", "checked": "before and after",
        "gbps": estimate.bytes / seconds / 1e9, "tflops": estimate.flops / seconds / 1e12,
        "pct_ceiling": 100 * roof.share(estimate, kernel.cost.peak, ceilings, seconds),
        "baseline": _baseline(kernel), "baseline_us": rival.median if rival else None,
        "ratio_vs_baseline": rival.median / timing.median if rival else None,
    }  # fmt: skip


def _against_datasheet(kernel: Kernel, workload: Workload, record: Record, hardware: str) -> Record:
    """Adds the share of what the vendor's page promises, where there is such a page."""
    estimate, sheet = kernel.estimate(workload), roofs().get(hardware, {})
    if "median_us" in record and estimate and kernel.cost and {roof.MEMORY, kernel.cost.peak} <= sheet.keys():
        rates = {name: one.rate for name, one in sheet.items()}
        share = roof.share(estimate, kernel.cost.peak, rates, record["median_us"] * 1e-6)
        record["pct_datasheet"] = 100 * share
    return record
