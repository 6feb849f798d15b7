"""The word that says what sort of thing a topic is, the last of its name or the last before a preposition: “a decent
reduction” can only be a parallel reduction, “in CUDA” asks for the basics of CUDA, and reinforcement learning for
kernels is no kind of kernel."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile

from graph.lexical import stem, terms
from graph.models import Topic

# Words that say how well one knows something, not what.
LEVELS = frozenset(
    {"basic", "basics", "intro", "introduction", "fundamentals", "beginner", "advanced", "programming", "the"}
)
# What one does with a topic is no topic, nor is what nearly everything is about.
_NO_HEADS = frozenset(
    map(
        stem, "learn write build make use work understand implement optimize train run start serve deploy model".split()
    )
)
_AFTER_HEAD = frozenset({"and", "for", "from", "in", "of", "on", "with"})


@dataclass(frozen=True)
class HeadWords:
    """Topics by the stem of their head word."""

    topics_of: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, topics: Iterable[Topic]) -> HeadWords:
        """From the names of topics; what only tells a level is no head."""
        found: dict[str, list[str]] = defaultdict(list)
        for topic in topics:
            words = [word for word in takewhile(_is_before, topic.name.split()) if word.casefold() not in LEVELS]
            for head in terms(words[-1])[:1] if words else ():
                found[head].append(topic.slug)
        return cls({head: tuple(sorted(slugs)) for head, slugs in found.items() if head not in _NO_HEADS})

    def find(self, text: str) -> list[tuple[str, ...]]:
        """For each word of a text that heads topics, these topics."""
        return [self.topics_of[term] for term in dict.fromkeys(terms(text)) if term in self.topics_of]


def _is_before(word: str) -> bool:
    return word.casefold() not in _AFTER_HEAD
