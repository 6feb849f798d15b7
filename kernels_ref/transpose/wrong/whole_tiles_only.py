"""Bug: leaves out the tiles that are not full."""

import torch


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    m, n = x.shape
    out = torch.empty(n, m, dtype=x.dtype, device=x.device)
    whole_rows, whole_columns = m // 32 * 32, n // 32 * 32
    out[:whole_columns, :whole_rows] = x[:whole_rows, :whole_columns].t()
    return {"out": out}
