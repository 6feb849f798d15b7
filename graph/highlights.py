"""Why a resource was found: which words of its texts match, by the stems that the index holds, and which topics."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from graph.lexical import located
from graph.models import Highlight, Hit, Place, Why

Span = tuple[int, int]
KEPT = 2_000  # texts whose words are kept: those of what is found again and again


def explained(hit: Hit, terms: Collection[str], topics: Mapping[str, float]) -> Hit:
    """A hit with the reasons for which it was found; `topics` are those the query is about, with their weights."""
    notes = {place.note: _matches(place.note, terms) for place in hit.mentions if place.note}
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
        note=_best(hit.mentions, notes),
    )
    return hit.model_copy(update={"why": why, "highlights": highlights})


def _matches(text: str, terms: Collection[str]) -> dict[Span, str]:
    """The terms in a text by where they stand."""
    return {(start, end): term for term, start, end in _words_of(text) if term in terms}


@lru_cache(KEPT)
def _words_of(text: str) -> tuple[tuple[str, int, int], ...]:
    return tuple(located(text))


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
    held = {place: len(set(notes[place.note].values())) for place in places if place.note}
    best = max(held, key=held.__getitem__, default=None)
    return best if best and held[best] else None
