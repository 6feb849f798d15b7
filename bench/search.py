"""How fast search is on the starter lists, asked what tests/gold asks: `python -m bench.search` prints a table.

In process on one core, the embedding of the query included, and as a whole `warpath search` from the shell. It measures
the store of `warpath ingest`; WARPATH_DATA names another.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from api.bootstrap import open_library
from api.settings import Settings
from graph.evaluation.judged import read_queries
from graph.library import Library
from graph.models import SearchRequest

GOLD = Path(__file__).parents[1] / "tests" / "gold" / "search.jsonl"
ROUNDS = 10  # times that every query is asked
COLD = 30  # processes started
LIMIT = 10


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process, whatever threads it has, on one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


def timed(ask: Callable[[str], object], queries: Sequence[str]) -> list[float]:
    """Milliseconds that each query takes."""
    spent = []
    for query in queries:
        started = time.perf_counter()
        ask(query)
        spent.append((time.perf_counter() - started) * 1000)
    return spent


def in_process(library: Library, queries: Sequence[str]) -> list[float]:
    """Milliseconds of each search, after one round that does not count."""

    def ask(query: str) -> object:
        return library.search(SearchRequest(query=query, limit=LIMIT))

    with one_core():
        timed(ask, queries)
        return timed(ask, list(queries) * ROUNDS)


def cold(query: str) -> None:
    """One whole `warpath search`, from the start of the process to its end."""
    command = [str(Path(sys.executable).with_name("warpath")), "search", query]
    subprocess.run(command, check=True, capture_output=True)


def row(name: str, spent: Sequence[float]) -> str:
    """A row of the table."""
    middle, slow = np.percentile(spent, (50, 99))
    return f"| {name} | {len(spent):,} | {middle:.1f} | {slow:.1f} |"


def main() -> None:
    """Prints the table."""
    queries = [query.query for query in read_queries(GOLD)]
    with closing(open_library(Settings())) as library:
        warm = in_process(library, queries)
    print("| search | times | p50 ms | p99 ms |\n| --- | ---: | ---: | ---: |")
    print(row("in process, one core", warm))
    print(row("`warpath search`, cold", timed(cold, queries[:COLD])))


if __name__ == "__main__":
    main()
