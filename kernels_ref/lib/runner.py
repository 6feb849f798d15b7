"""Check, bench, compile and report: what `python -m kernels_ref` and `warpath kernels` have in common.

Only what a command needs is imported when it runs: listing kernels loads neither torch nor triton.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernels_ref.lib.kernel import Kernel
from kernels_ref.lib.loader import ROOT

ALL_SECONDS = 450  # for `bench all`
KERNEL_SECONDS = 120
TOOK_TOO_LONG = 124  # as timeout(1) says it
NO_GPU = (
    "{} needs a GPU that torch can use, and there is none here; `python -m kernels_ref check SLUG` needs none, "
    "and a kernel's README.md has what was measured elsewhere"
)


class NoGpu(RuntimeError):
    """There is no GPU here to measure on."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one file: held or failed, where, and each failure in words."""

    file: str
    trials: int
    failures: tuple[str, ...]
    planted: bool = False

    @property
    def passed(self) -> bool:
        """Whether it is as it should be: a planted bug has to fail."""
        return bool(self.failures) == self.planted

    def __str__(self) -> str:
        if self.planted:
            return f"{self.file}: {'found out' if self.failures else 'NOT FOUND OUT: the check has no teeth'}"
        if not self.failures:
            return f"{self.file}: holds in {self.trials} trials"
        shown = [*self.failures[:5], *([f"and {len(self.failures) - 5} more"] if len(self.failures) > 5 else [])]
        return "\n".join([f"{self.file}: FAILED", *(f"  {one}" for one in shown)])


def has_gpu() -> bool:
    """Whether torch sees a GPU."""
    import torch

    return torch.cuda.is_available()


def check(kernel: Kernel, file: Path | None = None, variant: str | None = None) -> list[Verdict]:
    """Holds a learner's file, one variant, or all of a kernel's files with its planted bugs, against the oracle.

    On a GPU where there is one, else interpreted.
    """
    if file is not None:
        return _verdicts(kernel, [str(file.resolve())])
    steps = checkable(kernel)
    if variant is not None:
        return _verdicts(kernel, [steps[variant]])
    bugs = [one.file for one in kernel.wrong if one.file.endswith(".py")]
    return [*_verdicts(kernel, list(steps.values())), *_verdicts(kernel, bugs, planted=True)]


def checkable(kernel: Kernel) -> dict[str, str]:
    """Variant -> its file, of those that run here: torch and Triton anywhere, CUDA C++ with a GPU and nvcc."""
    here = ("torch", "triton", "cuda") if has_gpu() and shutil.which("nvcc") else ("torch", "triton")
    return {one.id: one.file for one in kernel.variants if one.lang in here}


def _verdicts(kernel: Kernel, files: Sequence[str], planted: bool = False) -> list[Verdict]:
    if not files:
        return []
    trials = _on_gpu(kernel, files, planted) if has_gpu() else _interpreted(kernel, files, planted)
    found: dict[str, list[tuple[str, list[str]]]] = {file: [] for file in files}
    for name, where, words in trials:
        found[name].append((where, words))
    return [
        Verdict(name, len(some), tuple(f"at {where}: {word}" for where, words in some for word in words), planted)
        for name, some in found.items()
    ]


def _interpreted(kernel: Kernel, files: Sequence[str], planted: bool) -> Iterator[tuple[str, str, list[str]]]:
    from kernels_ref.lib.interp import interpret

    for trial in interpret(kernel, files, until_failure=planted):
        words = [f"{one['output']}: {one['property']}: {one['words']}" for one in trial["findings"]]
        yield trial["file"], _where(trial["workload"], trial["case"]), words


def _on_gpu(kernel: Kernel, files: Sequence[str], planted: bool) -> Iterator[tuple[str, str, list[str]]]:
    """The small sizes against the oracle, then the large ones beside the baseline."""
    from kernels_ref.lib.bench import beside_baseline
    from kernels_ref.lib.variants import load, trials

    for trial in trials(kernel, [kernel.folder / file for file in files], device="cuda", until_failure=planted):
        words = [str(finding) for finding in trial.report.findings]
        yield trial.file, _where(trial.workload, trial.case), words
    for workload in () if planted else kernel.workloads:
        for file in files if "check" in workload.use else ():
            fault = beside_baseline(kernel, workload, load(kernel.folder / file), "cuda")
            yield file, _where(workload.id, None), [fault] if fault else []


def _where(workload: str, case: str | None) -> str:
    return f"{workload}, {case}" if case else workload


