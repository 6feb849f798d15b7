"""What people read of the kernels in a terminal, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kernels_ref.lib.kernel import Kernel
from kernels_ref.lib.roofline import floor


def listing(kernels: Mapping[str, Kernel]) -> Iterable[str]:
    """Every kernel in a line, each after what it builds on."""
    return (f"{kernel.slug:28} {kernel.status:10} {kernel.title}" for kernel in kernels.values())


def show(kernel: Kernel) -> Iterator[str]:
    """What a kernel computes, needs and links to."""
    yield f"{kernel.title} ({kernel.slug}, {kernel.status}, difficulty {kernel.difficulty} of 5)"
    yield kernel.summary
    rows = {
        "topics": kernel.topics,
        "builds on": kernel.prerequisites,
        "hardware": kernel.hardware,
        "inputs": [f"{name} {tensor.dtype}[{', '.join(tensor.shape or ())}]" for name, tensor in kernel.inputs.items()],
        "outputs": [
            f"{name} {tensor.dtype}[{', '.join(tensor.shape or ())}]" for name, tensor in kernel.outputs.items()
        ],
        "variants": [f"{variant.id} ({variant.lang})" for variant in kernel.variants],
    }
    yield from (f"{name + ':':11} {', '.join(values)}" for name, values in rows.items() if values)
    yield from (f"published:  {one.what}: {one.value:g} {one.unit} on {one.hw} <{one.url}>" for one in kernel.published)
    yield from (f"{link.rel + ':':11} {link.url}" for link in kernel.links)


def roofline(kernel: Kernel, hardware: str) -> Iterator[str]:
    """Work, bytes and the least time at each workload."""
    if kernel.cost is None:
        yield f"{kernel.slug} states no cost: it is {kernel.status} only"
        return
    yield f"flops = {kernel.cost.flops}"
    yield f"bytes = {kernel.cost.bytes}"
    yield f"{'workload':22} {'GFLOP':>11} {'GB':>9} {'FLOP/B':>8} {'floor µs':>10}  bound on {hardware}"
    for workload in kernel.workloads:
        estimate, least = kernel.estimate(workload), floor(kernel, workload, hardware)
        if estimate is None or estimate.bytes == 0:
            continue
        time, bound = (
            (f"{least.seconds * 1e6:.4g}", least.bound) if least else ("-", f"no figure for {kernel.cost.peak}")
        )
        counts = f"{estimate.flops / 1e9:11.4g} {estimate.bytes / 1e9:9.4g} {estimate.intensity:8.3g}"
        yield f"{workload.id:22} {counts} {time:>10}  {bound}"
