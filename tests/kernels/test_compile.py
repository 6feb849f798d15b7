"""Gate L3: Triton variants compile for GPUs that are not here, with the instructions meant and without spills."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kernels_ref.lib import aot
from kernels_ref.lib.kernel import Kernel, Variant
from kernels_ref.lib.loader import load_all

KERNELS = load_all()


def _jobs() -> list[object]:
    """Every step on Hopper, the last of each kernel on all targets; the others are slow together."""
    jobs: list[object] = []
    for kernel in KERNELS.values():
        steps = [one for one in kernel.variants if one.lang == "triton" and aot.targets(one)]
        for step in steps:
            for target in aot.targets(step):
                quick = step is steps[-1] or target == "cuda:90"
                marks = () if quick else (pytest.mark.slow,)
                jobs.append(pytest.param(kernel, step, target, id=f"{kernel.slug}-{step.id}-{target}", marks=marks))
    return jobs


@pytest.mark.parametrize(("kernel", "variant", "target"), _jobs())
def test_a_variant_compiles(kernel: Kernel, variant: Variant, target: str) -> None:
    assert list(aot.faults(variant, target, aot.compile_variant(kernel, variant, target))) == []


def test_a_missing_instruction_a_spill_and_too_much_shared_memory_are_faults() -> None:
    variant = replace(KERNELS["vector-add"].variants[-1], isa={"cuda:90": ("wgmma",)})
    greedy = aot.Compiled("k", "cuda:90", "add.f32", registers=255, local_bytes=8, shared_bytes=2**20)
    words = "\n".join(aot.faults(variant, "cuda:90", [greedy]))
    assert "no 'wgmma' in the assembly" in words
    assert "spills" in words
    assert "more shared memory" in words
    assert list(aot.faults(variant, "hip:gfx950", [])) == ["started no Triton kernel"]


def test_a_launch_is_compiled_for_each_bench_size() -> None:
    kernel = KERNELS["rmsnorm"]
    v2 = next(one for one in kernel.variants if one.id == "v2")
    assert [launch.options["BLOCK"] for launch in aot.launches(kernel, v2)] == [4096, 8192]
