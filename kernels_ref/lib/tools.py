"""What NVIDIA's tools say of the steps of a kernel: Nsight Compute's counters, compute-sanitizer's findings.

The tools look into a process of `lib/once.py`. Clocks stay as they are (`--clock-control none`).
https://docs.nvidia.com/nsight-compute/NsightComputeCli/
https://docs.nvidia.com/compute-sanitizer/ComputeSanitizer/
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kernels_ref.lib.kernel import Kernel
from kernels_ref.lib.loader import ROOT

Record = dict[str, Any]

METRICS: Mapping[str, str] = {  # percentages are of what the unit can do
    "dram_pct": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "sm_pct": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "l2_hit_pct": "lts__t_sector_hit_rate.pct",
    "occupancy_pct": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "tensor_pct": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "shared_pct": "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
    "issue_pct": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "dram_bytes": "dram__bytes.sum",
    "nanoseconds": "gpu__time_duration.sum",
    "registers": "launch__registers_per_thread",
}
CHECKS = ("memcheck", "racecheck", "initcheck")
_RANGE, _NAME = "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg", "Kernel Name"
_PLACE = re.compile(r"^=+ +at \S+ in (\S+):(\d+)", re.MULTILINE)  # kernel+offset in file:line
_SUMMARY = re.compile(r"(?:ERROR SUMMARY: (\d+) error|RACECHECK SUMMARY: (\d+) hazard)")


class ToolFailed(RuntimeError):
    """A tool is missing, or could not do its work here."""


def counters(kernel: Kernel) -> list[Record]:
    """The counters of each launch of each step at each bench workload."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "counters.csv"
        options = ["--clock-control", "none", "--profile-from-start", "off", "--nvtx", "--csv", "--page", "raw"]
        options += ["--print-units", "base", "--log-file", str(log), "--metrics", ",".join(METRICS.values())]
        done = _run("ncu", options, kernel, "bench")
        text = log.read_text(encoding="utf-8") if log.exists() else ""
    records = list(parsed(text.splitlines()))
    if done.returncode or not records:
        raise ToolFailed(f"ncu gave no counters for {kernel.slug}: {_end(text + done.stdout + done.stderr)}")
    return records


def parsed(lines: Iterable[str]) -> Iterator[Record]:
    """Records of Nsight Compute's raw page: a line of names, one of units, then one a launch."""
    rows = csv.DictReader(line for line in lines if line.startswith('"'))
    for row in rows:
        step = re.search(r":(\S+) ([\w-]+):", row[_RANGE] or "")
        if step:
            numbers = {name: float(row[metric].replace(",", "")) for name, metric in METRICS.items() if row.get(metric)}
            yield {"variant": step[1], "workload": step[2], "launch": row[_NAME], **numbers}


def findings(kernel: Kernel, check: str) -> Record:
    """What one of CHECKS finds in the steps at the small sizes, each tensor in memory of its own.

    initcheck does not see how Triton writes a TMA descriptor, and reports each read of one: those are counted apart.
    """
    options = ["--tool", check, "--error-exitcode", "86", "--print-limit", "1000000", "--show-backtrace", "device"]
    done = _run("compute-sanitizer", options, kernel, "interp")
    said = done.stdout + done.stderr
    summary = _SUMMARY.search(said)
    if summary is None or done.returncode not in (0, 86):
        raise ToolFailed(f"{check} did not come to its end for {kernel.slug}: {_end(said)}")
    places = Counter(_PLACE.findall(said))
    descriptors = sum(count for place, count in places.items() if _makes_descriptor(kernel.folder, place))
    errors = int(summary[1] or summary[2]) - descriptors
    record = {"check": check, "variants": [one.id for one in kernel.steps], "errors": errors}
    return record | {"descriptor_reads": descriptors} | ({"report": said[:2000].strip()} if errors else {})


def _makes_descriptor(folder: Path, place: tuple[str, str]) -> bool:
    file, line = place
    path = folder / Path(file).name
    return path.is_file() and "make_tensor_descriptor" in path.read_text(encoding="utf-8").splitlines()[int(line) - 1]


def version(tool: str) -> str:
    """The last line of what a tool says of its version."""
    command = [_found(tool), "--version"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout  # noqa: S603
    return next((line.strip() for line in said.splitlines() if line.startswith("Version")), "unknown")


def _run(tool: str, options: list[str], kernel: Kernel, use: str) -> subprocess.CompletedProcess[str]:
    command = [_found(tool), *options, sys.executable, "-m", "kernels_ref.lib.once", str(kernel.folder), use]
    environment = os.environ | {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}  # so that a step past a tensor's end shows
    return subprocess.run(command, cwd=ROOT.parent, env=environment, capture_output=True, text=True, check=False)  # noqa: S603


def _found(tool: str) -> str:
    path = shutil.which(tool)
    if path is None:
        raise ToolFailed(f"{tool}, of the CUDA toolkit, is not on the PATH")
    return path


def _end(text: str) -> str:
    return text[-2000:].strip()
