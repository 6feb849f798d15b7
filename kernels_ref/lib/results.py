"""Keeps what was measured, a file a run that nobody rewrites, and draws tables and the roofline from it."""

from __future__ import annotations

import json
import math
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kernels_ref.lib.kernel import Kernel, Variant, Workload
from kernels_ref.lib.loader import ROOT
from kernels_ref.lib.roofline import MEMORY

SCHEMA = "warpath.results/1"
HARDWARE = "h200-sxm"  # whose counters the README files show
BEGIN, END = "<!-- ladder: `python -m kernels_ref report` writes it -->", "<!-- end of ladder -->"
COUNTERS, END_COUNTERS = "<!-- counters: `python -m kernels_ref report` writes them -->", "<!-- end of counters -->"
_SLUGS = {"H200": "h200-sxm", "H100": "h100-sxm", "A100": "a100-80gb", "B200": "b200", "MI300X": "mi300x",
          "MI355X": "mi355x"}  # fmt: skip

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """One file: where and with what it was measured, the ceilings, and a record a variant and workload."""

    hw: str
    date: str
    machine: Mapping[str, Any]
    ceilings: Mapping[str, float]
    records: Sequence[Record]


@dataclass(slots=True)
class Log:
    """A file that grows while its run lasts."""

    path: Path
    head: Mapping[str, Any]
    records: list[Record] = field(default_factory=list)

    def add(self, record: Record) -> None:
        """Adds a record and writes the file, so that a crash loses nothing measured before."""
        self.records.append(record)
        text = json.dumps({**self.head, "records": self.records}, indent=1, ensure_ascii=False)
        self.path.write_text(text + "\n", encoding="utf-8")


def start(folder: Path, hw: str, kind: str = "", **head: Any) -> Log:
    """A new file among a kernel's results, or those of a kind; one of the same day stays as it is."""
    date = datetime.now(UTC).date().isoformat()
    folder = folder / "results" / kind
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"{hw}-{date}.json", *(f"{hw}-{date}-{number}.json" for number in range(2, 1000))]
    path = next(folder / name for name in names if not (folder / name).exists())
    return Log(path, {"schema": SCHEMA, "hw": hw, "date": date, "machine": machine(), **head})


def hardware(name: str) -> str:
    """The slug of a device by the name its driver gives."""
    known = (slug for part, slug in _SLUGS.items() if part in name.upper())
    return next(known, "-".join(name.lower().split()))


def machine() -> dict[str, Any]:
    """What a reader needs to measure the same again."""
    import torch
    import triton

    device = torch.cuda.get_device_properties(0)
    query = "name,driver_version,clocks.sm,clocks.mem,temperature.gpu,power.draw"
    return {
        "gpu": device.name, "multiprocessors": device.multi_processor_count, "l2_bytes": device.L2_cache_size,
        "nvidia_smi": _said("nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"),
        "torch": torch.__version__, "triton": triton.__version__, "cuda": torch.version.cuda,
        "python": platform.python_version(), "commit": _said("git", "-C", str(ROOT), "rev-parse", "HEAD"),
    }  # fmt: skip


def read(folder: Path) -> list[Run]:
    """The runs of one kernel, the oldest first."""
    files = sorted((folder / "results").glob("*.json"), key=lambda path: (path.stem.count("-"), path.stem))
    runs = [_run(json.loads(path.read_text(encoding="utf-8"))) for path in files]
    return sorted(runs, key=lambda run: run.date)


def latest(runs: Iterable[Run], hw: str) -> dict[tuple[str, str], Record]:
    """(variant, workload) -> its newest record on a device that has a time."""
    return {
        (record["variant"], record["workload"]): record
        for run in runs
        if run.hw == hw
        for record in run.records
        if "median_us" in record
    }


