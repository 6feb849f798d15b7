"""Planted bug: the last, partial tile of k is left out."""

import torch


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """As many whole tiles of 8 as fit into K."""
    whole = a.shape[1] // 8 * 8
    return {"c": a[:, :whole] @ b[:whole]}
