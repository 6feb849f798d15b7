"""What teaches each group of topics, where the best is wanted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from heapq import heapify, heappop, heappush

from graph.planner.merits import Merits, Option
from graph.planner.plans import Choice, Groups
from graph.planner.teachers import Teacher, Teachers

ALTERNATIVES = 2
DONE = 1.0  # in place of the loss of who has taken one: a loss is never above zero
UNAIDED_MINUTES = 30  # a topic for which no list holds a resource


def choose(merits: Merits, groups: Groups, teachers: Teachers, mastered: Collection[str] = ()) -> list[Choice]:
    """The best resource for each group, and none too early if there is as good a one that presupposes less. Where two
    groups want one resource, it goes to the one that would lose more without it; only who has no other reads it too."""
    learned = set(mastered)
    options = []
    for group in groups:
        learned.update(group)
        options.append(merits.options(group, teachers, learned))
    begun: set[str] = set()
    choices = []
    for group, best_first, share in zip(groups, options, _shared_out(options), strict=True):
        best = share[: 1 + ALTERNATIVES] or best_first[:1]
        choices.append(choice(group, [one for _, _, one in best], begun))
    return choices


def _shared_out(options: Sequence[list[Option]]) -> list[list[Option]]:
    """The options of each group, less the resources that go to others."""
    wants: dict[str, list[int]] = defaultdict(list)  # resource -> the groups that may take it
    for number, some in enumerate(options):
        for _, id, _ in some:
            wants[id].append(number)
    left = list(options)
    losses = [_loss(some) for some in options]
    heap = list(zip(losses, range(len(losses)), strict=True))
    heapify(heap)
    while heap:
        loss, number = heappop(heap)
        if loss != losses[number]:
            continue  # an entry from before one of its resources was taken
        losses[number] = DONE
        for _, taken, _ in left[number][:1]:
            for other in (one for one in wants[taken] if losses[one] != DONE):
                left[other] = [option for option in left[other] if option[1] != taken]
                losses[other] = _loss(left[other])
                heappush(heap, (losses[other], other))
    return left


def _loss(options: Sequence[Option]) -> float:
    """What is lost when the best is taken by another, below zero so that the heaviest loss is the first of a heap."""
    if not options:
        return 0.0
    return options[0][0] - (options[1][0] if len(options) > 1 else 0.0)


def choice(group: tuple[str, ...], teachers: Sequence[Teacher], begun: set[str]) -> Choice:
    """A group with its teachers, best first. What is begun is gone on with, at no cost; here the first is."""
    if not teachers:
        return Choice(group, None, (), UNAIDED_MINUTES)
    main, *others = teachers[: 1 + ALTERNATIVES]
    minutes = 0 if main.resource.id in begun else main.minutes
    begun.add(main.resource.id)
    return Choice(group, main, tuple(others), minutes)
