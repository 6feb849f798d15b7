"""Ingests lists into the configured stores. Run as `python -m tests.e2e.server_worker NUMBER`.

Without a number it reads lines `NUMBER MOMENT` and starts a process for each, which stops at that moment for good and
tells its id, to be killed: between the write to the graph and the one to the index, with all points in the index but no
word that it is whole, or with an index that is whole but not closed.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Iterable
from functools import partial

from api.bootstrap import open_graph, open_index
from api.settings import Settings
from graph.models import Document
from graph.ports import Point
from ingest import pipeline
from tests import fakes

MOMENTS = ("between", "half", "whole")
NAMES = ("tiling", "GEMM", "attention", "WGMMA", "blocking")
LISTS = 5  # of each worker


class StoppingIndex:
    """The configured index, which stops for good at some moment of a change."""

    def __init__(self, moment: str, settings: Settings, dimension: int) -> None:
        self._index, self._moment = open_index(settings, dimension), moment

    def stamp(self) -> str | None:
        return self._index.stamp()

    def apply(self, points: Iterable[Point], gone: Iterable[str], stamp: str) -> None:
        self._change(partial(self._index.apply, gone=gone, stamp=stamp), list(points))

    def rebuild(self, points: Iterable[Point], stamp: str) -> None:
        self._change(partial(self._index.rebuild, stamp=stamp), list(points))

    def _change(self, change: partial[None], points: list[Point]) -> None:
        if self._moment == "between":
            stop()
        change(itertools.chain(points, _stopping()) if self._moment == "half" else points)
        stop()


def _stopping() -> Iterable[Point]:
    stop()
    yield from ()


def stop() -> None:
    """Says so, and waits to be killed."""
    print(os.getpid(), flush=True)
    time.sleep(600)


def lists_of(number: int) -> list[Document]:
    """What a worker ingests: lists of its own that share pages with the others', and one that all have."""
    own = [
        fakes.small_list(f"list{number}-{n}.md", *(f"{NAMES[(n + k) % 5]}{(number + k) % 3}" for k in range(4)))
        for n in range(LISTS - 1)
    ]
    return [*own, fakes.small_list("shared.md", *NAMES)]


def ingest(documents: Iterable[Document], moment: str = "") -> None:
    settings, made = Settings(), fakes.FakeEmbedder()
    index = partial(StoppingIndex, moment, settings) if moment else partial(open_index, settings)
    stores = pipeline.Stores(open_graph(settings), index, lambda: made, "fake")  # type: ignore[arg-type]
    for document in documents:
        pipeline.ingest([document], stores, fakes.vocabulary())


def nursery() -> None:
    """Children that have all modules already; a process from scratch takes a second to begin."""
    for line in sys.stdin:
        number, moment = line.split()
        child = os.fork()
        if not child:
            ingest([fakes.small_list("a.md", f"round{number}", *NAMES)], moment)
            os._exit(1)  # it did not stop
        if not os.WIFSIGNALED(os.waitpid(child, 0)[1]):
            sys.exit("A worker has failed.")


if __name__ == "__main__":
    ingest(lists_of(int(sys.argv[1]))) if sys.argv[1:] else nursery()
