"""From one pair of stores to another, whatever kinds they are: the graph with its vectors, then the search index.

The target becomes what the source is; what it held before and the source does not is removed. Only what differs is
written, so a copy that was stopped is completed by the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import get_args

from graph import agreement, indexing
from graph.agreement import ListedIndex
from graph.errors import StoreChanged, StoreEmpty, StoreError
from graph.models import CopyReport, Label
from graph.ports import GraphStore, Point
from graph.records import Subgraph, Vector, digest
from ingest.pipeline import Progress, difference

KEPT = "stamp"  # the one fact that is a store's own


def copy(
    source: GraphStore,
    target: GraphStore,
    open_index: Callable[[int], ListedIndex],
    progress: Progress = lambda *_: None,
) -> CopyReport:
    """Copies everything and makes sure of it.

    Raises:
        StoreEmpty: the source holds nothing.
        StoreChanged: somebody wrote to one of the stores meanwhile.
        StoreError: what arrived is not what was sent.
    """
    progress("read", 0, 1)
    facts, held, vectors = _whole(source)
    progress("read", 1, 1)
    stamp = _write(target, facts, held, vectors, progress)
    with closing(open_index(int(facts["dimension"]))) as index:
        entries = _index(index, held, vectors, stamp, progress)
    progress("verify", 0, 1)
    checksum = _verified(target, facts, held, vectors)
    progress("verify", 1, 1)
    return CopyReport(
        nodes=len(held.nodes), edges=len(held.edges), vectors=len(vectors), entries=entries, checksum=checksum
    )


def _whole(graph: GraphStore) -> tuple[Mapping[str, str], Subgraph, Mapping[str, Vector]]:
    """All that a store holds, as of one moment."""
    facts = graph.facts()
    if "dimension" not in facts:
        raise StoreEmpty("There is nothing to copy: nothing has been ingested yet.")
    held, vectors = graph.select(*get_args(Label)), graph.vectors()
    if graph.facts() != facts:
        raise StoreChanged("Another process has written to the store meanwhile.", hint="Copy again.")
    return facts, held, vectors


def _write(
    target: GraphStore,
    facts: Mapping[str, str],
    held: Subgraph,
    vectors: Mapping[str, Vector],
    progress: Progress,
) -> str:
    """Brings the target's graph to the source's, in one write; gives its stamp."""
    progress("graph", 0, 1)
    before, stored, there = target.facts(), target.digests(), target.vectors()
    changes = difference(
        held,
        stored,
        {id: vector for id, vector in vectors.items() if there.get(id) != vector},
        {name: value for name, value in facts.items() if name != KEPT and before.get(name) != value},
    )
    stamp = target.write(changes, expect=before[KEPT]) if changes else before[KEPT]
    progress("graph", 1, 1)
    return stamp


def _index(index: ListedIndex, held: Subgraph, vectors: Mapping[str, Vector], stamp: str, progress: Progress) -> int:
    """Fills the index and makes sure that it holds every point; gives their number."""
    index.rebuild(_told(indexing.points(held, vectors), len(held.labelled("Resource")), progress), stamp)
    left = agreement.difference(index, agreement.digests(indexing.points(held, vectors)))
    if left:
        raise StoreError(f"The search index is not whole: {left}.", hint="`warpath doctor` builds it anew.")
    return left.entries


def _told(points: Iterable[Point], total: int, progress: Progress) -> Iterator[Point]:
    """The points, each told of as it is taken."""
    for number, point in enumerate(points, 1):
        progress("index", number, total)
        yield point


def _verified(target: GraphStore, facts: Mapping[str, str], held: Subgraph, vectors: Mapping[str, Vector]) -> str:
    """One digest of everything, if the target gives back what the source gave."""
    _, arrived, there = _whole(target)
    sent, found = checksum(held, vectors), checksum(arrived, there)
    if sent != found:
        raise StoreError(
            f"The copy is not the original: {len(arrived.nodes)} nodes of {len(held.nodes)}, {len(arrived.edges)}"
            f" edges of {len(held.edges)}, {len(there)} vectors of {len(vectors)} (digests {found} and {sent}).",
            hint="Copy again when nobody else writes.",
        )
    return sent


def checksum(held: Subgraph, vectors: Mapping[str, Vector]) -> str:
    """One digest of all nodes, edges and vectors."""
    nodes = sorted((node.id, node.digest()) for node in held.nodes.values())
    edges = sorted((edge.key, edge.digest()) for edge in held.edges)
    rows = sorted((id, vector.text_digest, digest(vector.data.hex())) for id, vector in vectors.items())
    return digest(nodes, edges, rows)
