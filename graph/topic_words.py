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

    @classmethod
    def of(cls, topics: Iterable[Topic]) -> TopicWords:
        """The terms of all names and aliases."""
        found: dict[str, set[str]] = defaultdict(set)
        count = 0
        for topic in topics:
            count += 1
            for term in {term for name in (topic.name, *topic.aliases) for term in terms(name)}:
                found[term].add(topic.slug)
        weight = {term: log(1 + count / len(slugs)) for term, slugs in found.items()}
        return cls({term: frozenset(slugs) for term, slugs in found.items()}, weight)

    def likeness(self, text: str) -> dict[str, float]:
        """Part of the text's telling words that a topic's names hold, 0 to 1; topics that share none are absent."""
        asked = {term for term in terms(text) if term in self.weight}
        total = sum(self.weight[term] for term in asked)
        shares: dict[str, float] = defaultdict(float)
        for term in asked:
            for slug in self.topics_of[term]:
                shares[slug] += self.weight[term] / total
        return dict(shares)
