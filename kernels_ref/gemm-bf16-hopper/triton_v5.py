"""Step 5: one program a multiprocessor walks over tiles, so that loads of the next tile run under the store of this."""

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
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr,
    PROGRAMS: tl.constexpr, UPCAST: tl.constexpr,
):  # fmt: skip
    """flatten fuses the loop over tiles with the loop over k into one pipeline, which then never drains."""
    a_tiles = tl.make_tensor_descriptor(a, [M, K], [a_stride, 1], [BLOCK_M, BLOCK_K])
    b_tiles = tl.make_tensor_descriptor(b, [K, N], [b_stride, 1], [BLOCK_K, BLOCK_N])
    c_tiles = tl.make_tensor_descriptor(c, [M, N], [c_stride, 1], [BLOCK_M, BLOCK_N // 2])
    tiles = tl.cdiv(M, BLOCK_M) * tl.cdiv(N, BLOCK_N)
    stored = tl.program_id(0)  # a counter of its own: the store must not wait on the loads' coordinates
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=True):
        row, column = grouped_tile(tile, M, N, BLOCK_M, BLOCK_N, GROUP)
        total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
        for start in range(0, K, BLOCK_K):
            x = a_tiles.load([row * BLOCK_M, start])
            y = b_tiles.load([start, column * BLOCK_N])
            if UPCAST:
                x, y = x.to(tl.float32), y.to(tl.float32)
            total = tl.dot(x, y, total)
        row, column = grouped_tile(stored, M, N, BLOCK_M, BLOCK_N, GROUP)
        stored += PROGRAMS
        # Stored by halves: the staging buffer is half as large, which leaves room for another stage.
        left, right = tl.split(tl.permute(tl.reshape(total, (BLOCK_M, 2, BLOCK_N // 2)), (0, 2, 1)))
        c_tiles.store([row * BLOCK_M, column * BLOCK_N], left.to(c.dtype.element_ty))
        c_tiles.store([row * BLOCK_M, column * BLOCK_N + BLOCK_N // 2], right.to(c.dtype.element_ty))


def aligned(x: torch.Tensor) -> torch.Tensor:
    """The same matrix where TMA can reach it: base and rows on multiples of 16 bytes."""
    if x.data_ptr() % 16 == 0 and x.stride(0) % 8 == 0 and x.stride(1) == 1:
        return x
    return padded(x.shape[0], x.shape[1], x).copy_(x)


def padded(rows: int, columns: int, like: torch.Tensor) -> torch.Tensor:
    """An empty matrix whose rows start 16 bytes apart."""
    whole = torch.empty((rows, triton.cdiv(columns, 8) * 8), dtype=like.dtype, device=like.device)
    return whole[:, :columns]


def processors(device: torch.device) -> int:
    """Multiprocessors of a GPU; two stand in for them on a CPU."""
    return torch.cuda.get_device_properties(device).multi_processor_count if device.type == "cuda" else 2


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """c = a @ b."""
    (m, k), n = a.shape, b.shape[1]
    a, b, c = aligned(a), aligned(b), padded(m, n, a)
    # Descriptors made on the device live in memory that the launcher asks this function for.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=a.device))
    config = next(config for rows, config in CONFIGS if m <= rows)
    programs = processors(a.device)
    matmul[(programs,)](
        a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0), GROUP=8, PROGRAMS=programs, UPCAST=UPCAST, **config
    )  # fmt: skip
    return {"c": c}
