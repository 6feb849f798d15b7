"""What the adapters of servers promise beyond the contract of all stores."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from neo4j import GraphDatabase

from graph.errors import StoreError, StoreOutdated, StoreUnavailable
from graph.models import EdgeType, Label
from graph.ports import GraphStore, Point, Sparse
from graph.records import Changes, Edge, Node, Vector
from graph.stores import neo4j_statements as cypher
from graph.stores.neo4j_graph import Limits, Neo4jGraph
from graph.stores.qdrant_server import ABANDONED, QdrantServer
from graph.stores.sqlite_graph import SqliteGraph
from tests.servers import Neo4jServer, OwnNeo4j

PAGE = Node("page", "Resource", "A page", {"url": "https://example.org", "kind": "blog", "urls": [], "level": 2**70})
TOPIC = Node("topic:a", "Topic", "A", {"level": 2})
QUICK = Limits(connect=1, acquire=1, retry=1)

OpenGraph = Callable[[], Neo4jGraph]
OpenIndex = Callable[[int], QdrantServer]


def write(graph: GraphStore, changes: Changes) -> str:
    return graph.write(changes, expect=graph.facts()["stamp"])


def ask(server: Neo4jServer, statement: str, **parameters: object) -> list[list[object]]:
    """What a person would see who queries the graph."""
    with GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
        return [list(record) for record in driver.execute_query(statement, parameters_=parameters).records]


def nobody() -> str:
    """An address at which nothing listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{one.getsockname()[1]}"


def test_people_find_labels_types_and_plain_properties(neo4j: Neo4jServer, open_neo4j: OpenGraph) -> None:
    write(open_neo4j(), Changes((PAGE, TOPIC), (Edge("page", "COVERS", "topic:a", {"confidence": 0.9}),)))
    found = ask(
        neo4j,
        "MATCH (p:Resource)-[c:COVERS]->(t:Topic {name: 'A'})"
        " RETURN p.name, p.url, p.kind, p.level, t.level, c.confidence",
    )

    assert found == [["A page", "https://example.org", "blog", None, 2, 0.9]]


def test_a_node_that_becomes_another_kind_loses_the_old_label_and_the_old_properties(
    neo4j: Neo4jServer, open_neo4j: OpenGraph
) -> None:
    graph = open_neo4j()
    write(graph, Changes((PAGE,), vectors={"page": Vector("digest", b"1234")}))
    write(graph, Changes((Node("page", "Person", "Ann"),)))

    assert ask(neo4j, "MATCH (n:Entity) RETURN labels(n), n.name, n.url") == [[["Entity", "Person"], "Ann", None]]
    assert graph.vectors() == {"page": Vector("digest", b"1234")}


def test_migrations_are_recorded_once(neo4j: Neo4jServer, open_neo4j: OpenGraph) -> None:
    for _ in range(2):
        open_neo4j().facts()
    recorded = ask(neo4j, "MATCH (m:Migration) RETURN m.number, m.name ORDER BY m.number")

    assert recorded == [[migration.number, migration.name] for migration in cypher.MIGRATIONS]


def test_edges_of_an_older_version_are_weighed_when_it_is_opened(neo4j: Neo4jServer, open_neo4j: OpenGraph) -> None:
    edge = Edge(PAGE.id, "COVERS", TOPIC.id, {"confidence": 0.9, "likeness": 0.5})
    write(open_neo4j(), Changes((PAGE, TOPIC), (edge,)))
    ask(neo4j, "MATCH (m:Migration {number: 2}) DELETE m")
    ask(neo4j, "MATCH ()-[r:COVERS]->() REMOVE r.topic, r.weight, r.resource")

    assert open_neo4j().strongest([TOPIC.id], 1) == [edge]


def test_the_strongest_edges_are_found_without_looking_at_the_others(neo4j: Neo4jServer, open_neo4j: OpenGraph) -> None:
    graph, pages = open_neo4j(), [Node(f"page{number}", "Resource", "") for number in range(3000)]
    write(graph, Changes((TOPIC, *pages), tuple(Edge(page.id, "COVERS", TOPIC.id) for page in pages)))
    with GraphDatabase.driver(neo4j.uri, auth=(neo4j.user, neo4j.password)) as driver:
        asked = driver.execute_query(f"PROFILE {cypher.STRONGEST_EDGES}", targets=[TOPIC.id], limit=5)

    assert len(asked.records) == 5
    assert 0 < touched(asked.summary.profile) < 100


def touched(plan: dict[str, Any] | None) -> int:
    """How often a statement has looked into the database."""
    return plan["args"].get("DbHits", 0) + sum(map(touched, plan.get("children", ()))) if plan else 0


