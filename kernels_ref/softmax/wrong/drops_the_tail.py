"""Bug: whole blocks of 64 columns only; the last columns get no weight."""

import torch


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    whole = max(x.shape[1] // 64 * 64, 1)
    out = torch.zeros_like(x)
    out[:, :whole] = torch.softmax(x[:, :whole].float(), dim=1).to(x.dtype)
    return {"out": out}
