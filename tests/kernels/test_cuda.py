"""Steps in CUDA C++ compile for Hopper where NVRTC is, with the instructions meant and without spills."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernels_ref.lib import aot
from kernels_ref.lib.kernel import Kernel, Variant
from kernels_ref.lib.loader import load_all

pytest.importorskip("cuda.bindings.nvrtc", reason="NVRTC is not here; torch brings it on Linux")
from kernels_ref.lib import nvrtc

KERNELS = load_all()
STEPS = [
    pytest.param(kernel, step, id=f"{kernel.slug}-{step.id}")
    for kernel in KERNELS.values()
    for step in kernel.variants
    if step.lang == "cuda"
]


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    try:
        nvrtc.nvrtc.nvrtcVersion()
    except RuntimeError as error:
        pytest.skip(f"NVRTC's library is not here: {error}")


@pytest.mark.parametrize(("kernel", "step"), STEPS)
def test_a_step_compiles(kernel: Kernel, step: Variant) -> None:
    source = kernel.folder / "cuda" / f"{step.id}.cu"
    assert list(aot.faults(step, "cuda:90", [nvrtc.compile_file(source, "90")])) == []


def test_every_template_is_compiled_both_ways() -> None:
    assembly = nvrtc.compile_file(KERNELS["softmax"].folder / "cuda" / "v6.cu", "90").assembly
    assert assembly.count(".entry") == 2


def test_an_error_is_told_in_the_words_of_the_compiler(tmp_path: Path) -> None:
    source = tmp_path / "bad.cu"
    source.write_text("__global__ void add(const float *x) { y = x; }\n", encoding="utf-8")
    with pytest.raises(nvrtc.DoesNotCompile, match=r"bad.cu.*\"y\" is undefined"):
        nvrtc.compile_file(source, "90")
