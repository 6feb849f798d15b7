"""`python -m kernels_ref`: list the kernels, show one, or hold its workloads against the roofs of a device."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence

from kernels_ref.lib.kernel import Kernel
from kernels_ref.lib.loader import KernelError, load_all
from kernels_ref.lib.roofline import floor, roofs


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; 0 is success, 1 an unknown kernel or a broken kernel.json."""
    options = _parser().parse_args(arguments)
    try:
        kernels = load_all()
        chosen = kernels[options.slug] if "slug" in options else None
    except KernelError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyError:
        print(f"no kernel {options.slug!r}; `python -m kernels_ref list` names them all", file=sys.stderr)
        return 1
    if chosen is None:
        lines = _list(kernels)
    else:
        lines = _show(chosen) if options.command == "show" else _roofline(chosen, options.hardware)
    print("\n".join(lines))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m kernels_ref", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="all kernels, each after what it builds on")
    show = commands.add_parser("show", help="what a kernel computes, needs and links to")
    show.add_argument("slug")
    roofline = commands.add_parser("roofline", help="work, bytes and the least time at each workload")
    roofline.add_argument("slug")
    roofline.add_argument("--hardware", default="h200-sxm", choices=sorted(roofs()))
    return parser


def _list(kernels: Mapping[str, Kernel]) -> Iterable[str]:
    return (f"{kernel.slug:28} {kernel.status:10} {kernel.title}" for kernel in kernels.values())


def _show(kernel: Kernel) -> Iterable[str]:
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


def _roofline(kernel: Kernel, hardware: str) -> Iterable[str]:
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


if __name__ == "__main__":
    sys.exit(main())
