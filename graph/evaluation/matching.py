"""Whether a result is a work that was judged. Each work is credited once, in however many places it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from graph import urls
from graph.evaluation.judged import JudgedWork, RelevantWork
from graph.models import Hit

ALIKE = 0.9  # Dice coefficient of the words of two titles from which they name one work
_WORD = re.compile(r"[^\W_]+")


def is_work(hit: Hit, judged: JudgedWork) -> bool:
    """Whether a result is a judged work: a line of a list that both share, one address, or one title."""
    return _same_line(hit, judged) or _same_address(hit, judged) or _same_title(hit, judged)


def grades(hits: Iterable[Hit], works: Sequence[RelevantWork]) -> list[int]:
    """The grade of each result in order, 0 where it answers nothing or what has been credited above."""
    left, found = list(works), list[int]()
    for hit in hits:
        best = max((work for work in left if is_work(hit, work)), key=lambda work: work.grade, default=None)
        found.append(best.grade if best else 0)
        if best:
            left = [work for work in left if work.rid != best.rid]
    return found


def by_work(works: Iterable[RelevantWork]) -> dict[str, int]:
    """The grade of each work by its `rid`, the highest that one of its places was given."""
    best: dict[str, int] = {}
    for work in works:
        best[work.rid] = max(work.grade, best.get(work.rid, 0))
    return best


def _same_line(hit: Hit, judged: JudgedWork) -> bool:
    return bool(judged.source) and any(
        place.line == judged.line and place.source.startswith(judged.source) for place in hit.mentions
    )


def _same_address(hit: Hit, judged: JudgedWork) -> bool:
    return bool(hit.url and judged.url) and _address(str(hit.url)) == _address(str(judged.url))


def _same_title(hit: Hit, judged: JudgedWork) -> bool:
    return any(_alike(_words(hit.title), _words(title)) for title in (judged.title, *judged.aliases) if title)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Part 1 and Part 2 are two works, so the numbers must be the same."""
    if not one or not other or _numbers(one) != _numbers(other):
        return False
    return 2 * len(one & other) / (len(one) + len(other)) >= ALIKE


def _numbers(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if any(letter.isdigit() for letter in word))


@lru_cache(maxsize=100_000)
def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(title.casefold()))


@lru_cache(maxsize=100_000)
def _address(url: str) -> str:
    return urls.key(url)