def test_a_graph_of_a_newer_version_is_left_alone(neo4j: Neo4jServer, open_neo4j: OpenGraph) -> None:
    ask(neo4j, "CREATE (:Migration {number: 999})")

    with pytest.raises(StoreOutdated, match="newer version"):
        open_neo4j().facts()


def test_a_write_of_many_edges_of_one_node_and_their_replacement_come_through(open_neo4j: OpenGraph) -> None:
    graph = open_neo4j()
    pages = [Node(f"page{number}", "Resource", "") for number in range(6000)]
    edges = [Edge(page.id, "COVERS", TOPIC.id) for page in pages]
    write(graph, Changes((TOPIC, *pages), tuple(edges)))
    write(graph, Changes(edges=tuple(Edge(edge.source, "COVERS", TOPIC.id, {"reason": "new"}) for edge in edges)))
    held = graph.read([TOPIC.id])

    assert len(held.edges) == 6000
    assert {edge.body["reason"] for edge in held.edges} == {"new"}


def test_what_belongs_to_no_node_is_refused_in_a_sentence(open_neo4j: OpenGraph) -> None:
    graph = open_neo4j()
    before = graph.facts()
    with pytest.raises(StoreError, match="not stored"):
        write(graph, Changes((PAGE,), vectors={"nobody": Vector("digest", b"1234")}))

    assert (graph.facts(), graph.digests()) == (before, {})


def test_a_wrong_password_is_told_without_telling_it(neo4j: Neo4jServer) -> None:
    with (
        closing(Neo4jGraph(neo4j.uri, neo4j.user, "not-the-password")) as graph,
        pytest.raises(StoreUnavailable) as told,
    ):
        graph.facts()

    assert "does not accept this user" in told.value.message
    assert "not-the-password" not in str(told.value) + told.value.hint


def test_a_wrong_database_is_told_by_its_name(neo4j: Neo4jServer) -> None:
    with (
        closing(Neo4jGraph(neo4j.uri, neo4j.user, neo4j.password, database="nowhere")) as graph,
        pytest.raises(StoreUnavailable, match="no database called “nowhere”"),
    ):
        graph.facts()


@pytest.mark.parametrize("scheme", ["neo4j", "bolt"])
def test_a_graph_server_that_is_away_is_told_when_it_is_asked(scheme: str) -> None:
    with (
        closing(Neo4jGraph(f"{scheme}://{nobody()}", "neo4j", "secret", limits=QUICK)) as graph,
        pytest.raises(StoreUnavailable, match="does not answer"),
    ):
        graph.facts()


def test_an_address_that_is_none_is_told_without_its_password() -> None:
    with pytest.raises(StoreUnavailable, match="http://host is no address") as told:
        Neo4jGraph("http://user:secret@host", "neo4j", "secret")

    assert "secret" not in str(told.value)


@pytest.mark.slow
def test_a_graph_server_that_comes_back_is_used_again(neo4j: Neo4jServer, open_neo4j: OpenGraph) -> None:
    if not isinstance(neo4j, OwnNeo4j):
        pytest.skip("A server that was given is not stopped.")
    write(open_neo4j(), Changes((PAGE,)))
    with closing(Neo4jGraph(neo4j.uri, neo4j.user, neo4j.password, limits=QUICK)) as graph:
        graph.facts()
        neo4j.stop()
        with pytest.raises(StoreUnavailable, match="does not answer"):
            graph.facts()
        neo4j.start()
        held = graph.read(["page"]).nodes

    assert held == {"page": PAGE}


ids = st.sampled_from("abcde")
labels: st.SearchStrategy[Label] = st.sampled_from(get_args(Label))
types: st.SearchStrategy[EdgeType] = st.sampled_from(get_args(EdgeType))
values = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5))
bodies = st.dictionaries(
    st.sampled_from(["url", "kind", "level", "confidence", "likeness", "nested", "authors", "id"]),
    values | st.lists(values, max_size=2) | st.dictionaries(st.text(max_size=3), values, max_size=2),
    max_size=3,
)
texts = st.text(st.characters(codec="utf-8"), max_size=8)
nodes = st.builds(Node, ids, labels, texts, bodies)
edges = st.builds(Edge, ids, types, ids, bodies, st.sampled_from(["", "1:0"]))
changes = st.builds(
    Changes,
    nodes=st.lists(nodes, max_size=6).map(tuple),
    edges=st.lists(edges, max_size=6).map(tuple),
    gone_nodes=st.lists(ids, max_size=2).map(tuple),
    gone_edges=st.lists(edges.map(lambda edge: edge.key), max_size=2).map(tuple),
    vectors=st.dictionaries(ids, st.builds(Vector, texts, st.binary(max_size=8)), max_size=3),
    facts=st.dictionaries(st.sampled_from(["model", "built", "stamp"]), texts, max_size=2),
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(changes, max_size=5))
def test_any_batches_leave_both_graphs_with_the_same_answers(
    open_neo4j: OpenGraph, open_sqlite: Callable[[], SqliteGraph], batches: list[Changes]
) -> None:
    graphs: tuple[GraphStore, GraphStore] = (open_sqlite(), open_neo4j())
    everyone = tuple(Node(id, "Topic", id) for id in "abcde")
    for graph in graphs:
        write(graph, Changes(gone_edges=tuple(key for key in graph.digests() if "\t" in key)))
        write(graph, Changes(gone_nodes=tuple(graph.digests()), facts={"model": "", "built": ""}))
        write(graph, Changes(everyone))
    for batch in batches:
        embedded, server = (outcome(graph, batch) for graph in graphs)

        assert embedded == server


