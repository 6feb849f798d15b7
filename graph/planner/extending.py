"""Topics that are worth adding to a plan, while there is time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from graph.closure import closure
from graph.curriculum import Curriculum

Cost = Callable[[str], int]  # minutes that a topic takes

WORTH_A_LOOK = 60  # topics that may be added to a plan, the most relevant


def extend(
    curriculum: Curriculum,
    needed: Collection[str],
    relevance: Mapping[str, float],
    cost: Cost,
    spare: int,
    without: Callable[[str], bool],
) -> set[str]:
    """Topics worth adding to those needed, by what they add per hour, while the spare minutes last.

    A topic comes with its own prerequisites, and their time counts. `without` tells which topics are left out of plans
    (known, other hardware).
    """
    open_ = [slug for slug in relevance if slug not in needed and not without(slug)]
    worth = sorted(sorted(open_, key=lambda slug: (-relevance[slug], slug))[:WORTH_A_LOOK])
    news = {slug: closure(curriculum, [slug], needed, without)[0] for slug in worth}
    added: set[str] = set()
    while True:
        prices = {slug: sum(map(cost, new)) for slug, new in news.items()}
        affordable = [slug for slug, price in prices.items() if price <= spare]
        if not affordable:
            return added
        best = max(affordable, key=lambda slug: relevance[slug] / prices[slug])
        added |= news[best]
        spare -= prices[best]
        # Whatever an added topic builds on is added with it, so that for others the rest of their closure is new.
        news = {slug: news[slug] - added for slug in affordable if slug not in added}
