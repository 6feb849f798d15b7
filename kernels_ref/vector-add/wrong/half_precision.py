"""Bug: adds in bf16."""

import torch


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    return {"out": (a.bfloat16() + b.bfloat16()).float()}