def outcome(graph: GraphStore, batch: Changes) -> Mapping[str, object]:
    """Whether a write was taken, and what every read says after it."""
    try:
        refused = not write(graph, batch)
    except StoreError:
        refused = True
    everything = graph.select(*get_args(Label))
    return {
        "refused": refused,
        "facts": {name: value for name, value in graph.facts().items() if name != "stamp"},
        "reads": [
            (held.nodes, held.edges) for held in (graph.read(["a", "c", "x"]), graph.read(["b"]), graph.read([]))
        ],
        "selected": [(held.nodes, held.edges) for held in (everything, graph.select("Topic", "Resource"))],
        "digests": dict(graph.digests()),
        "strongest": [graph.strongest(list("abcde"), limit) for limit in (1, 9)],
        "ids": graph.ids("Resource", after="a", limit=2),
        "in order": (graph.nodes(after="a", limit=2), graph.edges(after="b", limit=3)),
        "counts": graph.counts(),
        "vectors": [dict(graph.vectors()), dict(graph.vectors("Topic")), dict(graph.vectors_of(["a", "e"]))],
    }


def point(id: str) -> Point:
    return Point(id, np.array([1.0, 0.0], np.float32), Sparse((), ()), Sparse((), ()), {"kind": "blog"})


def collections(index: QdrantServer) -> list[str]:
    return [one.name for one in index.client.get_collections().collections if one.name.startswith(index.alias)]


def test_a_rebuilt_index_leaves_one_collection_behind_the_alias(open_qdrant: OpenIndex) -> None:
    index = open_qdrant(2)
    for number in range(3):
        index.rebuild([point("a")], str(number))

    assert len(collections(index)) == 1
    assert index.client.collection_exists(index.alias)


def test_searches_see_the_old_index_until_the_new_one_is_whole(open_qdrant: OpenIndex) -> None:
    index, other = open_qdrant(2), open_qdrant(2)
    seen: list[str | None] = []
    index.rebuild([point("a")], "old")
    index.rebuild((seen.append(other.stamp()) or point(id) for id in "ab"), "new")  # type: ignore[func-returns-value]

    assert seen == ["old", "old"]
    assert other.stamp() == "new"


def test_a_rebuild_that_fails_leaves_the_old_index_and_nothing_else(open_qdrant: OpenIndex) -> None:
    index = open_qdrant(2)
    index.rebuild([point("a")], "old")
    with pytest.raises(ZeroDivisionError):
        index.rebuild((point(str(1 // number)) for number in (1, 0)), "new")

    assert index.stamp() == "old"
    assert len(collections(index)) == 1


def test_a_change_that_a_rebuild_overtakes_comes_to_nothing(open_qdrant: OpenIndex) -> None:
    slow, quick = open_qdrant(2), open_qdrant(2)
    slow.rebuild([point("a")], "one")

    def meanwhile() -> list[Point]:
        quick.rebuild([point("b")], "three")
        return [point("c")]

    slow.apply((made for step in (meanwhile,) for made in step()), [], "two")

    assert slow.stamp() == "three"
    assert len(collections(slow)) == 1


def test_what_a_dead_process_left_is_cleared_away_after_a_day(open_qdrant: OpenIndex) -> None:
    index = open_qdrant(2)
    made = index.client.create_collection
    made(f"{index.alias}-1", vectors_config={})
    made(f"{index.alias}-{10**19}", vectors_config={})
    index.rebuild([point("a")], "one")

    assert f"{index.alias}-1" not in collections(index)
    assert f"{index.alias}-{10**19}" in collections(index)
    assert ABANDONED == 86_400


def test_a_search_server_that_is_away_is_told_when_it_is_asked() -> None:
    with (
        closing(QdrantServer(f"http://{nobody()}", 2)) as index,
        pytest.raises(StoreUnavailable, match="does not answer"),
    ):
        index.stamp()


def test_an_address_that_is_no_search_server_is_told() -> None:
    with pytest.raises(StoreUnavailable, match="is no address of a Qdrant server"):
        QdrantServer("neo4j://host:7687", 2)
