"""The use case “search”: a page of hits with reasons, facets, the way to the next page, and help where none answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from graph import conditions, cursors, facets, lexical, urls, views
from graph.conditions import Names
from graph.curriculum import Curriculum
from graph.highlights import explained
from graph.models import Conditions, SearchAnswer, SearchRequest, SimilarRequest, Understood
from graph.names import resource_id
from graph.ports import Filters, Scored
from graph.query import Condition, Query, parse
from graph.search import Asked, Parts, ask, hits, kernels, named, ranked
from graph.similar import similar

MOST = 1000  # resources that are counted and can be paged through
TRIED = 10  # conditions that are left out, one at a time, to see what helps
SUGGESTED = 3  # queries without a condition, and topics
NEAR = 0.1  # weight from which a topic is worth a suggestion
FOREIGN_SHOWN = 5
SAYING = ("kind", "topic", "hardware", "author")  # conditions whose values are words of the texts
LONGEST = 40  # letters of a word that is quoted


@dataclass(frozen=True)
class Said:
    """A request that was read: its query, and its conditions and those of its other fields, which all hold."""

    query: Query
    own: Sequence[Condition]
    given: Sequence[Condition]

    @cached_property
    def words(self) -> str:
        """The words to search for; of a query of conditions alone the values it wants."""
        wanted = (one.value.replace("-", " ") for one in self.conditions if one.wanted and one.name in SAYING)
        return self.query.words or " ".join(wanted)

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        return tuple(dict.fromkeys((*self.own, *self.given)))

    def filters(self, curriculum: Curriculum, *, without: Condition | None = None) -> Filters:
        """What the index must meet: all conditions, or all but one."""
        kept = ([one for one in group if one != without] for group in (self.own, self.given))
        return Filters(also=tuple(conditions.filters(group, curriculum) for group in kept if group))

    def less(self, condition: Condition) -> str:
        """The query without a condition, in the query language."""
        words = (part for part in self.query.parts if isinstance(part, str))
        return " ".join([*words, *(str(one) for one in self.conditions if one != condition)])


def answer(request: SearchRequest, parts: Parts) -> SearchAnswer:
    """Answers a query in the query language.

    Raises:
        UnknownName: there is no such filter, or it has no such value.
        BadRequest: a tier is no number.
        BadCursor: the cursor is of another search or of an older store.
    """
    if urls.is_web_address(request.query) and (at_address := _at_address(request, parts)):
        return at_address
    start = cursors.start(request, parts.stamp)
    end = start + request.limit
    said = _read(request, parts)
    asked = _ask(said, parts)
    query = replace(asked.query, fields=request.facets)
    found = ranked(query, parts.index, max(end, MOST) if request.facets else end)
    asked = named(asked, found, parts)
    page = [one for one in found[start:end] if not start or one.score >= asked.least]
    terms = frozenset(lexical.terms(asked.text))
    made = SearchAnswer(
        query=request.query,
        abstain=not asked.answered_by(found),
        hits=tuple(explained(hit, terms, asked.topics) for hit in hits(page, parts)),
        understood=Understood(words=said.words, filters=tuple(map(str, said.conditions))),
        corrected=asked.text if asked.text != said.words and said.query.words else None,
    )
    more = _helped(said, asked, found, parts) if made.abstain else _furnished(request, asked, found, end, parts)
    return made.model_copy(update=more)


def _at_address(request: SearchRequest, parts: Parts) -> SearchAnswer | None:
    """The work at the address that a query is, and works like it that meet the conditions; none if no list has it."""
    id = resource_id(urls.key(request.query.strip()))
    held = parts.resources.read([id])
    if id not in held:
        return None
    conditions = request.model_dump(include=set(Conditions.model_fields))
    others = similar(held[id], SimilarRequest(limit=request.limit, **conditions), parts).hits[: request.limit - 1]
    return SearchAnswer(query=request.query, abstain=False, hits=(views.hit(held[id], 1.0), *others))


def _read(request: SearchRequest, parts: Parts) -> Said:
    query, names = parse(request.query), Names(parts.curriculum, parts.index.values)
    return Said(
        query,
        own=conditions.settle(query.conditions, names),
        given=conditions.settle(conditions.of_request(request), names),
    )


def _ask(said: Said, parts: Parts) -> Asked:
    """The question; where it has no words, whatever meets its conditions answers it."""
    asked = ask(said.words, said.filters(parts.curriculum), parts)
    return replace(asked, least=float("-inf")) if said.conditions and not said.query.words else asked


def _furnished(
    request: SearchRequest, asked: Asked, found: Sequence[Scored], end: int, parts: Parts
) -> dict[str, object]:
    """What an answer holds besides its hits."""
    answering = [one.fields for one in found[:MOST] if one.score >= asked.least]
    return {
        "kernels": kernels(asked, parts.curriculum),
        "facets": facets.count(answering, parts.curriculum) if request.facets else {},
        "next": cursors.make(end, request, parts.stamp) if end < len(answering) else None,
    }


def _helped(said: Said, asked: Asked, found: Sequence[Scored], parts: Parts) -> dict[str, object]:
    """What to try, and what is wrong with the query, where nothing answers it."""
    topics = sorted(asked.topics, key=lambda slug: -asked.topics[slug])
    named = (parts.curriculum.topics[slug] for slug in topics if asked.topics[slug] >= NEAR)
    return {
        "suggestions": (
            *islice(_without_one(said, asked, parts), SUGGESTED),
            *islice((topic.name for topic in named if topic.resources), SUGGESTED),
        ),
        "warnings": tuple(_warnings(said, asked, found, parts)),
    }


def _without_one(said: Said, asked: Asked, parts: Parts) -> Iterator[str]:
    """The query less one condition, where that makes it answerable."""
    for condition in said.conditions[:TRIED]:
        filters = said.filters(parts.curriculum, without=condition)
        if asked.answered_by(parts.index.search(replace(asked.query, filters=filters, limit=1))):
            yield said.less(condition)


def _warnings(said: Said, asked: Asked, found: Sequence[Scored], parts: Parts) -> Iterator[str]:
    if not lexical.terms(asked.text):
        yield "The query has no word to search for: name a topic, a technique or a piece of hardware."
    foreign = [word[:LONGEST] for word in dict.fromkeys(asked.text.split()) if parts.vocabulary.foreign(word)]
    if foreign:
        yield f"No list uses {', '.join(f'“{word}”' for word in foreign[:FOREIGN_SHOWN])}."
    if not found and said.conditions:
        yield f"Nothing meets {' '.join(map(str, said.conditions))}."
