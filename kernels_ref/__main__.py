"""`python -m kernels_ref`: list and show the kernels, check and race them, hold them against the roofs of a device."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from kernels_ref.lib import pages, runner, tools
from kernels_ref.lib.kernel import Kernel
from kernels_ref.lib.loader import ROOT, KernelError, load_all
from kernels_ref.lib.roofline import roofs


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; 0 is success, 1 a failed check, an unknown kernel or variant, or no GPU or tool for it."""
    options = _parser().parse_args(arguments)
    try:
        return _COMMANDS[options.command](load_all(), options)
    except (KernelError, runner.NoGpu, tools.ToolFailed, _Unknown) as error:
        print(error, file=sys.stderr)
        return 1


class _Unknown(LookupError):
    """A name that no kernel or variant has."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m kernels_ref", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="all kernels, each after what it builds on")
    show = commands.add_parser("show", help="what a kernel computes, needs and links to")
    show.add_argument("slug")
    roofline = commands.add_parser("roofline", help="work, bytes and the least time at each workload")
    roofline.add_argument("slug")
    roofline.add_argument("--hardware", default="h200-sxm", choices=sorted(roofs()))
    check = commands.add_parser("check", help="hold variants, or a file of your own, against the oracle")
    check.add_argument("slug")
    check.add_argument("--file", type=Path, help="a Python file with run(**inputs)")
    check.add_argument("--variant", help="only this variant")
    bench = commands.add_parser("bench", help="race the variants on the GPU of this machine")
    bench.add_argument("slug", help="a kernel, or all")
    bench.add_argument("--out", type=Path, default=ROOT, help="records go to OUT/SLUG/results/")
    for name, help in (
        ("profile", "read Nsight Compute's counters of each step on the GPU of this machine"),
        ("sanitize", "run each step under compute-sanitizer: memcheck, racecheck, initcheck"),
    ):
        look = commands.add_parser(name, help=help)
        look.add_argument("slugs", nargs="*", metavar="slug", help="all kernels that have steps without one")
        look.add_argument("--out", type=Path, default=ROOT, help="records go below OUT/SLUG/results/")
    compile_ = commands.add_parser("aot", help="compile Triton variants for GPUs that need not be here")
    compile_.add_argument("slugs", nargs="*", metavar="slug", help="all kernels without one")
    commands.add_parser("report", help="write README ladders and rooflines anew from results/")
    return parser


def _one(kernels: Mapping[str, Kernel], slug: str) -> Kernel:
    if slug not in kernels:
        raise _Unknown(f"no kernel {slug!r}; `python -m kernels_ref list` names them all")
    return kernels[slug]


def _say(lines: Iterable[str]) -> int:
    for line in lines:
        print(line, flush=True)
    return 0


def _check(kernels: Mapping[str, Kernel], options: argparse.Namespace) -> int:
    kernel = _one(kernels, options.slug)
    ids = runner.checkable(kernel)
    if options.variant not in (None, *ids):
        known = ", ".join(ids) or "none"
        raise _Unknown(f"{kernel.slug} has no variant {options.variant!r} to check here; it has {known}")
    verdicts = runner.check(kernel, options.file, options.variant)
    _say(str(verdict) for verdict in verdicts)
    if not verdicts:
        print(f"{kernel.slug} has no variant to check yet")
    return int(not all(verdict.passed for verdict in verdicts))


def _bench(kernels: Mapping[str, Kernel], options: argparse.Namespace) -> int:
    if options.slug != "all":
        return _say(runner.bench(_one(kernels, options.slug), options.out))
    failed = 0
    for slug, code in runner.bench_all(kernels, options.out):
        failed |= code
        if code:
            print(f"{slug}: {'took too long' if code == runner.TOOK_TOO_LONG else f'ended with {code}'}", flush=True)
    return int(bool(failed))


def _aot(kernels: Mapping[str, Kernel], options: argparse.Namespace) -> int:
    failed = 0
    chosen = [_one(kernels, slug) for slug in options.slugs] or kernels.values()
    for words, faults in runner.compile_all(chosen):
        _say([words, *(f"  FAILED: {fault}" for fault in faults)])
        failed |= bool(faults)
    return int(failed)


def _profile(kernels: Mapping[str, Kernel], options: argparse.Namespace) -> int:
    return max((_say(runner.profile(kernel, options.out)) for kernel in _with_steps(kernels, options.slugs)), default=0)


def _sanitize(kernels: Mapping[str, Kernel], options: argparse.Namespace) -> int:
    failed = 0
    for kernel in _with_steps(kernels, options.slugs):
        for words, errors in runner.sanitize(kernel, options.out):
            _say([words])
            failed |= bool(errors)
    return failed


def _with_steps(kernels: Mapping[str, Kernel], slugs: Sequence[str]) -> list[Kernel]:
    return [_one(kernels, slug) for slug in slugs] or [kernel for kernel in kernels.values() if kernel.steps]


_COMMANDS: Mapping[str, Callable[[Mapping[str, Kernel], argparse.Namespace], int]] = {
    "list": lambda kernels, options: _say(pages.listing(kernels)),
    "show": lambda kernels, options: _say(pages.show(_one(kernels, options.slug))),
    "roofline": lambda kernels, options: _say(pages.roofline(_one(kernels, options.slug), options.hardware)),
    "check": _check,
    "bench": _bench,
    "profile": _profile,
    "sanitize": _sanitize,
    "aot": _aot,
    "report": lambda kernels, options: _say(f"wrote {path}" for path in runner.report(kernels)),
}


if __name__ == "__main__":
    sys.exit(main())
