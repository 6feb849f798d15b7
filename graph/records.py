"""What goes into a graph store and comes out of it: nodes, edges, and the changes of one write."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.models import EdgeType, Label

Body = Mapping[str, Any]

LEAST_CENTRAL = 0.1  # what a title names counts for something, however far in meaning
IN_PASSING = 0.53  # centrality below which a topic that no title names is not what a resource is about


def digest(*parts: object) -> str:
    """A short, stable fingerprint of JSON-able values; equal values give equal digests in every process."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Node:
    """One thing of the graph. `id` is the same in every store; `body` holds JSON values only."""

    id: str
    label: Label
    name: str
    body: Body = field(default_factory=dict)

    @property
    def key(self) -> str:
        return self.id

    def digest(self) -> str:
        return digest(self.label, self.name, self.body)


@dataclass(frozen=True, slots=True)
class Edge:
    """One relation. `ordinal` tells apart several edges of one type between the same two nodes."""

    source: str
    type: EdgeType
    target: str
    body: Body = field(default_factory=dict)
    ordinal: str = ""

    @property
    def key(self) -> str:
        return "\t".join((self.source, self.type, self.target, self.ordinal))

    @property
    def weight(self) -> float:
        """How directly a resource is about a topic, 0 to 1.5: surely (the link's confidence), closely (likeness) and
        centrally (likeness against that to the nearest topic of all). What is named in passing has none."""
        confidence = _part(self.body.get("confidence"), 0.0)
        central = max(LEAST_CENTRAL, _part(self.body.get("centrality"), 1.0))
        if confidence < 1 and central < IN_PASSING:
            return 0.0
        return max(0.0, confidence * (0.5 + _part(self.body.get("likeness"), 0.5)) * sqrt(central))

    def digest(self) -> str:
        return digest(self.body)


@dataclass(frozen=True)
class Subgraph:
    """Some nodes and the edges between or around them, as read in one go."""

    nodes: Mapping[str, Node]
    edges: tuple[Edge, ...]

    @classmethod
    def of(cls, nodes: Iterable[Node], edges: Iterable[Edge]) -> Subgraph:
        return cls({node.id: node for node in nodes}, tuple(edges))

    def out(self, id: str, *types: EdgeType) -> Iterator[Edge]:
        """Edges that leave a node."""
        return (edge for edge in self._leaving.get(id, ()) if not types or edge.type in types)

    def into(self, id: str, *types: EdgeType) -> Iterator[Edge]:
        """Edges that reach a node."""
        return (edge for edge in self._reaching.get(id, ()) if not types or edge.type in types)

    def labelled(self, label: Label) -> list[Node]:
        return [node for node in self.nodes.values() if node.label == label]

    @cached_property
    def _leaving(self) -> dict[str, list[Edge]]:
        return _grouped(self.edges, lambda edge: edge.source)

    @cached_property
    def _reaching(self) -> dict[str, list[Edge]]:
        return _grouped(self.edges, lambda edge: edge.target)


@dataclass(frozen=True, slots=True)
class Vector:
    """The embedding of a node with the digest of the texts it was made of.

    `data` is float32, little endian, one row for each text: a resource has one, a topic one for each way to ask for it.
    """

    text_digest: str
    data: bytes

    def rows(self, dimension: int) -> NDArray[np.float32]:
        """The rows, shape (texts, dimension)."""
        return np.frombuffer(self.data, dtype="<f4").reshape(-1, dimension)


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a store holds: nodes by label, edges by type, and vectors."""

    nodes: Mapping[str, int]
    edges: Mapping[str, int]
    vectors: int


@dataclass(frozen=True)
class Changes:
    """All that one write changes; either all of it is stored or nothing."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    gone_nodes: tuple[str, ...] = ()
    gone_edges: tuple[str, ...] = ()
    vectors: Mapping[str, Vector] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any((self.nodes, self.edges, self.gone_nodes, self.gone_edges, self.vectors, self.facts))


def _part(value: object, otherwise: float) -> float:
    """A number between -1 and 1; a body may hold anything."""
    return float(value) if isinstance(value, (int, float)) and -1 <= value <= 1 else otherwise


def _grouped(edges: Iterable[Edge], key: Any) -> dict[str, list[Edge]]:
    groups: dict[str, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(key(edge), []).append(edge)
    return groups
