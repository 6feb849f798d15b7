"""What the device reaches at best, measured in the same run as the kernels: copies and the vendor's own products."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import torch
import torch.nn.functional as F  # noqa: N812

from kernels_ref.lib.kernel import Estimate
from kernels_ref.lib.timing import Call, Device, race

MEMORY, MEMORY_READ, SDPA = "memory", "memory_read", "sdpa"
_WORDS, _SIDE = 2**29, 8192
_BATCH, _HEADS, _LENGTH, _WIDTH = 2, 16, 8192, 128


def measure(device: Device) -> dict[str, float]:
    """Bytes or operations a second of each ceiling, by the name it has in roofs.json."""
    found = {}
    for name, amount, call in _probes(device.place):
        found[name] = amount / (race(device, {name: [call]})[name].median * 1e-6)
    return found


def share(estimate: Estimate, peak: str, ceilings: Mapping[str, float], seconds: float) -> float:
    """How much of the nearer ceiling a time reaches; 1 is the roof."""
    return max(estimate.bytes / ceilings[MEMORY], _working(estimate, peak, ceilings)) / seconds


def beyond(estimate: Estimate, peak: str, ceilings: Mapping[str, float], seconds: float) -> float:
    """The same with the faster of copying and reading only: what no honest time can pass by much."""
    memory = max(ceilings[MEMORY], ceilings.get(MEMORY_READ, 0.0))
    return max(estimate.bytes / memory, _working(estimate, peak, ceilings)) / seconds


def _working(estimate: Estimate, peak: str, ceilings: Mapping[str, float]) -> float:
    return estimate.flops / ceilings[peak] if peak in ceilings else 0.0


def _probes(place: str) -> Iterator[tuple[str, float, Call]]:
    """Name, amount of bytes or operations, call. Data is random: zeros draw less power and run faster."""
    yield from _transfers(place)
    torch.backends.cuda.matmul.allow_tf32 = False
    for name, dtype in (("bf16_tensor", torch.bfloat16), ("fp16_tensor", torch.float16), ("fp32", torch.float32)):
        a, b = (torch.randn(_SIDE, _SIDE, device=place, dtype=dtype) for _ in range(2))
        yield name, 2.0 * _SIDE**3, partial(torch.matmul, a, b)
    q, k, v = (torch.randn(_BATCH, _HEADS, _LENGTH, _WIDTH, device=place, dtype=torch.bfloat16) for _ in range(3))
    attention = partial(F.scaled_dot_product_attention, q, k, v)
    yield SDPA, 4.0 * _BATCH * _HEADS * _LENGTH**2 * _WIDTH, attention


def _transfers(place: str) -> Iterator[tuple[str, float, Call]]:
    source = torch.randn(_WORDS, device=place)
    target = torch.empty_like(source)
    yield MEMORY, 8.0 * _WORDS, partial(target.copy_, source)
    yield MEMORY_READ, 4.0 * _WORDS, source.sum
