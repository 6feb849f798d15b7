"""What a torch user writes."""

import torch


def run(x: torch.Tensor) -> dict[str, torch.Tensor]:
    """One kernel of torch's own, or two for a few long rows."""
    return {"out": x.sum(dim=1)}
