"""Bug: the squares are summed in bf16, one after another."""

import torch


def run(x: torch.Tensor, weight: torch.Tensor, eps: float) -> dict[str, torch.Tensor]:
    squares = torch.zeros(x.shape[0], dtype=torch.bfloat16, device=x.device)
    for column in x.bfloat16().unbind(dim=1):
        squares = squares + column * column
    scale = torch.rsqrt(squares.float() / x.shape[1] + eps)
    return {"out": (x.float() * scale[:, None] * weight.float()).to(x.dtype)}