def bench(kernel: Kernel, out: Path = ROOT) -> Iterator[str]:
    """Measures one kernel, writes out/SLUG/results/HW-DATE.json, and says each line as it comes."""
    if not has_gpu():
        raise NoGpu(NO_GPU.format("bench"))
    import torch

    from kernels_ref.lib import bench as harness
    from kernels_ref.lib import ceilings, results
    from kernels_ref.lib.timing import Cuda

    device, hw = Cuda(), results.hardware(torch.cuda.get_device_name())
    roofs = ceilings.measure(device)
    yield f"{kernel.slug} on {hw}: " + ", ".join(f"{name} {rate / 1e12:.4g} T/s" for name, rate in roofs.items())
    log = results.start(out / kernel.slug, hw, ceilings=roofs)
    for record in harness.bench(kernel, device, roofs, hw):
        log.add(record)
        yield f"{kernel.slug} {harness.line(record)}"


def bench_all(kernels: Mapping[str, Kernel], out: Path = ROOT) -> Iterator[tuple[str, int]]:
    """Measures every kernel that has variants, each in a process of its own, and goes on after one that fails.

    Gives each slug with its process's exit code.
    """
    if not has_gpu():
        raise NoGpu(NO_GPU.format("bench"))
    end = time.monotonic() + ALL_SECONDS
    for kernel in kernels.values():
        if kernel.steps:
            command = [sys.executable, "-m", "kernels_ref", "bench", kernel.slug, "--out", str(out.resolve())]
            yield kernel.slug, _exit_code(command, min(KERNEL_SECONDS, max(end - time.monotonic(), 1.0)))


def _exit_code(command: Sequence[str], seconds: float) -> int:
    try:
        return subprocess.run(command, cwd=ROOT.parent, timeout=seconds, check=False).returncode  # noqa: S603
    except subprocess.TimeoutExpired:
        return TOOK_TOO_LONG


def profile(kernel: Kernel, out: Path = ROOT) -> Iterator[str]:
    """Reads the counters of each step, writes out/SLUG/results/counters/HW-DATE.json, and says them."""
    if not has_gpu():
        raise NoGpu(NO_GPU.format("profile"))
    import torch

    from kernels_ref.lib import results, tools

    log = results.start(
        out / kernel.slug, results.hardware(torch.cuda.get_device_name()), "counters", tool=tools.version("ncu")
    )
    for record in tools.counters(kernel):
        log.add(record)
        shares = ", ".join(f"{name[:-4]} {value:.0f} %" for name, value in record.items() if name.endswith("_pct"))
        yield f"{kernel.slug} {record['variant']} {record['workload']} {record['launch']}: {shares}"


def sanitize(kernel: Kernel, out: Path = ROOT) -> Iterator[tuple[str, int]]:
    """Runs each step under compute-sanitizer and writes out/SLUG/results/sanitizer/HW-DATE.json.

    Gives a line a check, with the number of its errors.
    """
    if not has_gpu():
        raise NoGpu(NO_GPU.format("sanitize"))
    import torch

    from kernels_ref.lib import results, tools

    hw, tool = results.hardware(torch.cuda.get_device_name()), tools.version("compute-sanitizer")
    log = results.start(out / kernel.slug, hw, "sanitizer", tool=tool)
    for check in tools.CHECKS:
        record = tools.findings(kernel, check)
        log.add(record)
        words = f"{kernel.slug} {check}: {record['errors']} errors in {', '.join(record['variants'])}"
        yield "\n".join([words, *record.get("report", "").splitlines()]), record["errors"]


def compile_all(kernels: Iterable[Kernel]) -> Iterator[tuple[str, list[str]]]:
    """Compiles every variant for the targets its `ci` names; gives a line for each and what is wrong."""
    from kernels_ref.lib import aot

    for kernel in kernels:
        for variant in kernel.variants:
            for target in aot.targets(variant) if variant.lang == "triton" else ():
                compiled = aot.compile_variant(kernel, variant, target)
                words = f"{kernel.slug} {variant.id} {target}: {'; '.join(map(str, compiled))}"
                yield words, list(aot.faults(variant, target, compiled))


def report(kernels: Mapping[str, Kernel]) -> Iterator[Path]:
    """Writes the ladder of each README and a roofline for each device anew; gives the files that changed."""
    from kernels_ref.lib import results

    devices: set[str] = set()
    for kernel in kernels.values():
        runs = results.read(kernel.folder)
        devices |= {run.hw for run in runs}
        readme = kernel.folder / "README.md"
        old = readme.read_text(encoding="utf-8") if readme.is_file() else ""
        new = results.written(kernel, old, runs)
        if new != old:
            readme.write_text(new, encoding="utf-8")
            yield readme
    for hw in sorted(devices):
        path = ROOT / f"roofline-{hw}.svg"
        if results.draw_roofline(list(kernels.values()), hw, path):
            yield path


def as_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict for programs."""
    return {
        "file": verdict.file, "passed": verdict.passed, "planted_bug": verdict.planted, "trials": verdict.trials,
        "failures": list(verdict.failures),
    }  # fmt: skip