def ladder(kernel: Kernel, runs: Sequence[Run]) -> str:
    """The table of steps: idea, predicted gain, and what each workload took on each device measured."""
    steps = [one for one in kernel.variants if one.role in ("baseline", "ladder", "alt")]
    measured = {hw: latest(runs, hw) for hw in sorted({run.hw for run in runs})}
    columns = [
        (hw, workload.id, found)
        for hw, found in measured.items()
        for workload in kernel.workloads
        if any(size == workload.id for _, size in found)
    ]
    heads = [f"{size} on {hw}" for hw, size, _ in columns] or ["measured"]
    rows = [_row("step", "idea", "predicted gain", *heads), _row("---", "---", "---", *("--:" for _ in heads))]
    for step in steps:
        cells = [_cell(found.get((step.id, size))) for _, size, found in columns] or ["not yet"]
        name = f"[{step.id}]({step.file})"
        rows.append(_row(name, step.idea or "what a torch user writes", step.predict or "", *cells))
    return "\n".join(rows)


def counters(kernel: Kernel, hw: str) -> str:
    """What Nsight Compute counted: shares of each unit in a step's longest launch, bytes in all of its launches."""
    names = ("dram_pct", "issue_pct", "tensor_pct", "shared_pct", "l2_hit_pct", "occupancy_pct")
    heads = (
        "step",
        "size",
        "memory",
        "issue slots",
        "tensor cores",
        "shared memory",
        "L2 hits",
        "occupancy",
        "traffic",
    )
    rows = [_row(*heads), _row("---", "---", *("--:" for _ in heads[2:]))]
    for (variant, size), launches in _counted(kernel.folder, hw).items():
        longest = max(launches, key=lambda launch: float(launch["nanoseconds"]))
        estimate = kernel.estimate(kernel.workload(size))
        moved = sum(launch["dram_bytes"] for launch in launches) / estimate.bytes if estimate else 0.0
        rows.append(_row(variant, size, *(f"{longest[name]:.0f} %" for name in names), f"{moved:.2f}×"))
    return "\n".join(rows)


def _counted(folder: Path, hw: str) -> dict[tuple[str, str], list[Record]]:
    """(variant, workload) -> its launches in the newest file of a device."""
    files = sorted((folder / "results" / "counters").glob(f"{hw}-*.json"), key=lambda path: (len(path.stem), path.stem))
    found: dict[tuple[str, str], list[Record]] = {}
    for record in json.loads(files[-1].read_text(encoding="utf-8"))["records"] if files else ():
        found.setdefault((record["variant"], record["workload"]), []).append(record)
    return found


def written(kernel: Kernel, readme: str, runs: Sequence[Run]) -> str:
    """A README with its ladder and counters written anew; what has no marks is left alone."""
    readme = _between(readme, BEGIN, END, ladder(kernel, runs))
    return _between(readme, COUNTERS, END_COUNTERS, counters(kernel, HARDWARE))


def _between(text: str, begin: str, end: str, content: str) -> str:
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    return f"{before}{begin}\n\n{content}\n\n{end}{after}" if found and closed else text


def draw_roofline(kernels: Iterable[Kernel], hw: str, path: Path) -> bool:
    """An SVG of the fastest variant at each workload under the ceilings of the newest run; False with nothing to draw.

    Work of no operations, such as a transpose, has no place on this plot; the tables have it.
    """
    runs = {kernel.slug: [run for run in read(kernel.folder) if run.hw == hw] for kernel in kernels}
    points = [point for kernel in kernels for point in _points(kernel, latest(runs[kernel.slug], hw))]
    if not points:
        return False
    newest = max((run for some in runs.values() for run in some), key=lambda run: (run.date, len(run.ceilings)))
    _plot(points, newest, path)
    return True


Point = tuple[str, float, float]  # name, FLOP/B, TFLOP/s


def _points(kernel: Kernel, found: Mapping[tuple[str, str], Record]) -> Iterable[Point]:
    for workload in kernel.workloads:
        estimate = kernel.estimate(workload)
        rates = [record["tflops"] for (name, size), record in found.items() if _is_ours(kernel, name, size, workload)]
        if rates and estimate and estimate.flops:
            yield f"{kernel.slug} {workload.id}", estimate.intensity, max(rates)


