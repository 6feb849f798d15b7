"""Planted bug: no barrier after the product, so half of the rows see the next tile of b too early."""

import torch

TILE = 8


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """The race played out in a fixed order: the lower half of c always loses it."""
    c = torch.zeros(a.shape[0], b.shape[1])
    half = (a.shape[0] + 1) // 2
    for start in range(0, a.shape[1], TILE):
        left, right = a[:, start : start + TILE], b[start : start + TILE]
        late = b[start + TILE : start + 2 * TILE]
        early = torch.cat([late, right[late.shape[0] :]])
        c[:half] += left[:half] @ right
        c[half:] += left[half:] @ early
    return {"c": c}
