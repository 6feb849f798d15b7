"""What NVIDIA's tools print is read rightly, and what they cannot do is said in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernels_ref.lib import tools
from kernels_ref.lib.loader import load_all

TRANSPOSE = load_all()["transpose"]
DESCRIPTOR_LINE = 1 + next(
    number
    for number, line in enumerate((TRANSPOSE.folder / "triton_v4.py").read_text(encoding="utf-8").splitlines())
    if "make_tensor_descriptor" in line
)


def test_a_launch_is_known_by_the_range_it_lies_in() -> None:
    columns = [tools._RANGE, tools._NAME, tools.METRICS["dram_pct"], tools.METRICS["dram_bytes"]]
    rows = [
        columns,
        ["", "", "%", "byte"],
        ['1153  ""<default domain>:v2 llama-vocab:none""', "softmax", "81.70", "1,590,054,144"],
    ]
    lines = ["==PROF== Connected", *(",".join(f'"{cell}"' for cell in row) for row in rows)]
    [record] = tools.parsed(lines)
    assert record == {
        "variant": "v2", "workload": "llama-vocab", "launch": "softmax", "dram_pct": 81.7, "dram_bytes": 1590054144.0,
    }  # fmt: skip


@pytest.fixture
def sanitizer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program of that name that prints what the file beside it holds, and ends as the tool does on errors."""
    program, said = tmp_path / "compute-sanitizer", tmp_path / "said"
    program.write_text(f"#!/bin/sh\n/bin/cat {said}\n! /bin/grep -q Invalid {said} || exit 86\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return said


def test_reads_of_a_descriptor_are_counted_apart(sanitizer: Path) -> None:
    place = f"=========     at transpose+0x660 in triton_v4.py:{DESCRIPTOR_LINE}\n"
    sanitizer.write_text(f"{place}{place}========= ERROR SUMMARY: 2 errors\n", encoding="utf-8")
    record = tools.findings(TRANSPOSE, "initcheck")
    assert (record["errors"], record["descriptor_reads"]) == (0, 2)


def test_any_other_finding_is_an_error_and_reported(sanitizer: Path) -> None:
    place = f"========= Invalid write\n=========     at transpose+0x660 in triton_v4.py:{DESCRIPTOR_LINE - 1}\n"
    sanitizer.write_text(f"{place}========= ERROR SUMMARY: 1 error\n", encoding="utf-8")
    record = tools.findings(TRANSPOSE, "memcheck")
    assert (record["errors"], record["descriptor_reads"]) == (1, 0)
    assert "Invalid write" in record["report"]


def test_hazards_are_errors(sanitizer: Path) -> None:
    said = "Invalid\n========= RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings)\n"
    sanitizer.write_text(said, encoding="utf-8")
    assert tools.findings(TRANSPOSE, "racecheck")["errors"] == 3


def test_a_tool_that_does_not_come_to_its_end_is_no_clean_bill(sanitizer: Path) -> None:
    sanitizer.write_text("========= Error: Device not supported\n", encoding="utf-8")
    with pytest.raises(tools.ToolFailed, match=r"did not come to its end for transpose.*Device not supported"):
        tools.findings(TRANSPOSE, "memcheck")


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(tools.ToolFailed, match="ncu, of the CUDA toolkit, is not on the PATH"):
        tools.counters(TRANSPOSE)
