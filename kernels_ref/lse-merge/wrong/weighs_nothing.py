"""Bug: multiplies the output of a part without keys by 0 instead of leaving it out; 0 times NaN is NaN."""

import torch


def run(o: torch.Tensor, lse: torch.Tensor) -> dict[str, torch.Tensor]:
    top = lse.amax(dim=0)
    empty = top == -torch.inf
    weights = (lse - torch.where(empty, 0.0, top)).exp()
    total = torch.where(empty, 1.0, weights.sum(dim=0))
    lse_out = torch.where(empty, -torch.inf, top + total.log())
    return {"out": (weights[..., None] * o).sum(dim=0) / total[:, None], "lse_out": lse_out}
