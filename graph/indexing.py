"""What of a resource goes into the search index: the text that is embedded, weighted words, topics, fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from graph import views
from graph.intent import kind_entity, person_entity
from graph.lexical import encode_document, phrase, sparse
from graph.models import Resource
from graph.names import slug
from graph.portions import portions
from graph.ports import GraphStore, Point
from graph.records import Node, Subgraph, Vector
from graph.urls import path_words

# How much a word weighs by where it stands.
WEIGHTS = {"title": 3.0, "authors": 2.0, "notes": 1.0, "asks": 0.5, "names": 0.7, "section": 0.5, "address": 0.5}
NOTES_EMBEDDED = 3  # the model reads some 250 tokens


def resource_text(title: str, notes: Iterable[str], sections: Iterable[str]) -> str:
    """What is embedded of a resource: its title, the curators' words, and what the lists file it under."""
    notes = list(dict.fromkeys(note for note in notes if note))[:NOTES_EMBEDDED]
    return ". ".join([title, *notes, *dict.fromkeys(s for s in sections if s)])


def topic_texts(node: Node) -> list[str]:
    """What is embedded of a topic: its name with its summary, and each way to ask for it."""
    return [f"{node.name}: {node.body.get('summary', '')}", *node.body.get("asks", ())]


def points(graph: Subgraph, vectors: Mapping[str, Vector], ids: Iterable[str] | None = None) -> Iterator[Point]:
    """Index entries of the resources among `ids` (of all by default) that have a vector."""
    for id in graph.nodes if ids is None else ids:
        node = graph.nodes.get(id)
        if node and node.label == "Resource" and id in vectors:
            yield _point(graph, views.resource(graph, id), vectors[id])


def stored_points(graph: GraphStore) -> Iterator[Point]:
    """Index entries of everything that is stored, read portion by portion."""
    for ids in portions(graph, "Resource"):
        yield from points(graph.read(ids), graph.vectors_of(ids), ids)


def _point(graph: Subgraph, found: Resource, vector: Vector) -> Point:
    payload = {
        "kind": found.kind,
        "tier": found.tier,
        "hardware": list(views.made_for(found)),
        "topic": [link.slug for link in found.topics if link.confidence >= views.TEACHES],
        "author": [slug(author) for author in found.authors],
        "source": list(found.sources),
        "status": sorted({m.status for m in found.mentions if m.status}),
        "by": list(found.authors),
        "text": _text(found),
    }
    return Point(
        id=found.id,
        dense=np.frombuffer(vector.data, dtype="<f4"),
        words=encode_document(_fields(graph, found), WEIGHTS),
        topics=sparse(_entities(found)),
        payload=payload,
    )


def _text(found: Resource) -> str:
    """What phrases are looked for in; a sign that no phrase holds keeps them within one text."""
    texts = (found.title, *found.authors, *found.notes)
    return " | ".join(map(phrase, texts))


def _entities(found: Resource) -> dict[str, float]:
    """What a question may ask for by name: topics, the kind, people."""
    asked = {link.slug: link.confidence for link in found.topics}
    return asked | {kind_entity(found.kind): 1.0} | dict.fromkeys(map(person_entity, found.authors), 1.0)


def _fields(graph: Subgraph, found: Resource) -> dict[str, list[str]]:
    """The words of a resource by where they stand."""
    linked = [graph.nodes[views.topic_id(link.slug)] for link in found.topics if link.confidence >= views.TEACHES]
    return {
        "title": [found.title],
        "authors": list(found.authors),
        "notes": list(found.notes),
        "asks": list(found.annotation.asks) if found.annotation else [],
        "names": [name for node in linked for name in (node.name, *node.body.get("aliases", ()))]
        + [link.name for link in found.hardware],
        "section": list(dict.fromkeys(part for m in found.mentions for part in m.section)),
        "address": [path_words(url) for url in found.urls],
    }
