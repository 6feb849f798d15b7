"""Planted bug: operands are rounded to the ten fraction bits of TF32."""

import torch


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """What a tensor core does with fp32 operands where TF32 is allowed."""
    rounded = [((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32) for x in (a, b)]
    return {"c": rounded[0] @ rounded[1]}
