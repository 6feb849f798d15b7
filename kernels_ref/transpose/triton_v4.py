"""TMA copies whole tiles both ways: no thread computes an address or a mask."""

import torch
import triton
import triton.language as tl

ROWS, COLUMNS, WARPS = 128, 64, 4


@triton.jit
def transpose(x, out, m, n, n_stride, m_stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """What lies outside a descriptor's shape is read as zero and never written."""
    x_tiles = tl.make_tensor_descriptor(x, [m, n], [n_stride, 1], [ROWS, COLUMNS])
    out_tiles = tl.make_tensor_descriptor(out, [n, m], [m_stride, 1], [COLUMNS, ROWS])
    tiles = tl.cdiv(n, COLUMNS)
    row, column = tl.program_id(0) // tiles * ROWS, tl.program_id(0) % tiles * COLUMNS
    out_tiles.store([column, row], tl.trans(x_tiles.load([row, column])))


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    """out = x.T; TMA wants rows on multiples of 16 bytes, so odd sizes travel through padded copies."""
    m, n = x.shape
    if n % 4 or x.data_ptr() % 16:
        x = padded(m, n, x).copy_(x)
    out = padded(n, m, x)
    # Descriptors made on the device live in memory that the launcher asks this function for.
    triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=x.device))
    grid = (triton.cdiv(m, ROWS) * triton.cdiv(n, COLUMNS),)
    transpose[grid](x, out, m, n, x.stride(0), out.stride(0), ROWS=ROWS, COLUMNS=COLUMNS, num_warps=WARPS)
    return {"out": out}


def padded(rows: int, columns: int, like: torch.Tensor) -> torch.Tensor:
    """An empty matrix whose rows start on multiples of 16 bytes."""
    whole = torch.empty((rows, triton.cdiv(columns, 4) * 4), dtype=like.dtype, device=like.device)
    return whole[:, :columns]
