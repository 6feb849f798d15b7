"""Retrieval: one fused query to the index, one read of the graph, and the honesty to find nothing.

graph/answers.py makes of it what people and programs get.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graph import conditions, views
from graph.conditions import Names
from graph.curriculum import Curriculum
from graph.lexical import encode_query, sparse, terms
from graph.meaning import TopicVectors
from graph.models import Conditions, Hit, Resource, SearchAnswer, SearchRequest
from graph.ports import Embedder, Filters, GraphStore, Scored, VectorQuery, VectorStore
from graph.query_adapter import QueryAdapter
from graph.vocabulary import Vocabulary

# How a hit's score is put together, see `VectorQuery`. Words and topics together weigh about as much as meaning.
WORDS_WEIGHT = 0.6
TOPICS_WEIGHT = 0.45
WORD_HALF = 4.0  # BM25 score of one word that counts half

TOPICS_ASKED = 12  # topics that a query may be about
FAR = 0.25  # cosine up to which a topic has nothing to do with a query
NAMED = 0.3  # what a topic gains for being named, not only near in meaning

ANSWERS = 0.82  # score, with the likeness of the nearest topic, from which the best hit answers a query
FOREIGN = 2.0  # what is asked beyond that when all words of the query are foreign
KERNEL = 0.3  # weight of the topics asked for from which a kernel is about them
KERNELS = 3  # kernels beside the hits
KEPT = 2_000  # resources in memory: those that are found again and again


class Resources:
    """The resources of one state of a store, each read and made a hit once while there are not too many."""

    def __init__(self, graph: GraphStore) -> None:
        self._graph = graph
        self._kept: dict[str, tuple[Resource, Hit]] = {}

    def read(self, ids: Sequence[str]) -> Mapping[str, Resource]:
        """Resources by id; ids of anything else are left out."""
        return {id: one for id, (one, _) in self._held(ids).items()}

    def hits(self, ids: Sequence[str]) -> Mapping[str, Hit]:
        """The same as people see them, without a score."""
        return {id: shown for id, (_, shown) in self._held(ids).items()}

    def _held(self, ids: Sequence[str]) -> Mapping[str, tuple[Resource, Hit]]:
        kept = self._kept  # another thread may begin anew meanwhile
        held = {id: kept[id] for id in ids if id in kept}
        if missing := [id for id in ids if id not in held]:
            read = {id: (one, views.hit(one)) for id, one in read_resources(self._graph, missing).items()}
            if len(self._kept) + len(read) > KEPT:
                self._kept = {}
            self._kept |= read
            held |= read
        return held


@dataclass(frozen=True)
class Parts:
    """What a search needs: the stores, the model, and the curriculum with its vectors. `stamp` is the graph's."""

    graph: GraphStore
    index: VectorStore
    embedder: Embedder
    curriculum: Curriculum
    meaning: TopicVectors
    vocabulary: Vocabulary
    resources: Resources
    stamp: str


@dataclass(frozen=True)
class Asked:
    """A question as the index takes it. `text` are its words, mended; what scores `least` or more answers it."""

    text: str
    topics: Mapping[str, float]
    query: VectorQuery
    least: float

    def answered_by(self, found: Sequence[Scored]) -> bool:
        """Whether the best of what was found answers it."""
        return bool(found) and found[0].score >= self.least


def search(request: SearchRequest, parts: Parts) -> SearchAnswer:
    """Answers a query all of whose words are to be searched for, such as a goal or a title; gives one page, the first.

    Raises:
        UnknownName: a topic or piece of hardware to filter by is not in the graph.
    """
    asked = ask(request.query, filters(request, parts.curriculum), parts)
    found = ranked(asked.query, parts.index, request.limit)
    asked = named(asked, found, parts)
    abstain = not asked.answered_by(found)
    return SearchAnswer(
        query=request.query,
        abstain=abstain,
        hits=hits(found[: request.limit], parts),
        kernels=() if abstain else kernels(asked, parts.curriculum),
    )


