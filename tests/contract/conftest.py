"""Every store that the contract suite runs on, by the name that its parameters use."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from graph.ports import VectorStore
from graph.stores.neo4j_graph import Neo4jGraph
from graph.stores.qdrant_edge import QdrantEdge
from graph.stores.sqlite_graph import SqliteGraph
from tests import servers


@pytest.fixture
def open_sqlite(tmp_path: Path) -> Callable[[], SqliteGraph]:
    """Opens handles on one new file."""
    return lambda: SqliteGraph(tmp_path / "warpath.db")


@pytest.fixture
def open_neo4j(neo4j: servers.Neo4jServer) -> Iterator[Callable[[], Neo4jGraph]]:
    """Opens handles on one emptied server."""
    neo4j.empty()
    with ExitStack() as opened:

        def open_graph() -> Neo4jGraph:
            graph = Neo4jGraph(neo4j.uri, neo4j.user, neo4j.password)
            opened.callback(graph.close)
            return graph

        yield open_graph


@pytest.fixture
def open_edge(tmp_path: Path) -> Callable[[int], VectorStore]:
    """Opens the index of one new folder."""
    return lambda dimension: QdrantEdge(tmp_path / "index", dimension)


@pytest.fixture
def open_qdrant() -> Iterator[Callable[[int], VectorStore]]:
    """Opens handles on one new index of a server, or of what stands in for one."""
    opened = servers.open_qdrant(f"test-{uuid.uuid4().hex}")
    yield opened
    servers.clear(opened(1))
