"""Bug: adds zero on the way, which turns -0.0 into 0.0."""

import torch


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    return {"out": x.t().contiguous() + 0.0}
