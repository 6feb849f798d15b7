"""Retrieval: one fused query to the index, one read of the graph, and the honesty to find nothing.

graph/answers.py makes of it what people and programs get.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graph import conditions, views
from graph.conditions import Names
from graph.curriculum import Curriculum
from graph.lexical import encode_query, sparse
from graph.meaning import TopicVectors
from graph.models import Conditions, Hit, Resource, SearchAnswer, SearchRequest
from graph.ports import Embedder, Filters, GraphStore, Scored, VectorQuery, VectorStore
from graph.query_adapter import QueryAdapter
from graph.vocabulary import Vocabulary

# How a hit's score is put together, see `VectorQuery`. Words and topics together weigh about as much as meaning.
WORDS_WEIGHT = 0.6
TOPICS_WEIGHT = 0.6
WORD_HALF = 4.0  # BM25 score of one word that counts half

TOPICS_ASKED = 5  # topics that a query may be about
FAR = 0.25  # cosine up to which a topic has nothing to do with a query
NAMED = 0.4  # what a topic gains for being named, not only near in meaning

ANSWERS = 0.85  # score, with the likeness of the nearest topic, from which the best hit answers a query
FOREIGN = 2.0  # what is asked beyond that when all words of the query are foreign
KERNEL = 0.3  # weight of the topics asked for from which a kernel is about them
KERNELS = 3  # kernels beside the hits
KEPT = 2_000  # resources in memory: those that are found again and again


class Resources:
    """The resources of one state of a store, each read once while there are not too many."""

    def __init__(self, graph: GraphStore) -> None:
        self._graph = graph
        self._kept: dict[str, Resource] = {}

    def read(self, ids: Sequence[str]) -> Mapping[str, Resource]:
        """Resources by id; ids of anything else are left out."""
        held = {id: self._kept[id] for id in ids if id in self._kept}
        if missing := [id for id in ids if id not in held]:
            read = read_resources(self._graph, missing)
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
    terms = encode_query(text)
    likeness = parts.meaning.likeness(dense)
    topics = topics_asked(text, likeness, parts.curriculum)
    query = VectorQuery(
        dense=dense,
        words=terms,
        topics=sparse({**topics, **parts.vocabulary.intent.find(text)}),
        words_half=WORD_HALF * max(1, len(terms.indices)),
        words_weight=WORDS_WEIGHT,
        topics_weight=TOPICS_WEIGHT,
        filters=filters,
    )
    least = ANSWERS + FOREIGN * parts.vocabulary.foreign(text) - max(likeness.values(), default=0.0)
    return Asked(text, topics, query, least)


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
    held = parts.resources.read([one.id for one in found])
    return tuple(views.hit(held[one.id], one.score) for one in found if one.id in held)


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
    nearest = sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))[:TOPICS_ASKED]
    return {slug: weight - FAR for slug, weight in nearest if weight > FAR}


def filters(request: Conditions, curriculum: Curriculum) -> Filters:
    """A request's conditions in the index's terms; authors and sources as they are given."""
    return conditions.filters(conditions.settle(conditions.of_request(request), Names(curriculum)), curriculum)


def read_resources(graph: GraphStore, ids: Sequence[str]) -> Mapping[str, Resource]:
    """Resources by id, in one read; ids of anything else are left out."""
    held = graph.read(ids)
    return {id: views.resource(held, id) for id in ids if id in held.nodes and held.nodes[id].label == "Resource"}
