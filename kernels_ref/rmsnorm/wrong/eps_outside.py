"""Bug: eps is added behind the root, so that small tokens are scaled otherwise."""

import torch


def run(x: torch.Tensor, weight: torch.Tensor, eps: float) -> dict[str, torch.Tensor]:
    root = x.float().square().mean(dim=1, keepdim=True).sqrt() + eps
    return {"out": (x.float() / root * weight.float()).to(x.dtype)}
