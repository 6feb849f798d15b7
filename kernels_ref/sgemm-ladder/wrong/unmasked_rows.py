"""Planted bug: rows of c are taken to be a multiple of four words, and the last store runs into the next row."""

import torch


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """Each store writes four words, zeros past the end of the row; rows are stored from the last to the first."""
    m, n = a.shape[0], b.shape[1]
    width = (n + 3) // 4 * 4
    flat = torch.zeros(m * n + width)
    rows = torch.nn.functional.pad(a @ b, (0, width - n))
    for row in reversed(range(m)):
        flat[row * n : row * n + width] = rows[row]
    return {"c": flat[: m * n].view(m, n)}
