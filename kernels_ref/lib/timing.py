"""Times calls on a device against each other, in turns, so that clocks and heat meet them all alike."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch

_cuda: Any = torch.cuda  # torch leaves its events and graphs without types

Call = Callable[[], Any]

ROUNDS = 5  # turns of each contestant in a pass
PASSES = 2  # the whole measurement, twice
TURN_SECONDS = 0.05
SLOW = 0.25  # a call that takes this long has one turn a pass
WARM_UPS = 10
SHORT = 200e-6  # calls below this are replayed as a graph: launching them takes as long as they do
GRAPH_CALLS = 20


@dataclass(frozen=True, slots=True)
class Burst:
    """What one sample runs, and how many calls that is."""

    run: Callable[[int], Any]
    calls: int
    how: str


@dataclass(frozen=True, slots=True)
class Timing:
    """Microseconds a call; `spread` is how far the two passes' medians lie apart."""

    median: float
    p10: float
    p90: float
    samples: int
    spread: float
    how: str


class Device(Protocol):
    """Something that runs calls and has a clock."""

    place: str  # where torch puts its tensors
    l2_bytes: int

    def seconds(self, burst: Burst, samples: int) -> list[float]:
        """The time of each of so many bursts."""

    def capture(self, calls: Sequence[Call]) -> Burst:
        """One burst of all the calls, without the cost of launching each."""


class Cuda:
    """The current GPU of torch: CUDA, or HIP under the same name."""

    place = "cuda"

    def __init__(self) -> None:
        if not torch.cuda.is_available():
            raise LookupError("no GPU here that torch can use")
        self.l2_bytes = int(torch.cuda.get_device_properties(0).L2_cache_size)

    def seconds(self, burst: Burst, samples: int) -> list[float]:
        """Events round each burst; a pause in front lets the host get ahead of the device."""
        marks = [(_cuda.Event(enable_timing=True), _cuda.Event(enable_timing=True)) for _ in range(samples)]
        torch.cuda.synchronize()
        _cuda._sleep(1_000_000)  # clock ticks, half a millisecond
        for index, (start, end) in enumerate(marks):
            start.record()
            burst.run(index)
            end.record()
        torch.cuda.synchronize()
        return [start.elapsed_time(end) / 1e3 for start, end in marks]

    def capture(self, calls: Sequence[Call]) -> Burst:
        """A graph of the calls; their outputs stay apart in its memory."""
        torch.cuda.synchronize()
        graph = _cuda.CUDAGraph()
        with _cuda.graph(graph):
            kept = [call() for call in calls]
        return Burst(lambda _: (graph.replay(), kept)[0], len(calls), "graph")


def race(device: Device, contestants: Mapping[str, Sequence[Call]]) -> dict[str, Timing]:
    """Times every contestant in turns. Each gives one call for each set of inputs and goes round them."""
    bursts = {name: _burst(device, calls) for name, calls in contestants.items()}
    turns = {name: _turns(device, burst) for name, burst in bursts.items()}
    passes: dict[str, list[list[float]]] = {name: [[] for _ in range(PASSES)] for name in bursts}
    for index in range(PASSES):
        for number in range(ROUNDS):
            for name, burst in bursts.items():
                rounds, samples = turns[name]
                if number < rounds:
                    passes[name][index] += [time / burst.calls for time in device.seconds(burst, samples)]
    return {name: _timing(passes[name], burst) for name, burst in bursts.items()}


def _burst(device: Device, calls: Sequence[Call]) -> Burst:
    """Warms up, then chooses between single calls and a graph of many."""
    ring: list[Any] = [None] * len(calls)  # outputs live for a round, so that no call writes where the last one did

    def one(index: int) -> None:
        ring[index % len(calls)] = calls[index % len(calls)]()

    single = Burst(one, 1, "events")
    device.seconds(single, 1)  # compiles
    if device.seconds(single, 1)[0] > TURN_SECONDS:
        return single
    if statistics.median(device.seconds(single, max(WARM_UPS, len(calls)))) > SHORT:
        return single
    rounds = math.ceil(GRAPH_CALLS / len(calls))
    try:
        return device.capture([*calls] * rounds)
    except RuntimeError:  # it synchronises or copies to the host: no graph can hold that
        return single


def _turns(device: Device, burst: Burst) -> tuple[int, int]:
    """How many turns in a pass, and samples in a turn."""
    seconds = device.seconds(burst, 1)[0]
    return (1 if seconds > SLOW else ROUNDS), min(max(int(TURN_SECONDS / max(seconds, 1e-9)), 1), 200)


def _timing(passes: Sequence[Sequence[float]], burst: Burst) -> Timing:
    microseconds = sorted(1e6 * time for one in passes for time in one)
    medians = [statistics.median(one) for one in passes]
    return Timing(
        median=statistics.median(microseconds),
        p10=microseconds[len(microseconds) // 10],
        p90=microseconds[len(microseconds) * 9 // 10],
        samples=len(microseconds) * burst.calls,
        spread=max(medians) / max(min(medians), 1e-12) - 1,
        how=burst.how,
    )
