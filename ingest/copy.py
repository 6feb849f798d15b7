"""From one pair of stores to another, whatever kinds they are: the graph with its vectors, then the search index.

The target becomes what the source is; what it held before and the source does not is removed. Both are read side by
side, portion by portion, and only what differs is written, so a copy that was stopped is completed by the next. Until
then the target says that it is not whole. A source that changes meanwhile is noticed, and the copy ends there.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import TypeVar

from graph import agreement, indexing
from graph.agreement import ListedIndex
from graph.errors import StoreChanged, StoreEmpty, StoreError
from graph.models import CopyReport
from graph.portions import PORTION, UNFINISHED, all_edges, all_nodes, check_whole
from graph.ports import GraphStore
from graph.records import Changes, Edge, Node, Vector, digest
from graph.stores.batches import batches
from ingest.pipeline import Progress

AT_ONCE = 5000  # nodes and edges of one write: more would not fit into a small Neo4j

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Record:
    """A node with its vector, or an edge."""

    held: Node | Edge
    vector: Vector | None = None

    @property
    def place(self) -> tuple[bool, list[str]]:
        """Where it stands among all records: nodes first, as edges need them; both in the order of the stores."""
        return isinstance(self.held, Edge), self.held.key.split("\t")

    def digest(self) -> str:
        """A fingerprint of all that it holds."""
        vector = (self.vector.text_digest, sha256(self.vector.data).hexdigest()) if self.vector else ()
        return digest(self.held.key, self.held.digest(), *vector)


def copy(
    source: GraphStore,
    target: GraphStore,
    open_index: Callable[[int], ListedIndex],
    progress: Progress = lambda *_: None,
) -> CopyReport:
    """Copies everything and makes sure of it.

    Raises:
        StoreEmpty: the source holds nothing.
        StoreBusy: the source is itself the target of a copy that is not finished.
        StoreChanged: somebody wrote to one of the stores meanwhile.
        StoreError: what arrived is not what was sent.
    """
    progress("read", 0, 1)
    facts = source.facts()
    check_whole(facts)
    if "dimension" not in facts:
        raise StoreEmpty("There is nothing to copy: nothing has been ingested yet.")
    total = _size(source)
    progress("read", 1, 1)
    stamp = _write(source, target, facts, total, progress)
    checksum = _verified(source, target, facts, total, progress)
    stamp = _finish(target, facts, stamp)
    with closing(open_index(int(facts["dimension"]))) as index:
        entries = _index(index, target, stamp, progress)
    counts = target.counts()
    return CopyReport(
        nodes=sum(counts.nodes.values()), edges=sum(counts.edges.values()), vectors=counts.vectors, entries=entries,
        checksum=checksum,
    )  # fmt: skip


def checksum(graph: GraphStore) -> str:
    """One digest of all nodes, edges and vectors: the same for equal graphs, whatever stores they are in."""
    return _checksum(_records(graph))


def _checksum(records: Iterable[Record]) -> str:
    whole = sha256()
    for record in records:
        whole.update(record.digest().encode())
    return whole.hexdigest()[:32]


def _records(graph: GraphStore) -> Iterator[Record]:
    """Everything that a store holds, in order."""
    for nodes in all_nodes(graph):
        vectors = graph.vectors_of([node.id for node in nodes])
        yield from (Record(node, vectors.get(node.id)) for node in nodes)
    for edges in all_edges(graph):
        yield from map(Record, edges)


def _size(graph: GraphStore) -> int:
    """How many records a store holds."""
    counts = graph.counts()
    return sum(counts.nodes.values()) + sum(counts.edges.values())


def _told(things: Iterable[T], progress: Progress, step: str, total: int) -> Iterator[T]:
    """The things; how far they are is told once a portion."""
    for number, thing in enumerate(things, 1):
        if number % PORTION == 0 or number == total:
            progress(step, number, total)
        yield thing


def _write(source: GraphStore, target: GraphStore, facts: Mapping[str, str], total: int, progress: Progress) -> str:
    """Brings the target's graph to the source's; gives the stamp of its last write."""
    stamp = target.facts()["stamp"]
    told = _told(_records(source), progress, "graph", total)
    for batch in batches(_changes(told, source, target), AT_ONCE):
        _check_unchanged(source, facts)
        stamp = target.write(_joined(batch), expect=stamp)
    return stamp


def _changes(records: Iterable[Record], source: GraphStore, target: GraphStore) -> Iterator[Changes]:
    """What must be written so that the target holds the records; nodes that must go do so after their edges."""
    for here, there in _pairs(records, _records(target)):
        if here is None and there and isinstance(there.held, Edge):
            yield Changes(gone_edges=(there.held.key,))
        elif here and here != there:
            yield _put(here, there)
    for here, there in _pairs(_bare_nodes(source), _bare_nodes(target)):
        if here is None and there:
            yield Changes(gone_nodes=(there.held.key,))


def _pairs(here: Iterable[Record], there: Iterable[Record]) -> Iterator[tuple[Record | None, Record | None]]:
    """What stands in each place on the two sides."""
    merged = heapq.merge(_placed(here, 0), _placed(there, 1), key=itemgetter(0, 1))
    for _, group in groupby(merged, key=itemgetter(0)):
        sides = {side: record for _, side, record in group}
        yield sides.get(0), sides.get(1)


def _placed(records: Iterable[Record], side: int) -> Iterator[tuple[tuple[bool, list[str]], int, Record]]:
    return ((record.place, side, record) for record in records)


def _bare_nodes(graph: GraphStore) -> Iterator[Record]:
    return (Record(node) for nodes in all_nodes(graph) for node in nodes)


def _put(here: Record, there: Record | None) -> Changes:
    """What makes the target's record the source's. A vector goes with its node alone: the node goes and comes back."""
    if isinstance(here.held, Edge):
        return Changes(edges=(here.held,))
    bare = there and there.vector and not here.vector
    return Changes(
        nodes=(here.held,),
        vectors={here.held.id: here.vector} if here.vector else {},
        gone_nodes=(here.held.id,) if bare else (),
    )


def _joined(changes: Iterable[Changes]) -> Changes:
    """One write of many changes, which leaves the store unfinished."""
    changes = list(changes)
    return Changes(
        nodes=tuple(node for one in changes for node in one.nodes),
        edges=tuple(edge for one in changes for edge in one.edges),
        gone_nodes=tuple(id for one in changes for id in one.gone_nodes),
        gone_edges=tuple(key for one in changes for key in one.gone_edges),
        vectors={id: vector for one in changes for id, vector in one.vectors.items()},
        facts={UNFINISHED: "copy"},
    )


def _check_unchanged(source: GraphStore, facts: Mapping[str, str]) -> None:
    if source.facts() != facts:
        raise StoreChanged(
            "Another process has written to the source meanwhile.",
            hint="Copy again when nobody writes; what has arrived need not be sent again.",
        )


def _verified(source: GraphStore, target: GraphStore, facts: Mapping[str, str], total: int, progress: Progress) -> str:
    """One digest of everything, if the target gives back what the source gives."""
    sent, found = checksum(source), _checksum(_told(_records(target), progress, "verify", total))
    _check_unchanged(source, facts)
    if sent != found:
        raise StoreError(
            f"The copy is not the original: {_size(target)} nodes and edges of {total} (digests {found} and {sent}).",
            hint="Copy again when nobody else writes.",
        )
    return sent


def _finish(target: GraphStore, facts: Mapping[str, str], stamp: str) -> str:
    """Gives the target the source's facts, by which it is whole; gives its stamp."""
    there = target.facts()
    wanted = {**dict.fromkeys(there, ""), **facts, UNFINISHED: ""}
    changed = {name: value for name, value in wanted.items() if name != "stamp" and there.get(name, "") != value}
    return target.write(Changes(facts=changed), expect=stamp) if changed else stamp


def _index(index: ListedIndex, graph: GraphStore, stamp: str, progress: Progress) -> int:
    """Fills the index and makes sure that it holds every point; gives their number."""
    total = graph.counts().nodes.get("Resource", 0)
    index.rebuild(_told(indexing.stored_points(graph), progress, "index", total), stamp)
    left = agreement.difference(index, agreement.digests(indexing.stored_points(graph)))
    if left:
        raise StoreError(f"The search index is not whole: {left}.", hint="`warpath doctor` builds it anew.")
    return left.entries
