"""What must hold however much is stored: bounded reads give what reading everything gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from graph import agreement, indexing, paths
from graph.errors import WarpathError
from graph.library import Library
from graph.models import PathRequest, SearchRequest
from graph.names import node_id
from graph.ports import Filters, Point, Sparse, VectorQuery
from graph.records import Changes, Edge, Node
from graph.stores.qdrant_edge import QdrantEdge
from graph.stores.sqlite_graph import SqliteGraph
from tests import fakes

EVERYTHING = (10**9,)
NOTHING = Sparse((), ())
LINK = {"confidence": 0.9, "reason": "named in the title", "source": "a.md", "line": 1}


def outcomes(library: Library) -> Iterator[str]:
    """Plans for a topic in nine, each for another learner."""
    learners: tuple[dict[str, object], ...] = ({}, {"hours": 12}, {"max_tier": 1}, {"hardware": "mi300x"})
    for number, topic in enumerate(sorted(library.curriculum.topics)[::9]):
        request = PathRequest.model_validate({"goal": topic, **learners[number % len(learners)]})
        try:
            yield library.plan(request).model_dump_json(indent=1)
        except WarpathError as error:
            yield error.message


def test_plans_are_the_same_when_everything_is_looked_at(starter: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    bounded = list(outcomes(starter))
    monkeypatch.setattr(paths, "LOOKED_AT", EVERYTHING)

    assert bounded == list(outcomes(starter))


def test_a_learner_is_not_starved_by_stronger_resources_that_do_not_suit(tmp_path: Path) -> None:
    graph, topic = SqliteGraph(tmp_path / "warpath.db"), Node(node_id("Topic", "a"), "Topic", "A")
    pages = [Node(f"page{number:03}", "Resource", str(number), {"kind": "blog"}) for number in range(900)]
    edges = [Edge(page.id, "COVERS", topic.id, {**LINK, "likeness": number / 900}) for number, page in enumerate(pages)]
    graph.write(Changes((topic, *pages), tuple(edges)), expect=graph.facts()["stamp"])
    found = paths.teachers(graph, ["a"], {}, lambda one: int(one.resource.title) < 10)

    assert {one.resource.title for one in found["a"]} == {str(number) for number in range(10)}


def test_what_is_read_by_portions_is_what_is_read_whole(starter_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.portions.PORTION", 100)
    graph = SqliteGraph(starter_folder / "warpath.db")
    whole = agreement.digests(indexing.points(fakes.whole(graph), graph.vectors()))

    assert agreement.digests(indexing.stored_points(graph)) == whole


class Counting(SqliteGraph):
    """Counts how often its facts are read: a round trip, where the store is a server."""

    reads = 0

    def facts(self) -> Mapping[str, str]:
        self.reads += 1
        return super().facts()


ASKED: dict[str, Callable[[Library], object]] = {
    "search": lambda library: library.search(SearchRequest(query="paged attention")),
    "plan": lambda library: library.plan(PathRequest(goal="paged-attention")),
    "topic": lambda library: library.topic("paged-attention"),
    "kernel": lambda library: library.kernel("vector-add"),
    "finished": lambda library: library.finished("paged-attention"),
    "ready": lambda library: library.ready(),
}


@pytest.mark.parametrize("asked", ASKED)
def test_a_question_reads_the_facts_of_the_store_once(starter_folder: Path, tmp_path: Path, asked: str) -> None:
    graph = Counting(starter_folder / "warpath.db")
    with closing(Library(graph, lambda width: QdrantEdge(tmp_path, width), fakes.fake_of)) as library:
        ASKED[asked](library)

    assert graph.reads == 1


def test_a_large_index_finds_what_comparing_with_every_vector_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graph.stores.qdrant_edge.LARGE", 1000)
    rows = np.random.default_rng(1).standard_normal((5020, 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    stored, asked = rows[:5000], rows[5000:]
    points = (Point(str(number), row, NOTHING, NOTHING, {}) for number, row in enumerate(stored))
    with closing(QdrantEdge(tmp_path, 64)) as index:
        index.rebuild(points, "one")
        found = [index.search(VectorQuery(row, NOTHING, NOTHING, 1.0, 0.0, 0.0, Filters(), 100)) for row in asked]
        parts = index._shard.info().segments_count

    assert parts > 1  # one holds what was there, in both sizes, the other waits for what comes
    for row, hits in zip(asked, found, strict=True):
        exact = np.argsort(-(stored @ row))[:100]
        assert {hit.id for hit in hits} == {str(number) for number in exact}
        assert [hit.score for hit in hits] == pytest.approx(sorted(stored[exact] @ row)[::-1], abs=1e-5)
