"""Why a resource was found: which words of its texts match, by the stems that the index holds, and which topics."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from functools import lru_cache

from graph.lexical import located
from graph.models import Highlight, Hit, Place, Why

Span = tuple[int, int]
KEPT = 2_000  # texts whose words are kept: those of what is found again and again


def explained(hit: Hit, terms: Set[str], topics: Mapping[str, float]) -> Hit:
    """A hit with the reasons for which it was found; `topics` are those the query is about, with their weights."""
    places = (*([hit.says] if hit.says else []), *hit.mentions)
    notes = {place.note: _matches(place.note, terms) for place in places if place.note}
    texts = [
        ("title", hit.title, _matches(hit.title, terms)),
        *(("note", text, found) for text, found in notes.items()),
    ]
    highlights = tuple(
        Highlight(field="title" if field == "title" else "note", text=text, spans=_merged(found))
        for field, text, found in texts
        if found
    )
    why = Why(
        terms=tuple(_words(highlights)),
        topics=tuple(sorted(topics.keys() & set(hit.topics), key=lambda slug: (-topics[slug], slug))),
        note=_best(places, notes),
    )
    return hit.model_copy(update={"why": why, "highlights": highlights})


def _matches(text: str, terms: Set[str]) -> dict[Span, str]:
    """The terms in a text by where they stand."""
    spans = _spans_of(text)
    return {span: term for term in spans.keys() & terms for span in spans[term]}


@lru_cache(KEPT)
def _spans_of(text: str) -> Mapping[str, Sequence[Span]]:
    """Where each term of a text stands."""
    spans: dict[str, list[Span]] = {}
    for term, start, end in located(text):
        spans.setdefault(term, []).append((start, end))
    return spans


def _merged(found: Collection[Span]) -> tuple[Span, ...]:
    """Spans in order; one within another is part of that."""
    spans: list[Span] = []
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if not spans or start >= spans[-1][1]:
            spans.append((start, end))
    return tuple(spans)


def _words(highlights: Collection[Highlight]) -> list[str]:
    """What matched as it is written, each word once in any case."""
    first: dict[str, str] = {}
    for word in (h.text[start:end] for h in highlights for start, end in h.spans):
        first.setdefault(word.casefold(), word)
    return list(first.values())


def _best(places: Collection[Place], notes: Mapping[str, Mapping[Span, str]]) -> Place | None:
    """The place whose note has most of the terms; the first of equals."""
    noted = (place for place in places if place.note)
    best = max(noted, key=lambda place: len(set(notes[place.note].values())), default=None)
    return best if best and notes[best.note] else None
