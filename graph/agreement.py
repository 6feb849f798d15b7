"""Whether the search index holds what the graph says, and how to bring it there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from graph import indexing
from graph.models import Label
from graph.portions import portions
from graph.ports import GraphStore, Point, VectorStore
from graph.records import digest


class ListedIndex(VectorStore, Protocol):
    """A search index that can tell what it holds."""

    def entries(self) -> Mapping[str, str]:
        """Id of every point, with the digest of what was put under it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How far an index is from its graph."""

    entries: int  # as there should be
    missing: int
    orphans: int  # of resources that the graph does not have
    outdated: int

    def __bool__(self) -> bool:
        return bool(self.missing or self.orphans or self.outdated)

    def __str__(self) -> str:
        return f"{self.missing} missing, {self.orphans} orphans, {self.outdated} outdated of {self.entries}"


def point_digest(point: Point) -> str:
    """A fingerprint of all that a point holds."""
    words, topics = ((side.indices, side.values) for side in (point.words, point.topics))
    return digest(sha256(point.dense.astype("<f4").tobytes()).hexdigest(), words, topics, point.payload)


def difference(index: ListedIndex, wanted: Mapping[str, str]) -> Difference:
    """Compares what an index holds with the digests of what it should hold."""
    held = index.entries()
    outdated = sum(1 for id in wanted.keys() & held.keys() if wanted[id] != held[id])
    return Difference(len(wanted), len(wanted.keys() - held.keys()), len(held.keys() - wanted.keys()), outdated)


def mend(graph: GraphStore, index: ListedIndex) -> Difference:
    """Builds an index anew that does not hold what the graph says; gives what was wrong with it."""
    stamp = graph.facts()["stamp"]  # first: where somebody writes meanwhile, the index counts as older than it is
    found = difference(index, digests(indexing.stored_points(graph)))
    if found or index.stamp() != stamp:
        index.rebuild(indexing.stored_points(graph), stamp)
    return found


def digests(points: Iterable[Point]) -> dict[str, str]:
    """The digest of each point by its id."""
    return {point.id: point_digest(point) for point in points}


def unembedded(graph: GraphStore) -> list[str]:
    """Resources and topics that have no vector, so that no search can find them by meaning."""
    labels: tuple[Label, ...] = ("Resource", "Topic")
    everything = (ids for label in labels for ids in portions(graph, label))
    return [id for ids in everything for id in sorted({*ids} - graph.vectors_of(ids).keys())]
