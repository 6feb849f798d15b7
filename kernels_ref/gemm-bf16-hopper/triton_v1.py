"""Step 1: one program computes one tile of c; `tl.dot` is what reaches the tensor cores."""

import os

import torch
import triton
import triton.language as tl

UPCAST = os.environ.get("TRITON_INTERPRET") == "1"  # the interpreter computes on the bits of bf16


@triton.jit
def matmul(
    a, b, c, M, N, K, a_stride, b_stride, c_stride,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """Tiles in reading order: along a row of c, then the next row."""
    tile = tl.program_id(0)
    across = tl.cdiv(N, BLOCK_N)
    rows = tile // across * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tile % across * BLOCK_N + tl.arange(0, BLOCK_N)
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
    block_m, block_n, block_k = 128, 128, 64
    grid = (triton.cdiv(m, block_m) * triton.cdiv(n, block_n),)
    matmul[grid](
        a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0),
        BLOCK_M=block_m, BLOCK_N=block_n, BLOCK_K=block_k, UPCAST=UPCAST, num_warps=4, num_stages=1,
    )  # fmt: skip
    return {"c": c}
