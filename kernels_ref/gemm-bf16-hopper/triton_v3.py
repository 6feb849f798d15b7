"""Step 3: copies in flight while the last tile is multiplied, and tiles large enough to feed wgmma."""

import os

import torch
import triton
import triton.language as tl

UPCAST = os.environ.get("TRITON_INTERPRET") == "1"  # the interpreter computes on the bits of bf16

# Most rows of a -> tile, warps, stages. A stage holds (BLOCK_M + BLOCK_N) * BLOCK_K * 2 bytes of shared memory.
CONFIGS = (
    (64, {"BLOCK_M": 64, "BLOCK_N": 128, "BLOCK_K": 64, "num_warps": 4, "num_stages": 4}),
    (1 << 31, {"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 64, "num_warps": 8, "num_stages": 4}),
)


@triton.jit
def grouped_tile(tile, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP: tl.constexpr):
    """Where a tile lies: down GROUP rows of tiles, then one column to the right, then the next group."""
    in_group = GROUP * tl.cdiv(N, BLOCK_N)
    first = tile // in_group * GROUP
    height = tl.minimum(tl.cdiv(M, BLOCK_M) - first, GROUP)
    return first + tile % in_group % height, tile % in_group // height


@triton.jit
def matmul(
    a, b, c, M, N, K, a_stride, b_stride, c_stride,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """With num_stages over 1 the compiler turns the loads into asynchronous copies that run ahead of the product."""
    row, column = grouped_tile(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP)
    rows = row * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = column * BLOCK_N + tl.arange(0, BLOCK_N)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        x = tl.load(a + rows[:, None] * a_stride + k, mask=(rows[:, None] < M) & (k < K), other=0.0)
        y = tl.load(b + k[:, None] * b_stride + columns, mask=(k[:, None] < K) & (columns < N), other=0.0)
        if UPCAST:
            x, y = x.to(tl.float32), y.to(tl.float32)
        total = tl.dot(x, y, total)
    inside = (rows[:, None] < M) & (columns < N)
    tl.store(c + rows[:, None] * c_stride + columns, total.to(c.dtype.element_ty), mask=inside)


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """c = a @ b, both operands with rows of consecutive elements."""
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), dtype=a.dtype, device=a.device)
    config = next(config for rows, config in CONFIGS if m <= rows)
    grid = (triton.cdiv(m, config["BLOCK_M"]) * triton.cdiv(n, config["BLOCK_N"]),)
    matmul[grid](
        a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0), GROUP=8, UPCAST=UPCAST, **config
    )  # fmt: skip
    return {"c": c}
