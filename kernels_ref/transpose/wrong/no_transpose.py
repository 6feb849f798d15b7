"""Bug: gives the same words another shape."""

import torch


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    return {"out": x.reshape(x.shape[1], x.shape[0]).clone()}
