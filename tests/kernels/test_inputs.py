"""Generated inputs: the same for a seed, of the right shape and dtype, hard where they say so."""

from __future__ import annotations

import numpy as np
import pytest

from kernels_ref.lib.formats import to_bfloat16
from kernels_ref.lib.inputs import FAR_BLOCK, generate, storage
from kernels_ref.lib.kernel import Kernel
from kernels_ref.lib.loader import load_all

KERNELS = load_all()
DRAWN = [kernel for kernel in KERNELS.values() if kernel.variants]


@pytest.mark.parametrize("kernel", DRAWN, ids=lambda kernel: kernel.slug)
def test_inputs_have_the_shapes_and_types_that_were_promised(kernel: Kernel) -> None:
    assert kernel.inputs_gen is not None
    for workload in kernel.workloads:
        if "interp" in workload.use:
            for case in (None, *kernel.inputs_gen.adversarial):
                made = generate(kernel, workload, 1, case)
                for name, tensor in kernel.inputs.items():
                    if tensor.shape is not None:
                        assert made[name].shape == kernel.shape(tensor, kernel.sizes(workload)), (case, name)
                        assert made[name].dtype == storage(tensor.dtype), (case, name)
                    if tensor.dtype == "bf16":
                        assert np.array_equal(to_bfloat16(made[name]), made[name], equal_nan=True), (case, name)


def test_a_seed_gives_the_same_bits_and_another_seed_others() -> None:
    kernel = KERNELS["gemm-bf16-hopper"]
    first, again, other = (generate(kernel, kernel.workload("odd"), seed)["a"] for seed in (5, 5, 6))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_products_are_fed_both_signs() -> None:
    kernel = KERNELS["sgemm-ladder"]
    a = generate(kernel, kernel.workload("odd"), 0)["a"]
    assert abs(a.mean()) < 0.1
    assert a.std() == pytest.approx(1, abs=0.1)


def test_a_poisoned_cache_is_nan_wherever_no_token_lies() -> None:
    kernel = KERNELS["mla-decode"]
    made = generate(kernel, kernel.workload("odd"), 3, "poisoned_tail")
    kept = int(np.isfinite(made["kv"]).all(axis=-1).sum())
    assert kept == made["seq_lens"].sum()
    assert (made["block_table"][:, -1] == FAR_BLOCK).any() or (made["seq_lens"] > 64).all()
