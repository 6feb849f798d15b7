"""Ingests and forgets small lists until it is killed. Run as `python -m tests.e2e.kill_worker FOLDER SEED`.

With `copy` for a seed it copies FOLDER/source to FOLDER/target once, in many small writes.
"""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path

from graph.models import Document
from graph.stores.sqlite_graph import SqliteGraph
from ingest import copy, pipeline
from tests import fakes

NAMES = ("tiling", "GEMM", "attention", "WGMMA", "blocking")
LISTS = 4


def a_list(number: int, round: int) -> Document:
    """One of the lists as it is in some round: same round, same list."""
    chance = random.Random(f"{number} {round}")
    names = [f"{chance.choice(NAMES)}{chance.randrange(9)}" for _ in range(chance.randrange(1, 12))]
    return fakes.small_list(f"list{number}.md", f"round{round}", *names)


def main(folder: Path, seed: str) -> None:
    chance, stores, vocabulary = random.Random(seed), fakes.stores(folder), fakes.vocabulary()
    print("ready", flush=True)
    for round in itertools.count(chance.randrange(10**6)):
        number = chance.randrange(LISTS)
        if chance.random() < 0.2 and f"list{number}.md" in pipeline.stored_documents(stores.graph):
            pipeline.forget(f"list{number}.md", stores, vocabulary)
        else:
            pipeline.ingest([a_list(number, round)], stores, vocabulary)


def copy_once(folder: Path) -> None:
    copy.AT_ONCE = 1
    target = fakes.stores(folder / "target")
    print("ready", flush=True)
    copy.copy(SqliteGraph(folder / "source" / "warpath.db"), target.graph, target.index)  # type: ignore[arg-type]


if __name__ == "__main__":
    copy_once(Path(sys.argv[1])) if sys.argv[2] == "copy" else main(Path(sys.argv[1]), sys.argv[2])
