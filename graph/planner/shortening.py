"""What teaches each group of topics, where time is short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from graph.cover import cheapest_cover
from graph.planner.choosing import choice
from graph.planner.merits import Merits
from graph.planner.plans import Choice, Groups
from graph.planner.teachers import Teachers


def cheapest(merits: Merits, groups: Groups, teachers: Teachers) -> list[Choice]:
    """The set of resources that takes the least time and still teaches every group.

    One resource may teach several groups: it is read for the first of them and gone on with, at no cost, for others.
    """
    options = {group: merits.best_first(group, teachers) for group in groups}
    minutes = {one.resource.id: one.minutes for some in options.values() for one in some}
    taken = cheapest_cover({group: [one.resource.id for one in some] for group, some in options.items()}, minutes)
    begun: set[str] = set()
    choices = []
    for group in groups:
        main = next((one for one in options[group] if one.resource.id in taken), None)
        others = [one for one in options[group] if one is not main]
        choices.append(choice(group, [main, *others] if main else [], begun))
    return choices


def improve(cheap: Sequence[Choice], best: Sequence[Choice], spare: int) -> list[Choice]:
    """The cheap choices with as many of the best ones as the spare minutes buy, the cheapest exchanges first."""
    result = list(cheap)
    shared = Counter(choice.main.resource.id for choice in cheap if choice.main)
    used = set(shared)
    exchanges = sorted((new.minutes - old.minutes, at) for at, (old, new) in enumerate(zip(cheap, best, strict=True)))
    for extra, at in exchanges:
        old, new = cheap[at], best[at]
        if not (old.main and new.main) or new.main.resource.id in used or shared[old.main.resource.id] > 1:
            continue
        if new.minutes < new.main.minutes:
            continue  # it goes on with what another step begins
        if extra <= spare:
            result[at] = new
            used.add(new.main.resource.id)
            spare -= extra
    return result
