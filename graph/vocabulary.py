"""The words that the stored texts and the ontology use: to mend typing errors, and to know when a query is foreign."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from graph.intent import Intent
from graph.lexical import STOP
from graph.records import Node

_WORD = re.compile(r"[^\W\d_]+")
MOST = 50_000  # words kept, the most frequent
SHORTEST = 4  # letters of a word that may be mended: shorter ones are acronyms as often as not
ALIKE = 0.75  # similarity from which one word may be meant for another: one slip in four letters


@dataclass(frozen=True)
class Vocabulary:
    """Words in lower case with how often they occur."""

    words: Mapping[str, int]
    people: tuple[str, ...] = ()  # who wrote what is stored

    @classmethod
    def of(cls, texts: Iterable[str]) -> Vocabulary:
        """All words of some texts."""
        counts = Counter(word for text in texts for word in _WORD.findall(text.casefold()))
        return cls(dict(sorted(counts.most_common(MOST))))

    @classmethod
    def read(cls, nodes: Iterable[Node]) -> Vocabulary:
        """From the node that holds it; nothing is known where there is none."""
        bodies = [node.body for node in nodes]
        words = {word: count for body in bodies for word, count in body["words"].items()}
        return cls(words, tuple(name for body in bodies for name in body.get("people", ())))

    @cached_property
    def intent(self) -> Intent:
        return Intent(self.people)

    def mend(self, text: str) -> str:
        """The text with each unknown word replaced by the known one it was surely meant for."""
        return _WORD.sub(lambda match: self._meant(match[0]), text)

    def foreign(self, text: str) -> float:
        """The part of a text's words that occur nowhere, 0 to 1; words that carry no meaning do not count."""
        words = [word for word in _WORD.findall(text.casefold()) if word.isalpha() and word not in STOP]  # “½” is none
        return sum(not self._spells(word) for word in words) / len(words) if words else 0.0

    def _meant(self, word: str) -> str:
        low = word.casefold()
        if len(low) < SHORTEST or low in STOP or self._knows(low):
            return word
        candidates = self._by_letter.get(low[0], [])  # the first letter is hardly ever wrong
        found = process.extract(
            low, candidates, scorer=DamerauLevenshtein.normalized_similarity, score_cutoff=ALIKE, limit=5
        )
        return max(found, key=lambda one: (one[1], self.words[one[0]]))[0] if found else word

    def _spells(self, word: str) -> bool:
        """A known word, or two in one: the lists write “ultra-scale” where people ask for “ultrascale”."""
        ends = range(SHORTEST, len(word) - SHORTEST + 1)
        return self._knows(word) or any(self._knows(word[:at]) and self._knows(word[at:]) for at in ends)

    def _knows(self, word: str) -> bool:
        """A word, its singular or its plural."""
        return not self.words.keys().isdisjoint((word, word.removesuffix("s"), word + "s"))

    @cached_property
    def _by_letter(self) -> dict[str, list[str]]:
        groups: dict[str, list[str]] = {}
        for word in self.words:
            if len(word) >= SHORTEST:
                groups.setdefault(word[0], []).append(word)
        return groups
