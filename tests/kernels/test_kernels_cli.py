"""`python -m kernels_ref` in words."""

from __future__ import annotations

import pytest

from kernels_ref.__main__ import main


def test_list_names_every_kernel_with_its_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["vector-add", "measured"]
    assert any(line.split()[:2] == ["mega-moe", "described"] for line in lines)


def test_show_says_what_a_kernel_builds_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "mla-decode"]) == 0
    out = capsys.readouterr().out
    assert "builds on:  paged-gqa-decode, lse-merge" in out
    assert "https://github.com/deepseek-ai/FlashMLA" in out


def test_roofline_gives_a_floor_for_each_workload(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roofline", "vector-add", "--hardware", "h200-sxm"]) == 0
    assert "749.1  memory" in capsys.readouterr().out
    assert main(["roofline", "mega-moe"]) == 0
    assert "states no cost" in capsys.readouterr().out


def test_an_unknown_kernel_is_an_error_with_a_way_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "nope"]) == 1
    assert "python -m kernels_ref list" in capsys.readouterr().err