def ask(words: str, filters: Filters, parts: Parts) -> Asked:
    """The question that words ask of what meets the filters."""
    text = parts.vocabulary.mend(words)
    dense = QueryAdapter.of(parts.embedder.identity)(parts.embedder.embed([text])[0])
    said = encode_query(text)
    likeness = parts.meaning.likeness(dense)
    topics = topics_asked(text, likeness, parts.curriculum)
    query = VectorQuery(
        dense=dense,
        words=said,
        topics=sparse({**topics, **parts.vocabulary.intent.find(text)}),
        words_half=WORD_HALF * max(1, len(said.indices)),
        words_weight=WORDS_WEIGHT,
        topics_weight=TOPICS_WEIGHT,
        filters=filters,
    )
    least = ANSWERS + FOREIGN * parts.vocabulary.foreign(text) - max(likeness.values(), default=0.0)
    return Asked(text, topics, query, least)


def named(asked: Asked, found: Sequence[Scored], parts: Parts) -> Asked:
    """The question; one whose every word stands in the title or among the authors of the best hit asked for that by
    name, and is answered however little else speaks for it."""
    if not found or asked.answered_by(found):
        return asked
    best = parts.resources.read([found[0].id]).get(found[0].id)
    said = frozenset(terms(asked.text))
    borne = {term for text in (best.title, *best.authors) for term in terms(text)} if best else set()
    return replace(asked, least=found[0].score) if said and said <= borne else asked


def ranked(query: VectorQuery, index: VectorStore, count: int) -> list[Scored]:
    """At least the best `count` and one more, where there are so many, best first. Equals stand by id, none of those
    at the end is cut off: whatever the count, a point has one rank."""
    limit = count + 1
    while True:
        found = index.search(replace(query, limit=limit))
        if len(found) < limit or found[-1].score < found[count - 1].score:
            return sorted(found, key=lambda one: (-one.score, one.id))
        limit *= 2


def hits(found: Sequence[Scored], parts: Parts) -> tuple[Hit, ...]:
    """What was found as people see it, in at most one read of the graph."""
    held = parts.resources.hits([one.id for one in found])
    return tuple(views.scored(held[one.id], one.score) for one in found if one.id in held)


def kernels(asked: Asked, curriculum: Curriculum) -> tuple[str, ...]:
    """Reference kernels to read and run: those about what is asked, the easier first of equals."""
    weight = {slug: sum(asked.topics.get(t, 0.0) for t in kernel.topics) for slug, kernel in curriculum.kernels.items()}
    about = [kernel for kernel in curriculum.kernels.values() if weight[kernel.slug] >= KERNEL]
    about.sort(key=lambda kernel: (-weight[kernel.slug], kernel.difficulty, kernel.slug))
    return tuple(kernel.slug for kernel in about[:KERNELS])


def topics_asked(text: str, likeness: Mapping[str, float], curriculum: Curriculum) -> dict[str, float]:
    """The topics that a query is about, with weights: those near in meaning and those it names."""
    near = dict(likeness)
    for match in curriculum.topic_names.find(text, by_case=False, nested=True):
        near[match.slug] = max(near.get(match.slug, 0.0), FAR) + NAMED
    nearest = sorted(((-weight, slug) for slug, weight in near.items() if weight > FAR))[:TOPICS_ASKED]
    return {slug: -weight - FAR for weight, slug in nearest}


def filters(request: Conditions, curriculum: Curriculum) -> Filters:
    """A request's conditions in the index's terms; authors and sources as they are given."""
    return conditions.filters(conditions.settle(conditions.of_request(request), Names(curriculum)), curriculum)


def read_resources(graph: GraphStore, ids: Sequence[str]) -> Mapping[str, Resource]:
    """Resources by id, in one read; ids of anything else are left out."""
    held = graph.read(ids)
    return {id: views.resource(held, id) for id in ids if id in held.nodes and held.nodes[id].label == "Resource"}
