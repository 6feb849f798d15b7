"""A large graph, portion by portion: what is done with it needs no more memory than a portion takes.

A portion is as of one moment, all of them are not. Who must know compares the stamp before and after.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graph.models import Label
from graph.ports import GraphStore

PORTION = 1000  # nodes


def portions(graph: GraphStore, label: Label) -> Iterator[Sequence[str]]:
    """The ids of all nodes with a label, in their order."""
    after = ""
    while ids := graph.ids(label, after=after, limit=PORTION):
        yield ids
        after = ids[-1]
