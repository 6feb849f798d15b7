"""The least time that a kernel can take on a device: the slower of moving its bytes and doing its work."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from kernels_ref.lib.kernel import Kernel, Workload
from kernels_ref.lib.loader import ROOT

MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Roof:
    """One ceiling in bytes or operations a second: the vendor's dense figure, and ours where it was measured."""

    rate: float
    source: str
    measured: float | None = None
    how: str | None = None

    @property
    def ceiling(self) -> float:
        """The rate to hold a kernel against: what a device did, before what a page promises."""
        return self.measured or self.rate


@dataclass(frozen=True, slots=True)
class Floor:
    """The least seconds at a workload, and which roof sets them."""

    seconds: float
    bound: str


@cache
def roofs() -> Mapping[str, Mapping[str, Roof]]:
    """Hardware slug -> roof name -> Roof, from roofs.json."""
    table = json.loads((ROOT / "roofs.json").read_text(encoding="utf-8"))
    return MappingProxyType(
        {device: {name: Roof(**roof) for name, roof in entry.items()} for device, entry in table.items()}
    )


def floor(kernel: Kernel, workload: Workload, hardware: str) -> Floor | None:
    """The floor at a workload; None where the kernel has no cost or the device no figure for its peak."""
    estimate = kernel.estimate(workload)
    device = roofs().get(hardware, {})
    if kernel.cost is None or estimate is None or MEMORY not in device or kernel.cost.peak not in device:
        return None
    moving = Floor(estimate.bytes / device[MEMORY].ceiling, MEMORY)
    working = Floor(estimate.flops / device[kernel.cost.peak].ceiling, kernel.cost.peak)
    return max(moving, working, key=lambda side: side.seconds)
