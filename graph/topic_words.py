"""How much of a text's words each topic shares: the lexical half of knowing what a text is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log

from graph.lexical import terms
from graph.models import Topic


@dataclass(frozen=True)
class TopicWords:
    """Which topics each term belongs to, by name and alias, and how telling it is."""

    topics_of: Mapping[str, frozenset[str]]
    weight: Mapping[str, float]  # inverse document frequency over topics
    names: Mapping[str, tuple[frozenset[str], ...]]  # the terms of each name and alias of a topic

    @classmethod
    def of(cls, topics: Iterable[Topic]) -> TopicWords:
        """The terms of all names and aliases."""
        names = {t.slug: tuple(frozenset(terms(name)) for name in (t.name, *t.aliases)) for t in topics}
        found: dict[str, set[str]] = defaultdict(set)
        for slug, held in names.items():
            for term in frozenset().union(*held):
                found[term].add(slug)
        weight = {term: log(1 + len(names) / len(slugs)) for term, slugs in found.items()}
        return cls({term: frozenset(slugs) for term, slugs in found.items()}, weight, names)

    def likeness(self, text: str) -> dict[str, float]:
        """Part of the text's telling words that a topic's names hold, 0 to 1; topics that share none are absent."""
        asked = {term for term in terms(text) if term in self.weight}
        total = sum(self.weight[term] for term in asked)
        shares: dict[str, float] = defaultdict(float)
        for term in asked:
            for slug in self.topics_of[term]:
                shares[slug] += self.weight[term] / total
        return dict(shares)

    def spelled_out(self, text: str) -> set[str]:
        """Topics one of whose names a text holds word by word, in whatever order and form: “benchmark my kernels” is
        kernel benchmarking. Names of a single word are left to who looks for them as they stand."""
        asked = frozenset(terms(text))
        near = {slug for term in asked for slug in self.topics_of.get(term, ())}
        return {slug for slug in near if any(len(name) > 1 and name <= asked for name in self.names[slug])}
