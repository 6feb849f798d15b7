"""What the device reaches at best, measured in the same run as the kernels: copies and the vendor's own products.

A share is of what good programs reach: a copy, a product of the vendor's library. That is no bound: reading alone is
faster than copying, and a library's product at the end of a hot race is slower than a product between cooler ones. So a
time is refused by what the hardware does with nothing in its way: reading only, tensor cores on tiles that stay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import torch
import torch.nn.functional as F  # noqa: N812

from kernels_ref.lib.kernel import Estimate
from kernels_ref.lib.timing import Call, Device, race

MEMORY, MEMORY_READ, SDPA = "memory", "memory_read", "sdpa"
PEAK = "_peak"  # what follows the name of a ceiling that a library reaches, where more was measured without one
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
    """The same under the bounds: what no honest time can pass by much."""
    memory = max(ceilings[MEMORY], ceilings.get(MEMORY_READ, 0.0))
    bound = peak + PEAK if peak + PEAK in ceilings else peak
    return max(estimate.bytes / memory, _working(estimate, bound, ceilings)) / seconds


def _working(estimate: Estimate, peak: str, ceilings: Mapping[str, float]) -> float:
    return estimate.flops / ceilings[peak] if peak in ceilings else 0.0


def _probes(place: str) -> Iterator[tuple[str, float, Call]]:
    """Name, amount of bytes or operations, call. Data is random: zeros draw less power and run faster."""
    yield from _transfers(place)
    yield _tensor_peak(place)
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


def _tensor_peak(place: str) -> tuple[str, float, Call]:
    from kernels_ref.lib import triton_peak as peak  # needs Triton, which a machine that only checks may lack

    programs = torch.cuda.get_device_properties(place).multi_processor_count
    shapes = (peak.ROWS, peak.DEPTH), (peak.DEPTH, peak.COLUMNS)
    a, b = (torch.randn(shape, device=place, dtype=torch.bfloat16) for shape in shapes)
    c = torch.empty(programs, peak.ROWS, peak.COLUMNS, device=place)
    return f"bf16_tensor{PEAK}", peak.operations(programs), partial(peak.run, a, b, c)
