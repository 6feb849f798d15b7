"""Step 4: tensor descriptors; the TMA unit copies whole tiles and no thread computes an address or a mask."""

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
    """What lies outside a descriptor's shape is read as zero and never written."""
    a_tiles = tl.make_tensor_descriptor(a, [M, K], [a_stride, 1], [BLOCK_M, BLOCK_K])
    b_tiles = tl.make_tensor_descriptor(b, [K, N], [b_stride, 1], [BLOCK_K, BLOCK_N])
    c_tiles = tl.make_tensor_descriptor(c, [M, N], [c_stride, 1], [BLOCK_M, BLOCK_N])
    row, column = grouped_tile(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        x = a_tiles.load([row * BLOCK_M, start])
        y = b_tiles.load([start, column * BLOCK_N])
        if UPCAST:
            x, y = x.to(tl.float32), y.to(tl.float32)
        total = tl.dot(x, y, total)
    c_tiles.store([row * BLOCK_M, column * BLOCK_N], total.to(c.dtype.element_ty))


def aligned(x: torch.Tensor) -> torch.Tensor:
    """The same matrix where TMA can reach it: base and rows on multiples of 16 bytes."""
    if x.data_ptr() % 16 == 0 and x.stride(0) % 8 == 0 and x.stride(1) == 1:
        return x
    return padded(x.shape[0], x.shape[1], x).copy_(x)


def padded(rows: int, columns: int, like: torch.Tensor) -> torch.Tensor:
    """An empty matrix whose rows start 16 bytes apart."""
    whole = torch.empty((rows, triton.cdiv(columns, 8) * 8), dtype=like.dtype, device=like.device)
    return whole[:, :columns]


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """c = a @ b."""
    (m, k), n = a.shape, b.shape[1]
    a, b, c = aligned(a), aligned(b), padded(m, n, a)
    # Descriptors made on the device live in memory that the launcher asks this function for.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=a.device))
    config = next(config for rows, config in CONFIGS if m <= rows)
    grid = (triton.cdiv(m, config["BLOCK_M"]) * triton.cdiv(n, config["BLOCK_N"]),)
    matmul[grid](
        a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0), GROUP=8, UPCAST=UPCAST, **config
    )  # fmt: skip
    return {"c": c}
