"""A copy moves portion by portion; stopped anywhere, it is known to be a part, and the next completes it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from graph.errors import StoreBusy, StoreChanged
from graph.models import CopyReport, SearchRequest
from graph.portions import UNFINISHED
from graph.ports import GraphStore
from graph.records import Changes, Edge, Node, Vector
from graph.stores.sqlite_graph import SqliteGraph
from ingest import pipeline
from ingest.copy import checksum
from ingest.copy import copy as copied
from tests import fakes

LISTS = [fakes.small_list(f"list{n}.md", *(f"page{n * 3 + k}" for k in range(7))) for n in range(6)]


@pytest.fixture(autouse=True)
def _small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.portions.PORTION", 10)
    monkeypatch.setattr("ingest.copy.AT_ONCE", 40)


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ingested")
    pipeline.ingest(LISTS, fakes.stores(folder), fakes.vocabulary())
    return folder


@pytest.fixture
def source(ingested: Path, tmp_path: Path) -> SqliteGraph:
    return SqliteGraph(shutil.copytree(ingested, tmp_path / "source") / "warpath.db")


@pytest.fixture
def target(tmp_path: Path) -> SqliteGraph:
    return SqliteGraph(tmp_path / "target" / "warpath.db")


def copy(source: GraphStore, target: SqliteGraph) -> CopyReport:
    return copied(source, target, fakes.stores(target.path.parent).index)  # type: ignore[arg-type]


class Whole(SqliteGraph):
    """A store that cannot be read all at once."""

    def select(self, *_: object) -> NoReturn:
        raise AssertionError("All nodes and edges are read at once.")

    def digests(self) -> NoReturn:
        raise AssertionError("All digests are read at once.")

    def vectors(self, *_: object) -> NoReturn:
        raise AssertionError("All vectors are read at once.")


def test_a_copy_reads_neither_side_at_once(source: SqliteGraph, target: SqliteGraph) -> None:
    copy(Whole(source.path), Whole(target.path))

    assert fakes.contents(target) == fakes.contents(source)
    assert target.vectors() == source.vectors()


class Breaking(SqliteGraph):
    """A store whose connection breaks after some portions of edges."""

    portions = 4

    def edges(self, *, after: str, limit: int) -> Sequence[Edge]:
        self.portions -= 1
        if not self.portions:
            raise ConnectionError
        return super().edges(after=after, limit=limit)


@pytest.fixture
def half(source: SqliteGraph, target: SqliteGraph) -> SqliteGraph:
    """The target of a copy that was stopped."""
    with pytest.raises(ConnectionError):
        copy(Breaking(source.path), target)
    return target


def test_a_copy_that_was_stopped_is_completed_by_the_next(source: SqliteGraph, half: SqliteGraph) -> None:
    there = half.digests()

    assert {} != there.items() < source.digests().items()
    assert copy(source, half).checksum == checksum(source)
    assert half.digests() == source.digests()


def test_half_a_copy_is_taken_for_none(source: SqliteGraph, half: SqliteGraph, tmp_path: Path) -> None:
    before = half.digests()
    with pytest.raises(StoreBusy, match="not finished") as told:
        pipeline.ingest(LISTS[:1], fakes.stores(half.path.parent), fakes.vocabulary())
    with pytest.raises(StoreBusy, match="not finished"):
        copy(half, SqliteGraph(tmp_path / "third.db"))

    assert "warpath copy" in told.value.hint
    assert half.digests() == before


def test_a_whole_copy_takes_new_lists(source: SqliteGraph, target: SqliteGraph) -> None:
    copy(source, target)
    report = pipeline.ingest(
        [fakes.small_list("new.md", "page1", "new")], fakes.stores(target.path.parent), fakes.vocabulary()
    )

    assert report.embedded == 2  # the new page, and one of which a new list speaks
    assert report.resources == source.counts().nodes["Resource"] + 1


def test_a_copy_of_what_is_there_already_writes_nothing(source: SqliteGraph, target: SqliteGraph) -> None:
    first, stamp = copy(source, target), target.facts()["stamp"]

    assert copy(source, target) == first
    assert target.facts()["stamp"] == stamp


def test_a_copy_makes_of_any_store_what_the_source_is(source: SqliteGraph, target: SqliteGraph) -> None:
    copy(source, target)
    page, other = list(target.vectors("Resource"))[:2]
    strays = (Node("a stray", "Topic", "stray"), Node("z stray", "Source", "stray"))
    target.write(
        Changes(
            nodes=(*strays, Node(page, "Resource", "renamed")),
            edges=(Edge("a stray", "PART_OF", "z stray"), Edge("z stray", "MENTIONS", page)),
            vectors={"a stray": Vector("stray", b""), other: Vector("stray", b"1234"), "topic:tiling": Vector("", b"")},
            gone_edges=(source.read([page]).edges[0].key,),
            facts={"built": "stray", "stray": "stray"},
        ),
        expect=target.facts()["stamp"],
    )
    copy(source, target)

    assert fakes.contents(target) == fakes.contents(source)
    assert {**source.facts(), "stray": "", UNFINISHED: "", "stamp": ""} == {**target.facts(), "stamp": ""}


def test_a_vector_that_only_the_target_has_goes_and_its_node_stays(source: SqliteGraph, target: SqliteGraph) -> None:
    copy(source, target)
    target.write(
        Changes(vectors={"source:list1.md": Vector("stray", b"1234")}, nodes=()), expect=target.facts()["stamp"]
    )
    copy(source, target)

    assert fakes.contents(target) == fakes.contents(source)


class Restless(SqliteGraph):
    """A store that another process writes to while it is read."""

    portions = 4

    def edges(self, *, after: str, limit: int) -> Sequence[Edge]:
        self.portions -= 1
        if not self.portions:
            self.write(Changes(nodes=(Node("topic:new", "Topic", "new"),)), expect=self.facts()["stamp"])
        return super().edges(after=after, limit=limit)


def test_a_source_that_changes_while_it_is_copied_ends_the_copy(source: SqliteGraph, target: SqliteGraph) -> None:
    with pytest.raises(StoreChanged, match="the source"):
        copy(Restless(source.path), target)
    assert target.facts()[UNFINISHED]
    copy(source, target)

    assert "topic:new" in target.digests()
    assert target.digests() == source.digests()


def test_a_target_that_another_writes_to_ends_the_copy(source: SqliteGraph, target: SqliteGraph) -> None:
    with pytest.raises(StoreChanged):
        copy(source, Restless(target.path))


def test_the_index_of_a_copy_answers(source: SqliteGraph, target: SqliteGraph) -> None:
    copy(source, target)
    with closing(fakes.library(target.path.parent)) as library:
        assert library.status().index_ready


def test_half_a_copy_answers_nothing(source: SqliteGraph, target: SqliteGraph) -> None:
    with pytest.raises(StoreChanged):
        copy(Restless(source.path), target)
    with closing(fakes.library(target.path.parent)) as library, pytest.raises(StoreBusy, match="not finished"):
        library.topics()
    with closing(fakes.library(target.path.parent)) as library, pytest.raises(StoreBusy, match="not finished"):
        library.search(SearchRequest(query="page"))