def _is_ours(kernel: Kernel, name: str, size: str, workload: Workload) -> bool:
    step = {one.id: one for one in kernel.variants}.get(name)
    return size == workload.id and isinstance(step, Variant) and step.role in ("ladder", "alt")


def _plot(points: Sequence[Point], run: Run, path: Path) -> None:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "warpath", "svg.fonttype": "none", "font.size": 8}):
        figure = Figure(figsize=(9, 6), layout="constrained")
        axes: Any = figure.add_subplot()
        _roofs(axes, run, [x for _, x, _ in points])
        for _, intensity, rate in points:
            axes.plot(intensity, rate, "o", markersize=4, color="black")
        for label, (intensity, rate) in _labels(points).items():
            shift, side = _beside(run, intensity, rate)
            axes.annotate(label, (intensity, rate), textcoords="offset points", xytext=shift, ha=side)
        axes.margins(x=0.12)
        axes.set(xscale="log", yscale="log", xlabel="FLOP per byte of compulsory traffic", ylabel="TFLOP/s")
        axes.set_title(f"{run.hw}: the fastest variants under the ceilings measured on {run.date}")
        axes.grid(which="both", linewidth=0.2)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _labels(points: Iterable[Point]) -> dict[str, tuple[float, float]]:
    """A label for the points of a kernel that lie close together; at a second place it names the workload too."""
    labels: dict[str, tuple[float, float]] = {}
    for name, intensity, rate in points:
        slug = name.split()[0]
        places = [place for label, (place, _) in labels.items() if label.split()[0] == slug]
        if all(abs(math.log(intensity / place)) > 1 for place in places):
            labels[name if places else slug] = intensity, rate
    return labels


def _beside(run: Run, intensity: float, rate: float) -> tuple[tuple[int, int], str]:
    """Where a label crosses no roof: left of the slope, over a flat roof that its point touches, else below."""
    flat = [1e12 * rate / roof for name, roof in run.ceilings.items() if not name.startswith(MEMORY)]
    if 1e12 * rate > 0.85 * run.ceilings[MEMORY] * intensity:
        return (-6, 2), "right"
    return ((0, 14), "center") if any(0.85 < share < 1.1 for share in flat) else ((6, -9), "left")


def _roofs(axes: Any, run: Run, intensities: Sequence[float]) -> None:
    """A slope for the memory, a flat line for each rate of arithmetic."""
    low, high = min(intensities) / 2, max(2 * max(intensities), 1000.0)
    for name, rate in run.ceilings.items():
        if name.startswith(MEMORY) or name == "sdpa":
            continue
        ridge = rate / run.ceilings[MEMORY]
        heights = [run.ceilings[MEMORY] * low / 1e12, rate / 1e12, rate / 1e12]
        axes.plot([low, ridge, max(high, ridge)], heights, linewidth=1, label=f"{name}: {rate / 1e12:.0f} TFLOP/s")
    axes.legend(title=f"memory: {run.ceilings[MEMORY] / 1e12:.2f} TB/s", loc="lower right")


def _run(data: Mapping[str, Any]) -> Run:
    return Run(**{name: value for name, value in data.items() if name != "schema"})


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(record: Record | None) -> str:
    if record is None:
        return "-"
    ratio = record.get("ratio_vs_baseline")
    beside = f", {_short(ratio, 2)}× eager" if ratio and record["variant"] != record.get("baseline") else ""
    return f"{_time(record['median_us'])}, {_short(record['pct_ceiling'], 0)} %{beside}"


def _time(microseconds: float) -> str:
    return f"{microseconds:.4g} µs" if microseconds < 10_000 else f"{microseconds / 1000:.4g} ms"


def _short(number: float, places: int) -> str:
    """So many places, more where they would all be zero."""
    text = f"{number:.{places}f}"
    return text if float(text) else f"{number:.1g}"


def _said(*command: str) -> str | None:
    """What a program prints; None where it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
