"""Planted bug: the running sum is rounded to bf16 after every step of k."""

import torch


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """Sixteen columns of a at a time, each partial sum stored in the dtype of the output."""
    c = torch.zeros((a.shape[0], b.shape[1]), dtype=a.dtype, device=a.device)
    for start in range(0, a.shape[1], 16):
        step = a[:, start : start + 16].float() @ b[start : start + 16].float()
        c = (c.float() + step).to(a.dtype)
    return {"c": c}
