"""Ladders: the steps of a reference kernel, and what each was measured to take."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path

from api import examples
from api.routes.base import STORE_ERRORS, Shared, answers
from graph.errors import UnknownName
from graph.models import Value
from kernels_ref.lib import results
from kernels_ref.lib.kernel import Kernel
from kernels_ref.lib.loader import load_all


class Timing(Value):
    """The newest measurement of a step at one workload; the ceiling and torch are of the same run."""

    workload: str
    hardware: str
    date: str
    median_us: float
    pct_ceiling: float
    ratio_vs_baseline: float | None = None


class LadderStep(Value):
    """One step of a ladder: the idea that it adds, the gain that was predicted, and what was measured."""

    id: str
    file: str
    lang: str
    idea: str | None = None
    predict: str | None = None
    times: tuple[Timing, ...] = ()


_MEASURED = ("workload", "median_us", "pct_ceiling", "ratio_vs_baseline")

router = APIRouter(tags=["kernels"])
_TIMING = Timing(
    workload="4096", hardware="h200-sxm", date="2026-11-21", median_us=3047.0, pct_ceiling=88.0, ratio_vs_baseline=0.88
)
_EXAMPLE = LadderStep(
    id="v8",
    file="cuda_v8.py",
    lang="cuda",
    idea="two buffers: the next tile travels while this one is multiplied",
    predict="1.1x: latency hidden, one barrier a tile",
    times=(_TIMING,),
)


@router.get("/v1/kernels/{slug:path}/ladder", responses=answers([_EXAMPLE], (UnknownName, *STORE_ERRORS)))
def get_kernel_ladder(
    slug: Annotated[str, Path(max_length=2000, examples=[examples.KERNEL_PAGE.kernel.slug])], library: Shared
) -> list[LadderStep]:
    """The steps of a kernel with one idea each, and what was measured; none for a kernel that is only described."""
    kernel = _kernels().get(library.kernel(slug).kernel.slug)
    return _ladder(kernel) if kernel else []


@cache
def _kernels() -> dict[str, Kernel]:
    """The kernels of this installation, whose files do not change while it runs."""
    return load_all()


def _ladder(kernel: Kernel) -> list[LadderStep]:
    times: dict[str, list[Timing]] = defaultdict(list)
    for (variant, _, _), timing in _newest(results.read(kernel.folder)).items():
        times[variant].append(timing)
    steps = (one for one in kernel.variants if one.role in ("baseline", "ladder", "alt"))
    return [
        LadderStep(id=s.id, file=s.file, lang=s.lang, idea=s.idea, predict=s.predict, times=tuple(times[s.id]))
        for s in steps
    ]


def _newest(runs: Sequence[results.Run]) -> dict[tuple[str, str, str], Timing]:
    """By variant, workload and hardware; runs come the oldest first."""
    return {
        (record["variant"], record["workload"], run.hw): Timing.model_validate(
            {"hardware": run.hw, "date": run.date} | {name: record[name] for name in _MEASURED if name in record}
        )
        for run in runs
        for record in run.records
        if "median_us" in record
    }
