"""A process killed at any moment leaves a store that opens and holds whole documents; the next run completes it."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from graph.models import Document, SearchRequest
from graph.portions import UNFINISHED
from graph.stores.qdrant_edge import QdrantEdge
from graph.stores.sqlite_graph import SqliteGraph
from ingest import pipeline
from ingest.copy import checksum, copy
from tests import fakes
from tests.e2e.kill_worker import LISTS, a_list

ROOT = Path(__file__).parents[2]
SPAN = 0.4  # seconds within which the kill falls: a few rounds of the worker
KILLED_COPIES = 5


@pytest.mark.parametrize("kills", [25, pytest.param(200, marks=pytest.mark.slow)])
def test_a_killed_process_leaves_a_sound_store_that_the_next_run_completes(tmp_path: Path, kills: int) -> None:
    chance = random.Random(kills)
    for number in range(kills):
        run_and_kill(tmp_path, number, chance.uniform(0, SPAN))

        assert faults(SqliteGraph(tmp_path / "warpath.db")) == []
        if number % 5 == 4:
            complete(tmp_path)


def test_a_killed_copy_says_that_it_is_none_until_the_next_completes_it(tmp_path: Path) -> None:
    chance = random.Random(1)
    source = fakes.stores(tmp_path / "source")
    pipeline.ingest([a_list(number, number) for number in range(LISTS)], source, fakes.vocabulary())
    whole = source.graph.digests()
    for _ in range(KILLED_COPIES):
        run_and_kill(tmp_path, "copy", chance.uniform(0, SPAN))
        target = SqliteGraph(tmp_path / "target" / "warpath.db")

        assert not target.fault()
        assert target.facts().get(UNFINISHED) or target.digests().keys() in (set(), whole.keys())
    report = copy(source.graph, target, fakes.stores(tmp_path / "target").index)  # type: ignore[arg-type]

    assert report.checksum == checksum(source.graph)
    assert target.digests() == whole


def run_and_kill(folder: Path, seed: int | str, after: float) -> None:
    """Starts the worker and kills it some time after it has begun."""
    command = [sys.executable, "-m", "tests.e2e.kill_worker", str(folder), str(seed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as worker:
        assert worker.stdout
        assert worker.stderr
        assert worker.stdout.readline() == "ready\n", worker.stderr.read()
        time.sleep(after)
        worker.kill()

        assert "Traceback" not in worker.stderr.read()


def faults(graph: SqliteGraph) -> list[str]:
    """Everything that is half there."""
    held, vectors = fakes.everything(graph), graph.vectors()
    loose = [edge.key for edge in held.edges if edge.source not in held.nodes or edge.target not in held.nodes]
    half = [name for name, document in pipeline.stored_documents(graph).items() if document != as_written(document)]
    embedded = {node.id for node in (*held.labelled("Resource"), *held.labelled("Topic"))}
    lonely = [node.id for node in held.labelled("Resource") if not any(held.into(node.id, "MENTIONS"))]
    return [*loose, *half, *lonely, *(embedded ^ vectors.keys()), *filter(None, [graph.fault()])]


def as_written(document: Document) -> Document:
    """The list that the worker wrote, made again from its number and round."""
    number = int(document.source.removeprefix("list").removesuffix(".md"))
    return a_list(number, int(document.mentions[0].title.split()[0].removeprefix("round")))


def complete(folder: Path) -> None:
    """The next run, though it has nothing new, leaves graph and index in agreement and both as a fresh ingest."""
    stores = fakes.stores(folder)
    documents = pipeline.stored_documents(stores.graph)
    pipeline.ingest(list(documents.values()), stores, fakes.vocabulary())
    with closing(QdrantEdge(folder / "index", fakes.DIMENSION)) as index:
        stamp = index.stamp()
    with closing(fakes.library(folder)) as library:
        found = library.search(SearchRequest(query="tiling in depth", limit=100)).hits

    assert stamp == stores.graph.facts()["stamp"]
    assert {hit.id for hit in found} <= stores.graph.select("Resource").nodes.keys()
    assert len(found) == min(100, len(stores.graph.select("Resource").nodes))
