"""Bug: exponentials of the scores as they are; large ones overflow."""

import torch


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    weights = x.float().exp()
    return {"out": (weights / weights.sum(dim=1, keepdim=True)).to(x.dtype)}
