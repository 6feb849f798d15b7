"""The same answers over embedded stores and over servers: a real Neo4j, and Qdrant where one is given.

Without a Qdrant server qdrant-client's local mode stands in for it, see tests/servers.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from graph.errors import StoreChanged, StoreEmpty, WarpathError
from graph.library import Library
from graph.models import CopyReport, Hit, PathRequest, SearchRequest
from graph.records import Changes, Node
from graph.stores.neo4j_graph import Neo4jGraph
from graph.stores.sqlite_graph import SqliteGraph
from ingest.copy import checksum
from ingest.copy import copy as copied
from tests import fakes, servers

ROOT = Path(__file__).parents[2]
QUERIES, GOALS, PAGES = 200, 50, 60
TIE = 1e-5  # scores of single precision that differ by less are equal


@dataclass
class Both:
    """One library over embedded stores, one over servers, with the same data."""

    embedded: Library
    served: Library
    report: CopyReport


@pytest.fixture(scope="module")
def both(starter: Library, starter_folder: Path, neo4j: servers.Neo4jServer) -> Iterator[Both]:
    neo4j.empty()
    graph = Neo4jGraph(neo4j.uri, neo4j.user, neo4j.password)
    open_index = servers.open_qdrant("test-equality")
    report = copied(SqliteGraph(starter_folder / "warpath.db"), graph, open_index)
    with closing(graph), closing(Library(graph, open_index, fakes.fake_of)) as served:
        yield Both(starter, served, report)
    servers.clear(open_index(1))


def canonical(answer: BaseModel) -> str:
    """An answer as JSON that is equal where answers are. Scores apart: the engines add in different orders."""
    return json.dumps(_without_scores(answer.model_dump(mode="json")), sort_keys=True, indent=1)


def _without_scores(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_scores(inner) for name, inner in value.items() if name != "score"}
    return [_without_scores(inner) for inner in value] if isinstance(value, list) else value


def test_a_copy_counts_what_has_arrived(both: Both, starter_folder: Path) -> None:
    graph = SqliteGraph(starter_folder / "warpath.db")
    status = both.embedded.status()

    assert both.report.entries == status.nodes["Resource"]
    assert both.report.nodes == sum(status.nodes.values())
    assert both.report.edges == sum(status.edges.values())
    assert both.report.vectors == graph.counts().vectors
    assert both.report.checksum == checksum(graph)


def test_200_queries_have_equal_answers(both: Both) -> None:
    asks = [ask for topic in both.embedded.curriculum.topics.values() for ask in topic.asks]
    titles = [resource.title for resource in both.embedded.export()]
    asked = [*spread(asks, QUERIES // 2), *spread(titles, QUERIES // 2)]

    assert len(asked) == QUERIES
    for query in asked:
        request = SearchRequest(query=query[:500])
        embedded, served = both.embedded.search(request), both.served.search(request)

        assert served.abstain == embedded.abstain
        assert [hit.score for hit in served.hits] == pytest.approx([hit.score for hit in embedded.hits], abs=TIE)
        assert disagreements(served.hits, embedded.hits) == []


def disagreements(some: Sequence[Hit], others: Sequence[Hit]) -> list[str]:
    """Titles of hits that the others have otherwise, lack though they do not tie for the last place, or have in another
    order though they do not tie."""
    there = {hit.id: hit for hit in others}
    common = [hit for hit in some if hit.id in there]
    lacking = [hit for hit in some if hit.id not in there and hit.score > others[-1].score + TIE]
    altered = [hit for hit in common if hit != there[hit.id].model_copy(update={"score": hit.score})]
    place = {hit.id: number for number, hit in enumerate(others)}
    swapped = [
        hit
        for hit, after in pairwise(common)
        if place[hit.id] > place[after.id] and abs(there[hit.id].score - there[after.id].score) > TIE
    ]
    return [hit.title for hit in (*lacking, *altered, *swapped)]


def test_50_goals_have_equal_paths(both: Both) -> None:
    topics = spread(sorted(both.embedded.curriculum.topics), GOALS)
    for number, topic in enumerate(topics):
        request = PathRequest(goal=topic, hardware=(None, "h100", "mi300x")[number % 3], hours=(None, 40)[number % 2])

        assert planned(both.served, request) == planned(both.embedded, request)


def planned(library: Library, request: PathRequest) -> str:
    """The path, or why there is none."""
    try:
        return canonical(library.plan(request))
    except WarpathError as error:
        return error.message


def test_pages_are_equal(both: Both) -> None:
    for library in (both.embedded, both.served):
        assert library.status().index_ready
    for id in spread([resource.id for resource in both.embedded.export()], PAGES):
        assert canonical(both.served.resource(id)) == canonical(both.embedded.resource(id))
    for slug in spread(sorted(both.embedded.curriculum.topics), PAGES // 3):
        assert canonical(both.served.topic(slug)) == canonical(both.embedded.topic(slug))
    for pages in ("export", "topics", "hardware", "sources", "devlog"):
        embedded, served = (list(map(canonical, getattr(one, pages)())) for one in (both.embedded, both.served))

        assert served == embedded


def spread(things: list[str], count: int) -> list[str]:
    """So many of the things, evenly over all."""
    return [things[n * len(things) // count] for n in range(count)]


def test_a_copy_goes_back_the_way_it_came(both: Both, neo4j: servers.Neo4jServer, tmp_path: Path) -> None:
    target = SqliteGraph(tmp_path / "warpath.db")
    target.write(Changes(nodes=(Node("stray", "Topic", "stray"),)), expect=target.facts()["stamp"])
    with closing(Neo4jGraph(neo4j.uri, neo4j.user, neo4j.password)) as graph:
        report = copied(graph, target, fakes.stores(tmp_path).index)  # type: ignore[arg-type]

    assert report == both.report
    with closing(fakes.library(tmp_path)) as library:
        assert library.status().index_ready


def test_an_empty_store_is_not_copied(tmp_path: Path) -> None:
    with pytest.raises(StoreEmpty):
        copied(SqliteGraph(tmp_path / "a.db"), SqliteGraph(tmp_path / "b.db"), fakes.stores(tmp_path).index)  # type: ignore[arg-type]


def test_a_source_that_changes_while_it_is_copied_is_told(starter_folder: Path, tmp_path: Path) -> None:
    class Restless(SqliteGraph):
        def facts(self) -> dict[str, str]:
            return {**super().facts(), "stamp": os.urandom(4).hex()}

    source = Restless(starter_folder / "warpath.db")
    with pytest.raises(StoreChanged):
        copied(source, SqliteGraph(tmp_path / "b.db"), fakes.stores(tmp_path).index)  # type: ignore[arg-type]


def test_commands_give_the_same_over_servers(
    both: Both, neo4j: servers.Neo4jServer, starter_folder: Path, tmp_path: Path
) -> None:
    here = {"WARPATH_DATA": str(starter_folder)}
    there = server_settings(neo4j, tmp_path)

    assert warpath(there, "export") == warpath(here, "export")

    copy = json.loads(warpath({**there, **here}, "copy", "--to", str(tmp_path / "copy")))

    assert copy == both.report.model_dump(mode="json")
    assert neo4j.password not in warpath(there, "status")


def server_settings(neo4j: servers.Neo4jServer, data: Path) -> dict[str, str]:
    """What points a command at the server."""
    return {
        "WARPATH_DATA": str(data),
        "WARPATH_GRAPH": neo4j.uri,
        "WARPATH_GRAPH_USER": neo4j.user,
        "WARPATH_GRAPH_PASSWORD": neo4j.password,
    }


def warpath(settings: dict[str, str], *command: str) -> str:
    """What a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "api.cli", *command, "--json"],
        cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_ingest_search_path_and_doctor_work_over_servers_with_the_real_model(
    neo4j: servers.Neo4jServer, tmp_path: Path
) -> None:
    neo4j.empty()
    settings = server_settings(neo4j, tmp_path)
    warpath(settings, "ingest")

    assert json.loads(warpath(settings, "doctor"))["ok"]
    assert warpath(settings, "search", "tiled matmul")
    assert warpath(settings, "path", "flash-attention")
