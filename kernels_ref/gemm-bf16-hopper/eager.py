"""What a torch user writes: one call, which is cuBLAS on a GPU."""

import torch


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """c = a @ b."""
    return {"c": a @ b}
