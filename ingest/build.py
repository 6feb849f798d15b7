"""The graph as it must be: a pure function of all documents and the ontology.

Because it looks at everything there is, the order in which lists were ingested, left out or read again does not matter.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph.indexing import resource_text, topic_texts
from graph.meaning import TopicVectors
from graph.models import Annotation, DevlogEntry, Document, Hardware, Label, Link, Mention, Topic
from graph.names import node_id, slug, slug_of
from graph.records import Edge, Node, Subgraph, Vector, digest
from graph.views import TEACHES
from graph.vocabulary import Vocabulary
from ingest.annotate import Annotations
from ingest.kernels import Catalogue
from ingest.link import Linker
from ingest.ontology import Ontology
from ingest.people import author_label
from ingest.resolve import Work, resolve

VERSION = 5  # raised whenever the same documents give another graph than before


@dataclass(frozen=True)
class Draft:
    """Everything but what needs vectors: works, posts, and the texts to embed by node id."""

    documents: tuple[Document, ...]
    works: tuple[Work, ...]
    annotations: Mapping[str, Annotation]  # by the id of a work
    ontology: Ontology
    kernels: Catalogue
    topics: tuple[Node, ...]
    texts: Mapping[str, Sequence[str]]


def draft(documents: Iterable[Document], ontology: Ontology, kernels: Catalogue) -> Draft:
    """Resolves all mentions and says which texts need a vector."""
    documents = tuple(sorted(documents, key=lambda document: document.source))
    works = tuple(resolve(mention for document in documents for mention in document.mentions))
    known = Annotations.of(ontology.works.values())
    annotations = {work.id: found for work in works if (found := known.of_work(work))}
    topics = tuple(_topic_node(topic) for topic in ontology.topics.values())
    texts = {node.id: topic_texts(node) for node in topics}
    texts |= {work.id: [_work_text(work, annotations.get(work.id))] for work in works}
    return Draft(documents, works, annotations, ontology, kernels, topics, texts)


def build(drafted: Draft, vectors: Mapping[str, Vector], dimension: int) -> Subgraph:
    """The whole graph; every edge carries its reason and its place."""
    known = TopicVectors.of({topic.id: vectors[topic.id] for topic in drafted.topics}, dimension)
    linker = Linker(drafted.ontology)
    nodes: dict[str, Node] = {node.id: node for node in drafted.topics}
    edges: list[Edge] = []
    for part in (
        _curriculum(drafted.ontology),
        _works(drafted, linker, vectors, known),
        _sources(drafted),
        _entries(drafted, linker),
        drafted.kernels.records(drafted.ontology, (work.id for work in drafted.works)),
        _vocabulary(drafted),
    ):
        for record in part:
            if isinstance(record, Node):
                nodes[record.id] = record
            else:
                edges.append(record)
    return Subgraph.of(nodes.values(), {edge.key: edge for edge in edges}.values())


class Likeness(Mapping[str, float]):
    """The cosine of one work to every topic, by slug: four bytes a number, as all works are held at once."""

    def __init__(self, cosines: Mapping[str, float], places: Mapping[str, int]) -> None:
        """`places` tells the place of each slug among the cosines; all works share it."""
        self._places, self._values = places, array("f", cosines.values())
        self.nearest = max(self._values, default=0.0)

    def __getitem__(self, slug: str) -> float:
        return self._values[self._places[slug]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


Records = Iterator[Node | Edge]


def text_digest(texts: Sequence[str]) -> str:
    """Which texts a stored vector was made of."""
    return digest(*texts)


def _topic_node(topic: Topic) -> Node:
    body = topic.model_dump(
        mode="json", exclude_defaults=True, exclude={"slug", "name", "requires", "helps", "corequisites"}
    )
    return Node(node_id("Topic", topic.slug), "Topic", topic.name, body)


def _curriculum(ontology: Ontology) -> Records:
    for topic in ontology.topics.values():
        yield from _topic_edges(topic)
    for hardware in ontology.hardware.values():
        yield from _hardware_records(hardware)


def _topic_edges(topic: Topic) -> Records:
    id = node_id("Topic", topic.slug)
    for other, reason in topic.requires.items():
        yield Edge(id, "REQUIRES", node_id("Topic", other), {"reason": reason})
    for other, reason in topic.helps.items():
        yield Edge(id, "HELPED_BY", node_id("Topic", other), {"reason": reason})
    for other, reason in topic.corequisites.items():
        yield Edge(id, "LEARN_WITH", node_id("Topic", other), {"reason": reason})
    if topic.parent:
        yield Edge(id, "PART_OF", node_id("Topic", topic.parent))
    for other in topic.hardware:
        yield Edge(id, "ONLY_FOR", node_id("Hardware", other))


def _hardware_records(hardware: Hardware) -> Records:
    id = node_id("Hardware", hardware.slug)
    yield Node(
        id, "Hardware", hardware.name, hardware.model_dump(mode="json", exclude_defaults=True, exclude={"slug", "name"})
    )
    for parent in hardware.parents:
        yield Edge(id, "PART_OF", node_id("Hardware", parent))
    for topic in hardware.topics:
        yield Edge(id, "EXPLAINED_BY", node_id("Topic", topic))
    for topic in hardware.features:
        yield Edge(id, "FEATURES", node_id("Topic", topic))


def _works(drafted: Draft, linker: Linker, vectors: Mapping[str, Vector], known: TopicVectors) -> Records:
    places = {slug: place for place, slug in enumerate(known.slugs)}
    rows = ((work.id, np.frombuffer(vectors[work.id].data, dtype="<f4")) for work in drafted.works)
    likeness = {id: Likeness(known.likeness(row), places) for id, row in rows}
    annotated = {id: one for id, one in drafted.annotations.items() if one.teaches or one.touches}
    linked = linker.topics_of_all(drafted.works, likeness, annotated)
    yield from _counted(drafted, linked)
    for work, topics in linked:
        yield _work_node(work, drafted.annotations.get(work.id))
        yield from _link_edges(work.id, "Topic", topics, likeness[work.id], known=work.id in annotated)
        yield from _link_edges(work.id, "Hardware", linker.hardware(work, topics))
        yield from _author_records(work)


def _counted(drafted: Draft, linked: Sequence[tuple[Work, Sequence[Link]]]) -> Records:
    """The topics with the number of works that are about each."""
    counts = Counter(link.slug for _, links in linked for link in links if link.confidence >= TEACHES)
    for node in drafted.topics:
        yield Node(node.id, node.label, node.name, {**node.body, "resources": counts[slug_of(node.id)]})


def _work_node(work: Work, annotation: Annotation | None) -> Node:
    addresses = work.urls
    body: dict[str, object] = {
        "url": addresses[0] if addresses else None,
        "urls": list(addresses),
        "kind": work.kind,
        "authors": list(work.authors),
    }
    if annotation:
        body["annotation"] = annotation.model_dump(mode="json", exclude_defaults=True)
    return Node(work.id, "Resource", work.title, body)


def _link_edges(
    id: str, label: Label, links: Sequence[Link], likeness: Likeness | None = None, *, known: bool = False
) -> Records:
    """Edges of a node to topics or hardware. What a work is known to teach is central to it, however it is worded."""
    for link in links:
        body = link.model_dump(mode="json", exclude={"slug", "name"})
        if likeness:
            body["likeness"] = round(likeness[link.slug], 4)
        if likeness and not known:
            body["centrality"] = round(likeness[link.slug] / (likeness.nearest or 1.0), 4)
        yield Edge(id, "COVERS" if label == "Topic" else "ABOUT_HARDWARE", node_id(label, link.slug), body)


def _author_records(work: Work) -> Records:
    for mention in work.mentions:
        for name in mention.authors:
            yield from _person(work.id, name, mention)


def _person(id: str, name: str, mention: Mention) -> Records:
    label = author_label(name)
    author = Node(node_id(label, slug(name)), label, name.lstrip("@"))
    yield author
    yield Edge(
        id, "BY", author.id, {"reason": f"named by {mention.source}", "source": mention.source, "line": mention.line}
    )


def _sources(drafted: Draft) -> Records:
    work_of = {id(mention): work.id for work in drafted.works for mention in work.mentions}
    for document in drafted.documents:
        source = Node(
            node_id("Source", document.source), "Source", document.title,
            {"title": document.title, "format": document.format, "digest": document.digest},
        )  # fmt: skip
        yield source
        for ordinal, mention in enumerate(document.mentions):
            body = mention.model_dump(mode="json", exclude_defaults=True, exclude={"source"})
            yield Edge(source.id, "MENTIONS", work_of[id(mention)], body, f"{mention.line}:{ordinal}")


def _entries(drafted: Draft, linker: Linker) -> Records:
    named: dict[tuple[str, int], list[str]] = defaultdict(list)
    for work in drafted.works:
        for mention in work.mentions:
            named[mention.source, mention.line].append(work.id)
    for document in drafted.documents:
        for entry in document.entries:
            yield from _entry_records(entry, linker, named)
            for kernel in drafted.kernels.named(entry):
                yield Edge(node_id("DevlogEntry", f"{entry.source}:{entry.line}"), "NAMES", node_id("Kernel", kernel))


def _entry_records(entry: DevlogEntry, linker: Linker, named: Mapping[tuple[str, int], Sequence[str]]) -> Records:
    id = node_id("DevlogEntry", f"{entry.source}:{entry.line}")
    name = f"Day {entry.day}" if entry.day is not None else f"{entry.source}:{entry.line}"
    yield Node(id, "DevlogEntry", name, entry.model_dump(mode="json", exclude_defaults=True))
    yield Edge(node_id("Source", entry.source), "HAS_ENTRY", id)
    topics, hardware = linker.entry(entry)
    yield from _link_edges(id, "Topic", topics)
    yield from _link_edges(id, "Hardware", hardware)
    for handle in entry.handles:
        yield Node(node_id("Person", slug(handle)), "Person", handle)
        yield Edge(id, "NAMES", node_id("Person", slug(handle)))
    for line in range(entry.line, entry.end_line + 1):
        for work in named.get((entry.source, line), ()):
            yield Edge(id, "NAMES", work)


def _vocabulary(drafted: Draft) -> Records:
    """One node with every word in use and everybody who wrote something."""
    topics = drafted.ontology.topics.values()
    texts = [text for topic in topics for text in (topic.name, *topic.aliases, topic.summary, *topic.asks)]
    texts += [name for node in drafted.ontology.hardware.values() for name in (node.name, *node.aliases)]
    for document in drafted.documents:
        for mention in document.mentions:
            texts += [mention.title, mention.note, *mention.authors, *mention.section]
    texts += [text for known in drafted.annotations.values() for text in (known.says, *known.asks)]
    authors = {name.lstrip("@") for work in drafted.works for name in work.authors if author_label(name) == "Person"}
    body = {"words": dict(Vocabulary.of(texts).words), "people": sorted(authors)}
    yield Node(node_id("Vocabulary", "words"), "Vocabulary", "words", body)


def _work_text(work: Work, annotation: Annotation | None) -> str:
    notes = (m.note for m in work.mentions)
    said = (annotation.says, *notes) if annotation else notes
    return resource_text(work.title, said, (m.section[-1] for m in work.mentions if m.section))
