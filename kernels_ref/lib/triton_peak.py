"""How fast tensor cores multiply when nothing is loaded: the rate that no product can pass, a vendor's neither."""

from __future__ import annotations

import torch
import triton
import triton.language as tl

ROWS, COLUMNS, DEPTH, TIMES = 128, 256, 64, 2000


@triton.jit  # type: ignore[untyped-decorator]
def multiply(a, b, c, times, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):  # type: ignore[no-untyped-def]
    """One tile of a and b stays in shared memory and is multiplied again and again."""
    i, j, k = tl.arange(0, M)[:, None], tl.arange(0, N), tl.arange(0, K)
    x, y = tl.load(a + i * K + k), tl.load(b + k[:, None] * N + j)
    total = tl.zeros((M, N), tl.float32)
    for _ in range(times):
        total = tl.dot(x, y, total)
    tl.store(c + tl.program_id(0) * M * N + i * N + j, total)


def operations(programs: int) -> float:
    """Floating-point operations of one `run`."""
    return 2.0 * programs * ROWS * COLUMNS * DEPTH * TIMES


def run(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> None:
    """Multiplies a [ROWS, DEPTH] by b [DEPTH, COLUMNS] TIMES times in each of c's [programs, ROWS, COLUMNS]."""
    multiply[(len(c),)](a, b, c, TIMES, M=ROWS, N=COLUMNS, K=DEPTH, num_warps=8)
