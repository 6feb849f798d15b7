"""Gates L2 and L5: what is right holds under the interpreter, and every planted bug is found."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from kernels_ref.lib import runner, variants
from kernels_ref.lib.interp import interpret
from kernels_ref.lib.kernel import Kernel
from kernels_ref.lib.loader import load_all

KERNELS = load_all()
WITH_STEPS = [kernel for kernel in KERNELS.values() if any("interp" in one.ci for one in kernel.variants)]
IDS = [kernel.slug for kernel in WITH_STEPS]


@pytest.mark.parametrize("kernel", WITH_STEPS, ids=IDS)
def test_every_variant_holds_under_the_interpreter(kernel: Kernel) -> None:
    files = [one.file for one in kernel.variants if "interp" in one.ci or one.role == "baseline"]
    trials = interpret(kernel, files)
    assert {trial["file"] for trial in trials} == set(files)
    assert [trial for trial in trials if trial["findings"]] == []


@pytest.mark.parametrize("kernel", WITH_STEPS, ids=IDS)
def test_every_planted_bug_is_found(kernel: Kernel) -> None:
    files = {one.file for one in kernel.wrong if one.file.endswith(".py")}
    assert len(files) >= 3
    trials = interpret(kernel, sorted(files), until_failure=True)
    assert files == {trial["file"] for trial in trials if trial["findings"]}


@pytest.mark.parametrize("kernel", WITH_STEPS, ids=IDS)
def test_every_file_is_short(kernel: Kernel) -> None:
    files = [kernel.folder / one.file for one in (*kernel.variants, *kernel.wrong)]
    assert all(len(file.read_text(encoding="utf-8").splitlines()) <= 150 for file in files)


def test_a_learners_file_is_told_in_words_what_is_wrong(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("def run(a, b):\n    return {'out': (a + b).double()}\n", encoding="utf-8")
    [verdict] = runner.check(KERNELS["vector-add"], mine)
    assert not verdict.passed
    assert "got torch.float64, want f32" in str(verdict)
    mine.write_text("def run(a, b):\n    raise IndexError('too far')\n", encoding="utf-8")
    [verdict] = runner.check(KERNELS["vector-add"], mine)
    assert "IndexError: too far" in str(verdict)


def test_memory_that_a_run_asks_for_is_poisoned_and_fenced() -> None:
    def runs_over(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
        out = torch.empty_like(a)
        torch.as_strided(out, (a.numel() + 1,), (1,), out.storage_offset())[...] = 0.0
        return {"out": out}

    kernel = KERNELS["vector-add"]
    guarded = variants.Guarded(kernel, runs_over, "cpu")
    a = variants.to_array(torch.randn(5))
    guarded(a=a, b=a)
    assert [str(finding) for finding in guarded.findings] == ["memory of the run: guard zone: written past its end"]
    with variants.Guards():
        assert torch.empty(3).isnan().all()
        assert (torch.empty(3, dtype=torch.int32) != 0).all()
