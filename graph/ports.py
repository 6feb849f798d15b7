"""What the core needs from the outside. Adapters live in graph/stores; api/bootstrap.py chooses among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graph.models import Label
from graph.records import Changes, Counts, Edge, Node, Subgraph, Vector

Vectors = NDArray[np.float32]  # shape (texts, dimension), rows of length 1


class GraphStore(Protocol):
    """The truth: graph, texts and vectors.

    `facts()["stamp"]` changes with every write, so a reader that keeps something in memory knows when to read anew.
    """

    def facts(self) -> Mapping[str, str]:
        """Small facts about the store: stamp, embedding model, digests of what it was built from."""

    def read(self, ids: Sequence[str]) -> Subgraph:
        """The nodes with these ids, every edge that touches them, and the nodes at the other ends."""

    def select(self, *labels: Label) -> Subgraph:
        """All nodes with one of the labels and all edges among them."""

    def strongest(self, targets: Sequence[str], limit: int) -> Sequence[Edge]:
        """Of the COVERS edges of Resources into each of these nodes the first `limit`: by weight, by the id of the
        resource, and by ordinal, all descending. What it costs does not grow with the number of edges of a node."""

    def ids(self, label: Label, *, after: str, limit: int) -> Sequence[str]:
        """The first `limit` ids of nodes with a label that come after an id, in their order: see `graph.portions`."""

    def nodes(self, *, after: str, limit: int) -> Sequence[Node]:
        """The first `limit` nodes whose id comes after an id, in the order of their ids (by code points)."""

    def edges(self, *, after: str, limit: int) -> Sequence[Edge]:
        """All edges that leave the next nodes after an id, of as many nodes as bring `limit` edges, in the order of the
        parts of their keys (by code points)."""

    def counts(self) -> Counts:
        """How much there is."""

    def digests(self) -> Mapping[str, str]:
        """Key of every node and edge, with the digest of its content."""

    def vectors(self, *labels: Label) -> Mapping[str, Vector]:
        """Stored embeddings by node id, of nodes with one of the labels (of all by default)."""

    def vectors_of(self, ids: Sequence[str]) -> Mapping[str, Vector]:
        """Stored embeddings of nodes by their ids."""

    def write(self, changes: Changes, *, expect: str) -> str:
        """Stores all changes at once and gives the new stamp.

        Raises:
            StoreChanged: the stamp is no longer `expect`: another process has written; build again.
        """


@dataclass(frozen=True, slots=True)
class Sparse:
    """A sparse vector: ids of words or of what is asked for, ascending, and their weights."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One resource in the search index: its meaning, its words, what it is about, and the fields that filters look at.

    The store multiplies weights of words by their inverse document frequency; weights of topics (and of
    kinds and people, see graph/intent.py) stay as they are.
    """

    id: str
    dense: NDArray[np.float32]
    words: Sparse
    topics: Sparse
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that a hit must meet, all of them; empty means any. Hardware keeps what is neutral or compatible,
    `made_for` only what is made for it. A phrase is words in lower case that follow each other in one text."""

    kind: tuple[str, ...] = ()
    min_tier: int | None = None
    max_tier: int | None = None
    hardware: tuple[str, ...] = ()
    made_for: tuple[str, ...] = ()
    topic: tuple[str, ...] = ()
    author: tuple[str, ...] = ()
    source: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    also: tuple[Filters, ...] = ()  # must be met too
    without: tuple[Filters, ...] = ()  # none of which may be met


@dataclass(frozen=True, slots=True)
class VectorQuery:
    """One search. A point's score is

        cosine + words_weight * w / (w + words_half) + topics_weight * t

    where w is the BM25 score of its words and t the product of its topics with the query's. `words_half` is the BM25
    score that counts half: a sum without bound becomes comparable with a cosine.
    """

    dense: NDArray[np.float32]
    words: Sparse
    topics: Sparse
    words_half: float
    words_weight: float
    topics_weight: float
    filters: Filters = field(default_factory=Filters)
    limit: int = 10
    fields: bool = False  # give the payload of what is found


@dataclass(frozen=True, slots=True)
class Scored:
    """A node found, its fused score (higher is better), and its payload if asked for."""

    id: str
    score: float
    fields: Mapping[str, Any] = field(default_factory=dict)


class VectorStore(Protocol):
    """The search index, derived from the graph store and rebuilt from it when absent, stale or broken."""

    def stamp(self) -> str | None:
        """Stamp of the graph that the index agrees with; None when it must be rebuilt."""

    def search(self, query: VectorQuery) -> list[Scored]:
        """One fused query (dense + sparse), filtered in the store, best first."""

    def values(self, field: str) -> Sequence[str]:
        """Every value that points have in a field of words, each once."""

    def vector(self, id: str) -> NDArray[np.float32] | None:
        """The meaning of one point as it is stored, None where there is no such point."""

    def apply(self, points: Iterable[Point], gone: Iterable[str], stamp: str) -> None:
        """Adds or replaces points and removes others, then agrees with `stamp`."""

    def rebuild(self, points: Iterable[Point], stamp: str) -> None:
        """Starts anew with exactly these points."""

    def close(self) -> None:
        """Gives the index free for other processes."""


class Embedder(Protocol):
    """Texts to vectors of length 1. `identity` names model, revision and dimension."""

    @property
    def identity(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text.

        Raises:
            ModelError: the model is missing or broken.
        """
