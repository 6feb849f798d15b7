"""Runs variants once at each size: the process that Nsight Compute and compute-sanitizer look into.

Only what lies between the profiler's start and stop is a variant's own; an NVTX range names it “variant workload”.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from kernels_ref.lib.bench import demand, draw
from kernels_ref.lib.kernel import Kernel, Variant
from kernels_ref.lib.loader import load
from kernels_ref.lib.variants import load as function_of

_cuda: Any = torch.cuda  # torch leaves its profiler and its ranges without types


def run_each(kernel: Kernel, use: str) -> None:
    """Every step of the ladder that this device can run, at every workload of a use."""
    for workload in (one for one in kernel.workloads if use in one.use):
        inputs = draw(kernel, workload, 0, "cuda")
        for variant in _runnable(kernel):
            run = function_of(kernel.folder / variant.file)
            torch.cuda.synchronize()
            _cuda.profiler.start()
            with _cuda.nvtx.range(f"{variant.id} {workload.id}"):
                run(**inputs)
                torch.cuda.synchronize()
            _cuda.profiler.stop()


def _runnable(kernel: Kernel) -> Iterator[Variant]:
    for variant in kernel.steps:
        try:
            demand(variant)
        except LookupError as error:
            print(f"{variant.id} left out: {error}")
        else:
            yield variant


def main(arguments: Sequence[str] | None = None) -> int:
    """The process."""
    parser = argparse.ArgumentParser(prog="python -m kernels_ref.lib.once", description=__doc__)
    parser.add_argument("folder", type=Path, help="a kernel's folder")
    parser.add_argument("use", choices=["interp", "bench"], help="the small sizes, or the large ones")
    options = parser.parse_args(arguments)
    run_each(load(options.folder), options.use)
    return 0


if __name__ == "__main__":
    sys.exit(main())
