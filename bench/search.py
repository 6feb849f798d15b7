"""How fast search is on the starter lists, asked much as tests/gold asks: `python -m bench.search` prints a table.

In process on one core, the embedding of the query included (no question comes twice), and as a whole `warpath search`
from the shell. It measures the store of `warpath ingest`; WARPATH_DATA names another. Processor time is what a search
costs also where other processes take turns.
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
from bench.questions import different
from graph.library import Library
from graph.models import SearchRequest

WARM = 100  # questions that do not count
ASKED = 1000
COLD = 30  # processes started
LIMIT = 10


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process, whatever threads it has, on one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


def timed(
    ask: Callable[[str], object], queries: Sequence[str], clock: Callable[[], float] = time.process_time
) -> tuple[list[float], list[float]]:
    """Milliseconds that each query takes, and milliseconds of processor time by a clock."""
    spent, used = [], []
    for query in queries:
        started, before = time.perf_counter(), clock()
        ask(query)
        used.append((clock() - before) * 1000)
        spent.append((time.perf_counter() - started) * 1000)
    return spent, used


def in_process(library: Library) -> tuple[list[float], list[float]]:
    """What each search takes."""

    def ask(query: str) -> object:
        return library.search(SearchRequest(query=query, limit=LIMIT))

    queries = different(WARM + ASKED)
    with one_core():
        timed(ask, queries[:WARM])
        return timed(ask, queries[WARM:])


def children() -> float:
    """Processor seconds of the processes that have ended."""
    used = os.times()
    return used.children_user + used.children_system


def cold(query: str) -> None:
    """One whole `warpath search`, from the start of the process to its end."""
    command = [str(Path(sys.executable).with_name("warpath")), "search", query]
    subprocess.run(command, check=True, capture_output=True)


def row(name: str, spent: Sequence[float], used: Sequence[float]) -> str:
    """A row of the table."""
    middle, slow = np.percentile(spent, (50, 99))
    return f"| {name} | {len(spent):,} | {middle:.1f} | {slow:.1f} | {np.median(used):.1f} |"


def main() -> None:
    """Prints the table."""
    with closing(open_library(Settings())) as library:
        warm = in_process(library)
    print("| search | times | p50 ms | p99 ms | processor ms |\n| --- | ---: | ---: | ---: | ---: |")
    print(row("in process, one core", *warm))
    print(row("`warpath search`, cold", *timed(cold, different(COLD), children)))


if __name__ == "__main__":
    main()
