"""Small real stand-ins for what is slow or random: an embedder, a vocabulary, lists."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import get_args

import numpy as np

from graph.lexical import terms
from graph.library import Library
from graph.models import DevlogEntry, Document, Hardware, Label, Mention, Topic
from graph.ports import GraphStore, Point, Scored, VectorQuery, Vectors
from graph.records import Edge, Node, Subgraph, Vector
from graph.stores.qdrant_edge import QdrantEdge
from graph.stores.sqlite_graph import SqliteGraph
from ingest import build
from ingest.kernels import Catalogue
from ingest.ontology import Ontology
from ingest.pipeline import Stores

DIMENSION = 384


class FakeEmbedder:
    """Hashes words into a vector: texts that share words are alike. `embedded` counts the texts it was given."""

    def __init__(self, model: str = "fake", dimension: int = DIMENSION) -> None:
        self.identity = f"{model}@1/{dimension}"
        self.dimension = dimension
        self.embedded = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        rows = np.full((len(texts), self.dimension), 1e-3, np.float32)  # no text is without a direction
        for row, text in zip(rows, texts, strict=True):
            for term in terms(text):
                row[zlib.crc32(f"{self.identity} {term}".encode()) % self.dimension] += 1
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows


class FakeIndex:
    """An index in memory: it remembers its points and finds none."""

    def __init__(self) -> None:
        self.points: dict[str, Point] = {}
        self._stamp: str | None = None

    def stamp(self) -> str | None:
        return self._stamp

    def search(self, query: VectorQuery) -> list[Scored]:
        return []

    def values(self, field: str) -> list[str]:
        return []

    def vector(self, id: str) -> None:
        return None

    def apply(self, points: Iterable[Point], gone: Iterable[str], stamp: str) -> None:
        self.points = {id: point for id, point in self.points.items() if id not in set(gone)}
        self.points |= {point.id: point for point in points}
        self._stamp = stamp

    def rebuild(self, points: Iterable[Point], stamp: str) -> None:
        self.points = {point.id: point for point in points}
        self._stamp = stamp

    def close(self) -> None:
        pass

    def contents(self) -> dict[str, tuple[object, ...]]:
        """All points, in a form that can be compared."""
        return {p.id: (p.dense.tobytes(), p.words, p.topics, p.payload) for p in self.points.values()}


def vocabulary() -> Ontology:
    """Four topics, one of them for one architecture alone."""
    topics = (
        Topic(slug="tiling", name="Tiling", aliases=("blocking",), summary="Work on blocks that fit into fast memory."),
        Topic(
            slug="matmul", name="Matmul", aliases=("GEMM",), summary="Multiply matrices.", requires={"tiling": "why"}
        ),
        Topic(slug="wgmma", name="WGMMA", level=4, parent="matmul", hardware=("hopper",), requires={"matmul": "why"}),
        Topic(slug="attention", name="Attention", aliases=("FlashAttention",), corequisites={"matmul": "together"}),
    )
    hardware = (
        Hardware(slug="nvidia", name="NVIDIA", kind="vendor"),
        Hardware(slug="hopper", name="Hopper", kind="architecture", vendor="nvidia", parents=("nvidia",)),
        Hardware(slug="h100", name="H100", kind="device", vendor="nvidia", parents=("hopper",), features=("wgmma",)),
    )
    return Ontology({topic.slug: topic for topic in topics}, {node.slug: node for node in hardware})


def document(source: str, *mentions: Mapping[str, object], entries: Sequence[Mapping[str, object]] = ()) -> Document:
    """A list as a reader gives it: a mention a line, then a post a line."""
    read = tuple(
        Mention.model_validate({"source": source, "line": line, **fields}) for line, fields in enumerate(mentions, 1)
    )
    posts = tuple(
        DevlogEntry.model_validate({"source": source, "line": line, "end_line": line, **fields})
        for line, fields in enumerate(entries, len(read) + 1)
    )
    digest = hashlib.sha256(repr((read, posts)).encode()).hexdigest()
    return Document(
        source=source, title=f"The list {source}", format="plain", digest=digest, mentions=read, entries=posts
    )


def small_list(source: str, *names: str) -> Document:
    """A list of pages that are called so; the same name is the same page in every list."""
    return document(
        source,
        *(
            {"title": f"{name} in depth", "url": f"https://example.org/{name}", "note": f"{source} likes {name}"}
            for name in names
        ),
    )


def built(documents: Iterable[Document], ontology: Ontology | None = None) -> Subgraph:
    """The graph of some documents."""
    drafted = build.draft(documents, ontology or vocabulary(), Catalogue({}))
    embedder = FakeEmbedder()
    vectors = {
        id: Vector(build.text_digest(texts), embedder.embed(texts).astype("<f4").tobytes())
        for id, texts in drafted.texts.items()
    }
    return build.build(drafted, vectors, embedder.dimension)


def stores(folder: Path, embedder: FakeEmbedder | None = None, index: FakeIndex | None = None) -> Stores:
    """What the pipeline writes to: the embedded stores of a folder, unless another index is given."""
    made = embedder or FakeEmbedder()
    return Stores(
        graph=SqliteGraph(folder / "warpath.db"),
        index=lambda dimension: index or QdrantEdge(folder / "index", dimension),
        embedder=lambda: made,
        model=made.identity.split("@")[0],
    )


def library(folder: Path, open_embedder: Callable[[str], FakeEmbedder] | None = None) -> Library:
    """What answers questions over the embedded stores of a folder."""
    return Library(
        SqliteGraph(folder / "warpath.db"),
        lambda dimension: QdrantEdge(folder / "index", dimension),
        open_embedder or fake_of,
    )


def fake_of(identity: str) -> FakeEmbedder:
    """The fake that has this identity."""
    model, _, size = identity.partition("@1/")
    return FakeEmbedder(model, int(size))


def contents(graph: SqliteGraph) -> tuple[Mapping[str, Node], Mapping[str, Edge], Mapping[str, Vector]]:
    """All that a store holds, facts apart."""
    held = everything(graph)
    return dict(held.nodes), {edge.key: edge for edge in held.edges}, dict(graph.vectors())


def everything(graph: SqliteGraph) -> Subgraph:
    """Every node and edge of a store."""
    return graph.select("Source", "Resource", "Topic", "Hardware", "Kernel", "Person", "Organisation", "DevlogEntry")


def whole(graph: GraphStore) -> Subgraph:
    """Every node and edge of any store, the vocabulary too."""
    return graph.select(*get_args(Label))
