"""Gate L6: the race is fair under a clock of ours, and whoever cheats has no time."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from api.cli import app
from kernels_ref.__main__ import main
from kernels_ref.lib import bench, ceilings, results, runner
from kernels_ref.lib.kernel import Tolerance, Workload
from kernels_ref.lib.loader import load_all
from kernels_ref.lib.timing import Burst, Call, race

KERNELS = load_all()
ADD = KERNELS["vector-add"]
SIZE = Workload("t", ("bench",), {"N": 1000})
ROOFS = {"memory": 1.2e7, "fp32": 1e12}  # 12000 bytes take a millisecond
Answer = Callable[..., dict[str, Any]]


@dataclass
class Fake:
    """A device whose clock only moves when a call says so; `drift` is how much slower each second makes it."""

    place: str = "cpu"
    l2_bytes: int = 100_000
    now: float = 0.0
    drift: float = 0.0
    captured: list[int] = field(default_factory=list)

    def spend(self, seconds: float) -> None:
        self.now += seconds * (1 + self.drift * self.now)

    def seconds(self, burst: Burst, samples: int) -> list[float]:
        times = []
        for index in range(samples):
            start = self.now
            burst.run(index)
            times.append(self.now - start)
        return times

    def capture(self, calls: Sequence[Call]) -> Burst:
        self.captured.append(len(calls))
        return Burst(lambda _: [call() for call in calls], len(calls), "graph")


def honest(device: Fake, seconds: float = 1.25e-3) -> Answer:
    def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, Any]:
        device.spend(seconds)
        return {"out": a + b}

    return run


def contest(device: Fake, **rivals: Answer) -> dict[str, dict[str, Any]]:
    functions = {"eager": honest(device, 2.5e-3), **rivals}
    return {one["variant"]: one for one in bench.contest(ADD, SIZE, functions, device, ROOFS)}


def test_an_honest_variant_has_its_time_its_share_and_its_gain() -> None:
    device = Fake()
    record = contest(device, v1=honest(device))["v1"]
    assert record["median_us"] == pytest.approx(1250)
    assert record["pct_ceiling"] == pytest.approx(80)
    assert record["ratio_vs_baseline"] == pytest.approx(2)
    assert record["sets"] == 50  # 8000 bytes of inputs, four times the L2 cache


def remembered(device: Fake) -> Answer:
    memory: dict[int, torch.Tensor] = {}

    def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, Any]:
        device.spend(1.25e-3)
        return {"out": memory.setdefault(a.data_ptr(), a + b)}

    return run


def lazy(device: Fake) -> Answer:
    class Later(torch.Tensor):
        pass

    return lambda a, b: {"out": (a + b).as_subclass(Later)}


def unwritten_tail(device: Fake) -> Answer:
    def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, Any]:
        out = torch.empty_like(a)
        out[:900] = a[:900] + b[:900]
        return {"out": out}

    return run


def out_of_bounds(device: Fake) -> Answer:
    def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, Any]:
        out = torch.empty_like(a)
        torch.as_strided(out, (1001,), (1,), out.storage_offset())[1000] = 0.0
        return {"out": torch.add(a, b, out=out)}

    return run


def no_work(device: Fake) -> Answer:
    calls = []

    def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, Any]:
        calls.append(1)
        device.spend(1.25e-3)
        return {"out": a + b if len(calls) == 1 else torch.empty_like(a)}

    return run


def raises(device: Fake) -> Answer:
    def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, Any]:
        raise MemoryError("no room")

    return run


@pytest.mark.parametrize(
    ("cheat", "words"),
    [
        (remembered, "away from the baseline"),
        (lazy, "Later instead of a plain tensor"),
        (unwritten_tail, "poison"),
        (out_of_bounds, "written past its end"),
        (lambda device: lambda a, b: {"out": a.add_(b)}, "a: changed by the run"),
        (no_work, "poison"),
        (raises, "MemoryError: no room"),
        (lambda device: lambda a, b: {"out": (a + b)[:10]}, "instead of torch.float32[1000]"),
        (lambda device: honest(device, 0.5e-3), "200 % of the ceiling"),
    ],
    ids=["remembered", "lazy", "tail", "bounds", "in-place", "no-work", "raises", "shape", "too-fast"],
)
def test_who_cheats_has_no_time(cheat: Callable[[Fake], Answer], words: str) -> None:
    device = Fake()
    records = contest(device, v1=cheat(device))
    assert words in records["v1"]["error"]
    assert "median_us" not in records["v1"]
    assert "error" not in records["eager"]


def test_turns_cancel_a_device_that_grows_slower() -> None:
    device = Fake(drift=0.5)
    times = race(device, {name: [lambda: device.spend(1e-3)] for name in ("first", "second")})
    assert times["first"].median == pytest.approx(times["second"].median, rel=0.05)
    assert times["first"].spread > 0.1  # and the two passes show that something moved


def test_short_calls_are_replayed_as_a_graph_and_long_ones_are_not() -> None:
    device = Fake()
    times = race(device, {"short": [lambda: device.spend(1e-5)] * 3, "long": [lambda: device.spend(1e-3)]})
    assert device.captured == [21]
    assert (times["short"].how, times["long"].how) == ("graph", "events")
    assert times["short"].median == pytest.approx(10)


def test_reading_alone_may_be_faster_than_copying() -> None:
    estimate = ADD.estimate(SIZE)
    assert estimate
    both = ROOFS | {"memory_read": 1.3e7}
    assert ceilings.share(estimate, "fp32", both, 0.95e-3) == pytest.approx(1 / 0.95)
    assert ceilings.beyond(estimate, "fp32", both, 0.95e-3) == pytest.approx(1.2 / 1.3 / 0.95)


def test_a_librarys_product_is_no_bound_where_more_was_measured() -> None:
    estimate = ADD.estimate(SIZE)
    assert estimate
    both = ROOFS | {"fp32": 1e6, "fp32_peak": 2e6}  # 1000 additions take a millisecond, or half of one
    assert ceilings.share(estimate, "fp32", both, 1e-3) == pytest.approx(1)
    assert ceilings.beyond(estimate, "fp32", ROOFS | {"fp32": 1e5, "fp32_peak": 2e5}, 10e-3) == pytest.approx(0.5)


def test_a_variant_that_rounds_more_has_a_tolerance_of_its_own() -> None:
    device = Fake()

    def off(a: torch.Tensor, b: torch.Tensor) -> dict[str, Any]:
        device.spend(1.25e-3)
        return {"out": (a + b) * (1 + 1e-4)}

    loose = {"out": Tolerance(normwise=1e-3, nonfinite="exact")}
    variants = tuple(replace(one, tolerance=loose) if one.id == "v1" else one for one in ADD.variants)
    functions = {"eager": honest(device), "v1": off, "v2": off}
    records = bench.contest(replace(ADD, variants=variants), SIZE, functions, device, ROOFS)
    assert [one["variant"] for one in records if "away from the baseline" in one.get("error", "")] == ["v2"]


@pytest.mark.parametrize("command", ["bench", "profile", "sanitize"])
def test_what_needs_a_gpu_says_clearly_that_there_is_none(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "has_gpu", lambda: False)
    assert main([command, "softmax"]) == 1
    assert f"{command} needs a GPU" in capsys.readouterr().err
    done = CliRunner().invoke(app, ["kernels", command, "softmax"])
    assert done.exit_code != 0
    assert "There is no GPU here" in done.stderr


def test_sanitize_fails_where_a_tool_found_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [("softmax memcheck: 2 errors in v1", 2), ("softmax racecheck: 0 errors in v1", 0)]
    monkeypatch.setattr(runner, "sanitize", lambda kernel, out: iter(found))
    done = CliRunner().invoke(app, ["kernels", "sanitize", "softmax"])
    assert done.exit_code == 1
    assert "memcheck: 2 errors" in done.stderr


def test_steps_in_cuda_are_checked_where_they_can_be_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "has_gpu", lambda: True)
    monkeypatch.setattr(runner.shutil, "which", lambda tool: f"/bin/{tool}")
    assert "v6" in runner.checkable(KERNELS["softmax"])
    monkeypatch.setattr(runner, "has_gpu", lambda: False)
    assert "v6" not in runner.checkable(KERNELS["softmax"])


def test_bench_all_says_clearly_that_there_is_no_gpu(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "has_gpu", lambda: False)
    assert main(["bench", "all"]) == 1
    assert "bench needs a GPU" in capsys.readouterr().err


def test_bench_all_goes_on_after_a_kernel_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def process(command: list[str], **options: Any) -> Any:
        seen.append(command[4])
        return SimpleNamespace(returncode=int(command[4] == "softmax"))

    monkeypatch.setattr(runner, "has_gpu", lambda: True)
    monkeypatch.setattr(runner.subprocess, "run", process)
    codes = dict(runner.bench_all(KERNELS, tmp_path))
    assert codes["softmax"] == 1
    assert codes["rmsnorm"] == 0
    assert seen == list(codes)


RECORD = {
    "variant": "v1", "workload": "2-28", "median_us": 800.0, "pct_ceiling": 93.6, "tflops": 0.33,
    "ratio_vs_baseline": 1.01, "baseline": "eager",
}  # fmt: skip


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> results.Log:
    monkeypatch.setattr(results, "machine", lambda: {"gpu": "a fake"})
    log = results.start(tmp_path, "h200-sxm", ceilings={"memory": 4.3e12, "fp32": 6e13})
    log.add(RECORD)
    log.add({"variant": "v2", "error": "no"})
    return log


def test_records_are_never_rewritten(measured: results.Log, tmp_path: Path) -> None:
    before = measured.path.read_text(encoding="utf-8")
    second = results.start(tmp_path, "h200-sxm", ceilings={"memory": 4.3e12})
    second.add(RECORD | {"median_us": 790.0})
    assert second.path.name == f"{measured.path.stem}-2.json"
    assert measured.path.read_text(encoding="utf-8") == before
    assert json.loads(before)["schema"] == results.SCHEMA
    runs = results.read(tmp_path)
    assert [run.records[0]["median_us"] for run in runs] == [800.0, 790.0]
    assert results.latest(runs, "h200-sxm")["v1", "2-28"]["median_us"] == 790.0


def test_a_ladder_shows_what_was_measured(measured: results.Log, tmp_path: Path) -> None:
    table = results.ladder(ADD, results.read(tmp_path))
    assert "2-28 on h200-sxm" in table.splitlines()[0]
    assert "| 800 µs, 94 %, 1.01× eager |" in table
    assert table.splitlines()[-1].endswith("| - |")
    measured.add(RECORD | {"median_us": 615_400.0, "pct_ceiling": 0.16, "ratio_vs_baseline": 0.0016})
    assert "| 615.4 ms, 0.2 %, 0.002× eager |" in results.ladder(ADD, results.read(tmp_path))


def test_counters_are_shown_for_the_longest_launch_and_bytes_for_all(measured: results.Log, tmp_path: Path) -> None:
    log = results.start(tmp_path, "h200-sxm", "counters", tool="a fake")
    shares = dict.fromkeys(["dram_pct", "issue_pct", "tensor_pct", "shared_pct", "l2_hit_pct", "occupancy_pct"], 90.0)
    step = {"variant": "v1", "workload": "2-28", "dram_bytes": 3.0 * 2**29}
    log.add(step | shares | {"nanoseconds": 7e5})
    log.add(step | dict.fromkeys(shares, 1.0) | {"nanoseconds": 1e3})
    kernel = replace(ADD, folder=tmp_path)
    row = results.counters(kernel, "h200-sxm").splitlines()[-1]
    assert row == "| v1 | 2-28 | 90 % | 90 % | 90 % | 90 % | 90 % | 90 % | 1.00× |"
    assert len(results.read(tmp_path)) == 1  # counters are no race


def test_the_roofline_is_drawn_the_same_each_time(measured: results.Log, tmp_path: Path) -> None:
    kernel = replace(ADD, folder=tmp_path)
    pictures = [tmp_path / name for name in ("a.svg", "b.svg")]
    assert all(results.draw_roofline([kernel], "h200-sxm", path) for path in pictures)
    first, second = (path.read_text(encoding="utf-8") for path in pictures)
    assert first == second
    assert "vector-add" in first
    assert not results.draw_roofline([kernel], "b200", tmp_path / "c.svg")


def test_a_kernel_has_a_label_for_each_place_on_the_roofline() -> None:
    points = [("gemm large", 2700.0, 700.0), ("gemm wide", 2500.0, 690.0), ("gemm thin", 63.0, 250.0)]
    assert results._labels(points) == {"gemm": (2700.0, 700.0), "gemm thin": (63.0, 250.0)}


def test_readme_ladders_are_fresh() -> None:
    """`python -m kernels_ref report` writes them."""
    for kernel in KERNELS.values():
        path = kernel.folder / "README.md"
        readme = path.read_text(encoding="utf-8") if path.is_file() else ""
        assert results.written(kernel, readme, results.read(kernel.folder)) == readme


@pytest.mark.parametrize(
    ("name", "slug"), [("NVIDIA H200", "h200-sxm"), ("NVIDIA B200", "b200"), ("AMD Radeon X", "amd-radeon-x")]
)
def test_a_device_has_a_slug(name: str, slug: str) -> None:
    assert results.hardware(name) == slug
