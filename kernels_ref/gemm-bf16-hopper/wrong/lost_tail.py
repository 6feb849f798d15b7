"""Planted bug: the last, partial step of k is left out."""

import torch


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """As many whole steps of 32 as fit into K."""
    whole = a.shape[1] // 32 * 32
    return {"c": (a[:, :whole].float() @ b[:whole].float()).to(a.dtype)}
