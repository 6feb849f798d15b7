"""The use case “search”: one fused query to the index, one read of the graph, and the honesty to find nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph import views
from graph.curriculum import Curriculum
from graph.goals import find_hardware, find_topic
from graph.lexical import encode_query, sparse
from graph.meaning import TopicVectors
from graph.models import Resource, SearchAnswer, SearchRequest
from graph.names import slug
from graph.ports import Embedder, Filters, GraphStore, VectorQuery, VectorStore
from graph.vocabulary import Vocabulary

# How a hit's score is put together, see `VectorQuery`. Words and topics together weigh about as much as meaning.
WORDS_WEIGHT = 0.6
TOPICS_WEIGHT = 0.6
WORD_HALF = 4.0  # BM25 score of one word that counts half

TOPICS_ASKED = 5  # topics that a query may be about
FAR = 0.25  # cosine up to which a topic has nothing to do with a query
NAMED = 0.4  # what a topic gains for being named, not only near in meaning

ANSWERS = 0.55  # score from which the best hit answers a query all of whose words are in use
KERNEL = 0.3  # weight of the topics asked for from which a kernel is about them
KERNELS = 3  # kernels beside the hits
FOREIGN = 1.0  # what is asked of the best hit beyond that, when all words of the query are foreign


@dataclass(frozen=True)
class Parts:
    """What a search needs: the stores, the model, and the curriculum with its vectors."""

    graph: GraphStore
    index: VectorStore
    embedder: Embedder
    curriculum: Curriculum
    meaning: TopicVectors
    vocabulary: Vocabulary


def search(request: SearchRequest, parts: Parts) -> SearchAnswer:
    """Answers a query.

    Raises:
        UnknownName: a topic or piece of hardware to filter by is not in the graph.
    """
    text = parts.vocabulary.mend(request.query)
    dense = parts.embedder.embed([text])[0]
    words = encode_query(text)
    asked = topics_asked(text, dense, parts)
    query = VectorQuery(
        dense=dense,
        words=words,
        topics=sparse(asked),
        words_half=WORD_HALF * max(1, len(words.indices)),
        words_weight=WORDS_WEIGHT,
        topics_weight=TOPICS_WEIGHT,
        filters=filters(request, parts.curriculum),
        limit=request.limit,
    )
    scored = parts.index.search(query)
    found = read_resources(parts.graph, [one.id for one in scored])
    hits = tuple(views.hit(found[one.id], one.score) for one in scored if one.id in found)
    best = max((one.score for one in scored), default=0.0)
    abstain = best < ANSWERS + FOREIGN * parts.vocabulary.foreign(text)
    kernels = () if abstain else _kernels(parts.curriculum, asked)
    return SearchAnswer(query=request.query, abstain=abstain, hits=hits, kernels=kernels)


def _kernels(curriculum: Curriculum, asked: Mapping[str, float]) -> tuple[str, ...]:
    """Reference kernels to read and run: those about what is asked, the easier first of equals."""
    weight = {slug: sum(asked.get(t, 0.0) for t in kernel.topics) for slug, kernel in curriculum.kernels.items()}
    about = [kernel for kernel in curriculum.kernels.values() if weight[kernel.slug] >= KERNEL]
    about.sort(key=lambda kernel: (-weight[kernel.slug], kernel.difficulty, kernel.slug))
    return tuple(kernel.slug for kernel in about[:KERNELS])


def topics_asked(text: str, dense: NDArray[np.float32], parts: Parts) -> dict[str, float]:
    """The topics that a query is about, with weights: those near in meaning and those it names."""
    likeness = parts.meaning.likeness(dense)
    for match in parts.curriculum.topic_names.find(text, by_case=False, nested=True):
        likeness[match.slug] = max(likeness.get(match.slug, 0.0), FAR) + NAMED
    nearest = sorted(likeness.items(), key=lambda pair: (-pair[1], pair[0]))[:TOPICS_ASKED]
    return {slug: weight - FAR for slug, weight in nearest if weight > FAR}


def filters(request: SearchRequest, curriculum: Curriculum) -> Filters:
    """The request's conditions in the index's terms: hardware with what it is compatible with, topics with children."""
    hardware = curriculum.compatible(find_hardware(curriculum, request.hardware)) if request.hardware else ()
    topics = {one for name in request.topic for one in _with_children(curriculum, find_topic(curriculum, name))}
    return Filters(
        kind=request.kind,
        max_tier=request.max_tier,
        hardware=tuple(sorted(hardware)),
        topic=tuple(sorted(topics)),
        author=tuple(map(slug, request.author)),
        source=request.source,
        status=request.status,
    )


def read_resources(graph: GraphStore, ids: Sequence[str]) -> Mapping[str, Resource]:
    """Resources by id, in one read; ids of anything else are left out."""
    held = graph.read(ids)
    return {id: views.resource(held, id) for id in ids if id in held.nodes and held.nodes[id].label == "Resource"}


def _with_children(curriculum: Curriculum, topic: str) -> list[str]:
    found = [topic]
    for above in found:  # grows while it is walked
        found += [child for child in curriculum.children(above) if child not in found]
    return found
