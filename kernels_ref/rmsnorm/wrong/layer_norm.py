"""Bug: subtracts the mean, which is LayerNorm."""

import torch


def run(x: torch.Tensor, weight: torch.Tensor, eps: float) -> dict[str, torch.Tensor]:
    centred = x.float() - x.float().mean(dim=1, keepdim=True)
    scale = torch.rsqrt(centred.square().mean(dim=1, keepdim=True) + eps)
    return {"out": (centred * scale * weight.float()).to(x.dtype)}
