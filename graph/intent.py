"""Whom and which form a question asks for: “a video on ...”, “Simon Boehm on ...”.

A wish, not a condition: it lifts what fits. Conditions have a notation of their own, see graph/query.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from graph.aliases import AliasIndex
from graph.models import Kind
from graph.names import slug

PERSON = 0.8  # what a work by a person who is named gains, against 1 for a topic that is surely meant
KIND = 0.35  # what a work of the kind asked for gains

# Which kinds a word asks for, and how well each of them meets the wish.
_WISHES: tuple[tuple[str, Mapping[Kind, float]], ...] = (
    ("video videos watch talk youtube", {"video": 1.0, "lecture": 1.0}),
    ("lecture lectures", {"lecture": 1.0, "video": 0.7}),
    ("repo repos repository github code implementation", {"repo": 1.0}),
    ("blog blogs post article", {"blog": 1.0}),
    ("paper papers arxiv", {"paper": 1.0}),
    ("book books", {"book": 1.0}),
    ("course courses", {"course": 1.0, "lecture": 0.5}),
    ("docs documentation manual reference", {"docs": 1.0}),
)
KINDS = {word: kinds for words, kinds in _WISHES for word in words.split()}


def person_entity(name: str) -> str:
    """How a person stands among a document's topics in the index."""
    return f"by:{slug(name)}"


def kind_entity(kind: str) -> str:
    """How a kind stands there."""
    return f"kind:{kind}"


@dataclass(frozen=True)
class Intent:
    """Finds people and kinds in questions; `people` are the names known."""

    people: tuple[str, ...] = ()

    def find(self, text: str) -> dict[str, float]:
        """The entities that a question asks for, with weights."""
        found = {person_entity(match.slug): PERSON for match in self._names.find(text, by_case=False)}
        for word in re.findall(r"\w+", text.casefold()):
            for kind, share in KINDS.get(word, {}).items():
                entity = kind_entity(kind)
                found[entity] = max(found.get(entity, 0.0), KIND * share)
        return found

    @cached_property
    def _names(self) -> AliasIndex:
        return AliasIndex({slug(name): (name,) for name in self.people})
