"""What a torch user writes: one call, which is cuBLAS on a GPU; TF32 must stay off."""

import torch


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """c = a @ b in fp32, whatever precision the process allows elsewhere."""
    allowed = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = False
    try:
        return {"c": a @ b}
    finally:
        torch.backends.cuda.matmul.allow_tf32 = allowed
