"""The ordinary searches to beat, over the same resources, words and model: BM25, dense vectors, and both fused."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import islice
from math import log

import numpy as np
from numpy.typing import NDArray

from graph import search, views
from graph.indexing import resource_text
from graph.lexical import terms
from graph.library import Library
from graph.models import Resource, SearchAnswer, SearchRequest
from graph.ports import Filters

SATURATION, LENGTH_PENALTY = 1.2, 0.75  # k1 and b of BM25
RRF = 60  # k of reciprocal rank fusion
BATCH = 32  # texts embedded between two reports

Scores = NDArray[np.float64]  # of each resource, higher is better, 0 for one that does not match
Told = Callable[[str, int, int], None]  # step, done, of how many


class Bm25:
    """Okapi BM25 over plain texts.

    Robertson & Zaragoza 2009, https://doi.org/10.1561/1500000019; the inverse document frequency is Lucene's, never
    below 0.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(terms(text)) for text in texts]
        usual = sum(count.total() for count in counts) / max(1, len(counts))
        self._texts = len(counts)
        self._weights: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, count in enumerate(counts):
            norm = SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * count.total() / usual)
            for term, often in count.items():
                self._weights[term].append((number, often * (SATURATION + 1) / (often + norm)))

    def scores(self, query: str) -> Scores:
        """How well each text fits a query."""
        found = np.zeros(self._texts)
        for term in dict.fromkeys(terms(query)):
            held = self._weights.get(term, ())
            rarity = log(1 + (self._texts - len(held) + 0.5) / (len(held) + 0.5))
            for number, weight in held:
                found[number] += rarity * weight
        return found


class Baselines:
    """Three searches that never abstain. A resource is one text: title, notes, sections and authors."""

    def __init__(self, library: Library, told: Told) -> None:
        self._library = library
        self._resources = list(library.export())
        texts = [document(one) for one in self._resources]
        self._bm25 = Bm25(texts)
        self._vectors = _embedded(library, texts, told)

    def answers(self, request: SearchRequest) -> dict[str, SearchAnswer]:
        """What each baseline answers, by its name."""
        words = self._bm25.scores(request.query)
        meaning = (self._vectors @ self._library.embed([request.query])[0]).astype(float)
        fused = fuse([words, meaning])
        return {
            "BM25": self._answer(request, words),
            "dense": self._answer(request, meaning),
            "RRF": self._answer(request, fused),
        }

    def _answer(self, request: SearchRequest, scores: Scores) -> SearchAnswer:
        wanted = search.filters(request, self._library.curriculum)
        ranked = (n for n in best_first(scores) if meets(self._resources[n], wanted))
        hits = [views.hit(self._resources[n], float(scores[n])) for n in islice(ranked, request.limit)]
        return SearchAnswer(query=request.query, abstain=False, hits=tuple(hits))


def best_first(scores: Scores) -> list[int]:
    """The numbers of what matches, best first; equals keep their order."""
    return [int(number) for number in np.argsort(-scores, kind="stable") if scores[number] > 0]


def fuse(sides: Sequence[Scores]) -> Scores:
    """Reciprocal rank fusion: the sum of 1 / (60 + rank) over the rankings that hold a text.

    Cormack, Clarke & Büttcher 2009, https://doi.org/10.1145/1571941.1572114
    """
    fused = np.zeros_like(sides[0])
    for scores in sides:
        for rank, number in enumerate(best_first(scores), 1):
            fused[number] += 1 / (RRF + rank)
    return fused


def meets(found: Resource, wanted: Filters) -> bool:
    """Whether a resource is of the kind, tier and hardware asked for, as the index filters them."""
    made_for = views.made_for(found)
    return (
        (not wanted.kind or found.kind in wanted.kind)
        and (wanted.max_tier is None or (found.tier is not None and found.tier <= wanted.max_tier))
        and (not wanted.hardware or not made_for or not set(made_for).isdisjoint(wanted.hardware))
    )


def document(found: Resource) -> str:
    """The one text that stands for a resource."""
    sections = (part for mention in found.mentions for part in mention.section)
    return " ".join((resource_text(found.title, found.notes, sections), *found.authors))


def _embedded(library: Library, texts: Sequence[str], told: Told) -> NDArray[np.float32]:
    rows = []
    for start in range(0, len(texts), BATCH):
        rows.append(library.embed(texts[start : start + BATCH]))
        told("Embed for the baselines", min(start + BATCH, len(texts)), len(texts))
    return np.concatenate(rows)
