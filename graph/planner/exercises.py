"""Reference kernels to read and run along a plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence, Set

from graph.closure import closure
from graph.curriculum import Curriculum
from graph.models import KernelLine
from graph.planner.plans import Choice


def kernels(
    curriculum: Curriculum,
    choices: Sequence[Choice],
    targets: Collection[str],
    learned: Collection[str],
    hardware: str | None,
) -> dict[int, list[str]]:
    """Reference kernels to read and run, by the step after which they can be, easier ones first: those about a target,
    most of whose topics are taught or known by then, and exercises on what the path teaches. None is for other
    hardware, though one for a neighbour will do."""
    usable = curriculum.usable(hardware)
    place = {topic: number for number, choice in enumerate(choices) for topic in choice.topics}
    ready = {*place, *learned}
    after: dict[int, list[str]] = defaultdict(list)
    for kernel in sorted(curriculum.kernels.values(), key=lambda k: (k.difficulty, k.order or 99, k.slug)):
        here = [place[topic] for topic in kernel.topics if topic in place]
        fits = not hardware or not kernel.hardware or not usable.isdisjoint(kernel.hardware)
        if fits and here and (_about(kernel, targets, ready) or _exercise(curriculum, kernel, targets, ready)):
            after[max(here)].append(kernel.slug)
    return after


def _about(kernel: KernelLine, targets: Collection[str], ready: Collection[str]) -> bool:
    """Whether a kernel is about a target, and at least half of its topics are taught or known."""
    prepared = [topic for topic in kernel.topics if topic in ready]
    return not set(kernel.topics).isdisjoint(targets) and 2 * len(prepared) >= len(kernel.topics)


def _exercise(curriculum: Curriculum, kernel: KernelLine, targets: Collection[str], ready: Set[str]) -> bool:
    """Whether all that a kernel builds on is taught or known, and it is hardly harder than the targets."""
    hardest = max(curriculum.topics[slug].level for slug in targets)
    return kernel.difficulty <= hardest + 1 and closure(curriculum, kernel.topics, ())[0] <= ready
