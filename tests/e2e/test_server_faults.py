"""Servers with many writers, with writers that die, and servers that go away: nothing is lost, doubled or left over."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from api.app import create_app
from api.bootstrap import open_graph, open_index
from api.doctor import diagnose
from api.problems import MEDIA_TYPE
from api.settings import Settings
from graph import agreement, indexing
from graph.library import Library
from graph.ports import GraphStore
from graph.records import Changes
from graph.stores.neo4j_graph import Limits, Neo4jGraph
from graph.stores.qdrant_server import QdrantServer
from ingest import pipeline
from tests import fakes, servers
from tests.contract.test_server_adapters import nobody
from tests.e2e import server_worker

ROOT = Path(__file__).parents[2]
WORKERS = 4
QUICK = Limits(connect=1, acquire=1, retry=1)


@pytest.fixture
def settings(neo4j: servers.Neo4jServer, tmp_path: Path) -> Iterator[Settings]:
    """An emptied Neo4j; the index on a Qdrant server where one is given, else in a folder."""
    neo4j.empty()
    made = Settings(
        data=tmp_path,
        graph=neo4j.uri,
        graph_user=neo4j.user,
        graph_password=neo4j.password,
        vectors=os.environ.get(servers.QDRANT),
        vectors_name=f"test-{uuid.uuid4().hex}",
    )
    yield made
    if made.vectors:
        servers.clear(QdrantServer(made.vectors, 1, alias=made.vectors_name))


def start(settings: Settings, *arguments: str) -> subprocess.Popen[str]:
    """A worker on the same servers."""
    given = settings.model_dump(mode="json", exclude_defaults=True)
    given["graph_password"] = settings.graph_password.get_secret_value()
    return subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.server_worker", *arguments],
        cwd=ROOT,
        env=os.environ | {f"WARPATH_{name.upper()}": str(value) for name, value in given.items()},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_four_processes_that_ingest_overlapping_lists_leave_what_one_would(settings: Settings, tmp_path: Path) -> None:
    workers = [start(settings, str(number)) for number in range(WORKERS)]
    failures = [worker.communicate(timeout=300)[1] for worker in workers]
    alone = fakes.stores(tmp_path / "alone", index=fakes.FakeIndex())
    for number in range(WORKERS):
        pipeline.ingest(server_worker.lists_of(number), alone, fakes.vocabulary())

    assert failures == [""] * WORKERS
    assert contents(open_graph(settings)) == contents(alone.graph)
    assert mended(settings)
    assert orphans(settings) == 0


def contents(graph: GraphStore) -> tuple[object, ...]:
    """All that a store holds, facts apart."""
    held = fakes.whole(graph)
    return dict(held.nodes), {edge.key: edge for edge in held.edges}, dict(graph.vectors())


@pytest.mark.parametrize("kills", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_doctor_mends_what_a_process_killed_between_the_two_writes_leaves(settings: Settings, kills: int) -> None:
    chance = random.Random(kills)
    with start(settings) as nursery:
        for number in range(kills):
            assert nursery.stdin
            assert nursery.stdout
            print(number, chance.choice(server_worker.MOMENTS), file=nursery.stdin, flush=True)
            os.kill(int(nursery.stdout.readline()), signal.SIGKILL)

            assert mended(settings)
            assert orphans(settings) == 0
            assert f"round{number} in depth" in {one.name for one in fakes.whole(open_graph(settings)).nodes.values()}


def mended(settings: Settings) -> bool:
    """Whether doctor finds graph, vectors and index sound, or makes them so."""
    checks = {check.name: check for check in diagnose(settings).checks}
    return checks["stores"].ok and checks["vectors"].ok and checks["index"].ok


def orphans(settings: Settings) -> int:
    """Points and resources that have no counterpart, or another one than they should."""
    graph = open_graph(settings)
    facts = graph.facts()
    wanted = agreement.digests(indexing.points(fakes.whole(graph), graph.vectors()))
    with closing(open_index(settings, int(facts["dimension"]))) as index:
        assert index.stamp() == facts["stamp"]
        return len(dict(index.entries()).items() ^ wanted.items())


def test_doctor_takes_away_what_only_the_index_holds(settings: Settings) -> None:
    stores = pipeline.Stores(
        open_graph(settings), lambda dimension: open_index(settings, dimension), fakes.FakeEmbedder, "fake"
    )
    pipeline.ingest([fakes.small_list("a.md", "tiling", "GEMM")], stores, fakes.vocabulary())
    graph = stores.graph
    id = next(node.id for node in graph.select("Resource").nodes.values())
    keys = [edge.key for edge in graph.read([id]).edges]
    stamp = graph.write(Changes(gone_edges=tuple(keys), gone_nodes=(id,)), expect=graph.facts()["stamp"])
    with closing(stores.index(fakes.DIMENSION)) as index:
        index.apply((), (), stamp)  # as if the change had been the index's own

    told = next(check.detail for check in diagnose(settings).checks if check.name == "index")

    assert "1 orphans" in told
    assert orphans(settings) == 0


def test_passwords_are_never_shown(settings: Settings) -> None:
    secret = settings.graph_password.get_secret_value()
    wrong = settings.model_copy(update={"graph_database": "none"})

    assert secret not in f"{settings!r} {settings.model_dump_json()} {diagnose(wrong)!r}"


def served(library: Library) -> TestClient:
    return TestClient(create_app(library), raise_server_exceptions=False)


def away(answer: httpx.Response, server: str) -> bool:
    """Whether an answer says that a server is away, and when to ask again."""
    told: dict[str, Any] = answer.json()
    return (
        answer.status_code == told["status"] == 503
        and answer.headers["content-type"] == MEDIA_TYPE
        and int(answer.headers["retry-after"]) > 0
        and server in told["detail"]
    )


def test_a_service_outlives_its_graph_server_and_finds_it_again(neo4j: servers.Neo4jServer, tmp_path: Path) -> None:
    if not isinstance(neo4j, servers.OwnNeo4j):
        pytest.skip("A server that was given is not stopped.")
    neo4j.empty()
    graphs = [Neo4jGraph(neo4j.uri, neo4j.user, neo4j.password, limits=QUICK) for _ in range(2)]
    stores = fakes.stores(tmp_path)
    pipeline.ingest(
        [fakes.small_list("a.md", "tiling")],
        pipeline.Stores(graphs[0], stores.index, stores.embedder, stores.model),
        fakes.vocabulary(),
    )
    running, started_meanwhile = (served(Library(graph, stores.index, fakes.fake_of)) for graph in graphs)
    assert running.get("/readyz").status_code == 200
    neo4j.stop()
    for client in (running, started_meanwhile):
        assert client.get("/healthz").status_code == 200
        assert away(client.get("/readyz"), "Neo4j server")
        assert away(client.get("/v1/search?q=tiling"), "Neo4j server")
    neo4j.start()
    for client in (running, started_meanwhile):
        assert client.get("/readyz").status_code == 200
        assert client.get("/v1/search?q=tiling").json()["hits"]
        client.app.state.library.close()  # type: ignore[attr-defined]


def test_a_service_says_that_its_search_server_is_away(starter_folder: Path) -> None:
    place = nobody()
    graph = fakes.stores(starter_folder).graph
    client = served(Library(graph, lambda dimension: QdrantServer(f"http://{place}", dimension), fakes.fake_of))

    assert client.get("/healthz").status_code == 200
    assert away(client.get("/readyz"), f"Qdrant server {place}")
    assert client.get("/v1/topics").status_code == 200
