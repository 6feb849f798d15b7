"""The citations of one answer: each place once, numbered in the order in which it is first needed."""

from __future__ import annotations

from collections.abc import Sequence

from graph.chat.models import Citation
from graph.models import Hit, KernelLine, Place, Topic

QUOTES = 2  # curators quoted for one work


def speaking(hit: Hit) -> Sequence[Place]:
    """Where a work is told of: by curators, else by the ontology; without a word, the first place that names it."""
    noted = [place for place in hit.mentions if place.note]
    return noted[:QUOTES] or ([hit.says] if hit.says else hit.mentions[:1])


class Citations:
    """Gives numbers to places."""

    def __init__(self) -> None:
        self._made: dict[Citation, int] = {}  # as if each were the first, with its number

    def all(self) -> tuple[Citation, ...]:
        """Every citation, by number."""
        return tuple(made.model_copy(update={"n": n}) for made, n in self._made.items())

    def topic(self, topic: Topic, words: str = "") -> int:
        """The number of what the ontology says on a topic: its summary, or the given reason for another before it."""
        return self._number(Citation(n=1, kind="topic", id=topic.slug, title=topic.name, quote=words or topic.summary))

    def kernel(self, kernel: KernelLine) -> int:
        """The number of a kernel's summary."""
        return self._number(Citation(n=1, kind="kernel", id=kernel.slug, title=kernel.title, quote=kernel.summary))

    def work(self, hit: Hit) -> list[tuple[int, str]]:
        """Numbers and words of the places that speak for a work."""
        of_hit = Citation(n=1, kind="resource", id=hit.id, title=hit.title, url=hit.url)
        return [
            (self._number(of_hit.model_copy(update={"source": p.source, "line": p.line, "quote": p.note})), p.note)
            for p in speaking(hit)
        ]

    def _number(self, made: Citation) -> int:
        return self._made.setdefault(made, len(self._made) + 1)
