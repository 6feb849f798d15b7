"""Retrievers for frameworks, one a module; each imports its framework, an optional extra of this package.

They take anything that searches: a `graph.library.Library`, or an `api.client.Client` of a service elsewhere.
"""

from __future__ import annotations

from typing import Any, Protocol

from graph.models import Hit, Place, SearchAnswer, SearchRequest


class Searcher(Protocol):
    """What finds resources."""

    def search(self, query: SearchRequest, /) -> SearchAnswer:
        """Answers a query."""
        ...


def found(searcher: Searcher, query: str, limit: int, conditions: dict[str, Any]) -> list[Hit]:
    """The hits for a query, best first; none where nothing answers it, though something always comes nearest."""
    answer = searcher.search(SearchRequest(query=query, limit=limit, **conditions))
    return [] if answer.abstain else list(answer.hits)


def text(hit: Hit) -> str:
    """What is known of a resource in words: its title, what it teaches, and what the lists say."""
    return "\n".join((hit.title, *dict.fromkeys(place.note for place in _places(hit) if place.note)))


def metadata(hit: Hit) -> dict[str, Any]:
    """Where the words stand (`sources`: source:line, in order) and what they are about."""
    return {
        "id": hit.id,
        "title": hit.title,
        "url": hit.url,
        "kind": hit.kind,
        "score": hit.score,
        "topics": list(hit.topics),
        "hardware": list(hit.hardware),
        "sources": [f"{place.source}:{place.line}" for place in _places(hit)],
    }


def _places(hit: Hit) -> tuple[Place, ...]:
    return (*([hit.says] if hit.says else []), *hit.mentions)
