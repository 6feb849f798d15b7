"""A large graph, portion by portion: what is done with it needs no more memory than a portion takes, or one long list.

A portion is as of one moment, all of them are not. Who must know compares the stamp before and after. A store that is
written portion by portion says so until it is whole, for nobody to take a part for everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from graph.errors import StoreBusy
from graph.models import Label
from graph.ports import GraphStore
from graph.records import Edge, Node

PORTION = 1000  # nodes or edges
UNFINISHED = "unfinished"  # the fact that names what is still being written; empty when nothing is


def portions(graph: GraphStore, label: Label) -> Iterator[Sequence[str]]:
    """The ids of all nodes with a label, in their order."""
    after = ""
    while ids := graph.ids(label, after=after, limit=PORTION):
        yield ids
        after = ids[-1]


def all_nodes(graph: GraphStore) -> Iterator[Sequence[Node]]:
    """All nodes, in the order of their ids."""
    after = ""
    while nodes := graph.nodes(after=after, limit=PORTION):
        yield nodes
        after = nodes[-1].id


def all_edges(graph: GraphStore) -> Iterator[Sequence[Edge]]:
    """All edges, in the order of the parts of their keys."""
    after = ""
    while edges := graph.edges(after=after, limit=PORTION):
        yield edges
        after = edges[-1].source


def check_whole(facts: Mapping[str, str]) -> None:
    """Does nothing when a store with these facts is whole.

    Raises:
        StoreBusy: a copy into it has not come to its end.
    """
    if facts.get(UNFINISHED):
        raise StoreBusy(
            "A copy into this store is not finished.",
            hint="Wait for its end; if it was stopped, run the same `warpath copy` again: it goes on from there.",
        )
