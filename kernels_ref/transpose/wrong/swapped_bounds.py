"""Bug: the mask compares rows with the columns' bound; square matrices hide it."""

import torch
import triton
import triton.language as tl


@triton.jit
def transpose(x, out, m, n, SIDE: tl.constexpr):
    rows = tl.program_id(0) * SIDE + tl.arange(0, SIDE)
    columns = tl.program_id(1) * SIDE + tl.arange(0, SIDE)
    inside = (rows[:, None] < n) & (columns[None, :] < m)
    tile = tl.load(x + rows[:, None] * n + columns[None, :], inside, 0.0)
    tl.store(out + columns[:, None] * m + rows[None, :], tl.trans(tile), tl.trans(inside))


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    m, n = x.shape
    out = torch.empty(n, m, dtype=x.dtype, device=x.device)
    transpose[(triton.cdiv(m, 32), triton.cdiv(n, 32))](x, out, m, n, SIDE=32)
    return {"out": out}
