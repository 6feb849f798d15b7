"""Bug: all parts weigh the same."""

import torch


def run(o: torch.Tensor, lse: torch.Tensor) -> dict[str, torch.Tensor]:
    return {"out": o.mean(dim=0), "lse_out": torch.logsumexp(lse, dim=0)}
