"""Holds Triton files against the oracle on a machine without a GPU, in a process of their own.

Triton reads TRITON_INTERPRET when a kernel is decorated, so interpreting and compiling cannot share a process.
The interpreter computes wrong on bf16: a kernel upcasts right after each load (UPCAST, see kernels_ref/README.md).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kernels_ref.lib.kernel import Kernel

HOME = Path(__file__).resolve().parents[2]


def interpret(kernel: Kernel, files: Sequence[str | Path], until_failure: bool = False) -> list[dict[str, Any]]:
    """The trials of some files, named from the kernel's folder or in full, at every `interp` workload.

    Each is {file, workload, case, findings: [{output, property, words}]}; no findings means that it holds.
    """
    options = ["--until-failure"] if until_failure else []
    command = [sys.executable, "-m", "kernels_ref.lib.interp", *options, str(kernel.folder), *map(str, files)]
    environment = os.environ | {"TRITON_INTERPRET": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=HOME, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"the interpreter's process ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def main(arguments: Sequence[str] | None = None) -> int:
    """The process: one line of JSON a trial."""
    parser = argparse.ArgumentParser(prog="TRITON_INTERPRET=1 python -m kernels_ref.lib.interp", description=__doc__)
    parser.add_argument("folder", type=Path, help="a kernel's folder")
    parser.add_argument("files", nargs="+", help="variant files, from that folder or in full")
    parser.add_argument("--until-failure", action="store_true", help="stop a file at its first failure")
    options = parser.parse_args(arguments)
    _report(options.folder, options.files, options.until_failure)
    return 0


def _report(folder: Path, files: Iterable[str], until_failure: bool) -> None:
    from kernels_ref.lib.loader import load
    from kernels_ref.lib.variants import trials

    paths = [folder / file for file in files]
    for trial in trials(load(folder), paths, until_failure=until_failure):
        findings = [asdict(finding) for finding in trial.report.findings]
        print(json.dumps({"file": trial.file, "workload": trial.workload, "case": trial.case, "findings": findings}))


if __name__ == "__main__":
    sys.exit(main())
