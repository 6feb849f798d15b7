"""What every graph store promises. One suite; a new adapter is one more parameter of `open_graph`."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.errors import StoreChanged, StoreError
from graph.models import EdgeType, Label
from graph.portions import portions
from graph.ports import GraphStore
from graph.records import Changes, Counts, Edge, Node, Vector

LABELS: tuple[Label, ...] = get_args(Label)
# Text that a store must keep as it is: quotes of every query language, controls, scripts, sheer length.
HARD_TEXTS = (
    "'; DROP TABLE node; --",
    '"}) DETACH DELETE n //',
    "$param :label `tick` {brace} %s ?1",
    "tab\there, line\nend, return\r",
    "🧮 日本語 العربية e\u0301 \u00e9 \u202e",
    "",
    "long " * 20_000,
)
HARD_VALUES = {
    "none": None,
    "no": False,
    "zero": 0,
    "big": 2**53,
    "tenth": 0.1,
    "nested": {"a": [1, {"b": []}]},
    "": "",
}
A, B, C = (Node(f"topic:{name}", "Topic", name.upper(), {"level": level}) for level, name in enumerate("abc", 1))
LIST = Node("source:list.md", "Source", "A list")
PAGE = Node("3f0c0c1e-0000-5000-8000-000000000001", "Resource", "A page", {"url": None, "urls": [], "kind": "blog"})
B_NEEDS_A, C_NEEDS_B = Edge(B.id, "REQUIRES", A.id, {"reason": "why"}), Edge(C.id, "REQUIRES", B.id)

Open = Callable[[], GraphStore]


@pytest.fixture(params=["sqlite", "neo4j"])
def open_graph(request: pytest.FixtureRequest) -> Open:
    """Opens one more handle on one store, which is empty at first."""
    opened: Open = request.getfixturevalue(f"open_{request.param}")
    return opened


@pytest.fixture
def graph(open_graph: Open) -> GraphStore:
    return open_graph()


def write(graph: GraphStore, *records: Node | Edge, **more: object) -> str:
    """Writes nodes and edges over whatever is stored."""
    nodes = tuple(record for record in records if isinstance(record, Node))
    edges = tuple(record for record in records if isinstance(record, Edge))
    return graph.write(Changes(nodes, edges, **more), expect=graph.facts()["stamp"])  # type: ignore[arg-type]


def keys(graph: GraphStore) -> set[str]:
    return set(graph.digests())


def vector(*rows: float) -> Vector:
    return Vector("digest", np.array(rows, dtype="<f4").tobytes())


def test_a_new_store_has_a_stamp_and_nothing_else(graph: GraphStore) -> None:
    held = graph.select(*LABELS)

    assert graph.facts()["stamp"]
    assert (held.nodes, held.edges, graph.digests(), graph.vectors()) == ({}, (), {}, {})


def test_what_is_written_is_read_back(graph: GraphStore) -> None:
    write(graph, A, B, B_NEEDS_A, vectors={A.id: vector(1, 2), B.id: vector(3, 4, 5, 6)}, facts={"model": "m"})
    held = graph.select("Topic")

    assert held.nodes == {A.id: A, B.id: B}
    assert held.edges == (B_NEEDS_A,)
    assert graph.vectors() == {A.id: vector(1, 2), B.id: vector(3, 4, 5, 6)}
    assert graph.facts()["model"] == "m"


def test_a_second_handle_reads_what_the_first_wrote(open_graph: Open) -> None:
    first, second = open_graph(), open_graph()
    stamp = write(first, A)

    assert second.facts()["stamp"] == stamp
    assert second.select("Topic").nodes == {A.id: A}


def test_a_store_that_is_opened_again_holds_what_it_held(open_graph: Open) -> None:
    stamp = write(open_graph(), A)
    again = open_graph()

    assert again.facts()["stamp"] == stamp
    assert keys(again) == {A.id}


@pytest.mark.parametrize("text", HARD_TEXTS, ids=range(len(HARD_TEXTS)))
def test_text_comes_back_as_it_was(graph: GraphStore, text: str) -> None:
    node = Node(f"source:{text.replace(chr(9), ' ')[:900]}", "Source", text, {text[:100]: text, **HARD_VALUES})
    edge = Edge(node.id, "MENTIONS", PAGE.id, {"note": text, **HARD_VALUES}, "1:0")
    write(graph, node, PAGE, edge, facts={"note": text})
    held = graph.read([node.id])

    assert held.nodes[node.id] == node
    assert held.edges == (edge,)
    assert graph.facts()["note"] == text
    assert graph.digests() == {record.key: record.digest() for record in (node, PAGE, edge)}


def test_numbers_keep_their_kind(graph: GraphStore) -> None:
    write(graph, Node("topic:n", "Topic", "n", {"whole": 1, "real": 1.0, "yes": True}))
    body = graph.read(["topic:n"]).nodes["topic:n"].body

    assert [type(body[name]) for name in ("whole", "real", "yes")] == [int, float, bool]


def test_reading_gives_the_edges_that_touch_a_node_and_the_nodes_at_their_other_ends(graph: GraphStore) -> None:
    write(graph, A, B, C, LIST, B_NEEDS_A, C_NEEDS_B)

    assert set(graph.read([B.id]).nodes) == {A.id, B.id, C.id}
    assert sorted(graph.read([B.id]).edges, key=lambda edge: edge.key) == [B_NEEDS_A, C_NEEDS_B]
    assert graph.read([A.id]).edges == (B_NEEDS_A,)
    assert set(graph.read([A.id]).nodes) == {A.id, B.id}


def test_an_edge_between_two_nodes_that_are_read_comes_once(graph: GraphStore) -> None:
    write(graph, A, B, B_NEEDS_A, Edge(A.id, "LEARN_WITH", A.id))

    assert len(graph.read([A.id, B.id, A.id]).edges) == 2


def test_reading_what_is_not_there_gives_nothing(graph: GraphStore) -> None:
    write(graph, A)

    assert graph.read([]).nodes == graph.read(["topic:x", "", "\ud800", "'"]).nodes == {}


def test_thousands_of_nodes_are_read_in_one_go(graph: GraphStore) -> None:
    nodes = [Node(f"topic:{number}", "Topic", str(number)) for number in range(3000)]
    write(graph, *nodes)

    assert len(graph.read([node.id for node in nodes]).nodes) == 3000


def test_a_selection_holds_the_edges_among_its_labels_only(graph: GraphStore) -> None:
    mention, covers = Edge(LIST.id, "MENTIONS", PAGE.id, {}, "1:0"), Edge(PAGE.id, "COVERS", A.id)
    write(graph, LIST, PAGE, A, mention, covers)

    assert graph.select("Source", "Resource").edges == (mention,)
    assert set(graph.select("Resource", "Topic").nodes) == {PAGE.id, A.id}
    assert graph.select().nodes == {}


def covers(source: Node, target: Node, confidence: float = 0.5, likeness: float = 0.5) -> Edge:
    return Edge(source.id, "COVERS", target.id, {"confidence": confidence, "likeness": likeness})


def pages(count: int) -> list[Node]:
    return [Node(f"page{number}", "Resource", str(number)) for number in range(count)]


def test_the_strongest_edges_are_those_of_greatest_confidence_and_likeness(graph: GraphStore) -> None:
    sure, alike, neither, other = pages(4)
    edges = covers(sure, A, 0.9, 0.1), covers(alike, A, 0.5, 0.9), covers(neither, A, 0.5, 0.1), covers(other, B)
    write(graph, A, B, sure, alike, neither, other, *edges)

    assert graph.strongest([A.id], 2) == [edges[1], edges[0]]
    assert graph.strongest([B.id], 2) == [edges[3]]


def test_each_target_has_its_own_strongest_edges(graph: GraphStore) -> None:
    made = pages(9)
    edges = [covers(page, topic, likeness=number / 10) for number, page in enumerate(made) for topic in (A, B)]
    write(graph, A, B, *made, *edges)

    assert sorted(edge.key for edge in graph.strongest([B.id, A.id, A.id], 3)) == sorted(e.key for e in edges[-6:])


def test_of_equally_strong_edges_those_with_the_last_ids_come_first(graph: GraphStore) -> None:
    made = pages(5)
    write(graph, A, *made, *(covers(page, A) for page in made))

    assert [edge.source for edge in graph.strongest([A.id], 3)] == ["page4", "page3", "page2"]


def test_the_strongest_edges_are_those_of_resources_that_cover(graph: GraphStore) -> None:
    post, page, bare = Node("devlog_entry:d:1", "DevlogEntry", "Day 1"), *pages(2)
    named = Edge(page.id, "NAMES", A.id, {"confidence": 1.0})
    edges = covers(post, A, 1.0), named, covers(page, A, 0.1), Edge(bare.id, "COVERS", A.id)
    write(graph, A, post, page, bare, *edges)

    assert graph.strongest([A.id], 9) == [edges[2], edges[3]]


def test_the_strongest_edges_follow_what_is_written(graph: GraphStore) -> None:
    first, second, third = pages(3)
    write(graph, A, first, second, third, covers(first, A, 0.9), covers(second, A, 0.8), covers(third, A, 0.7))
    write(graph, covers(third, A, 1.0), gone_edges=(covers(first, A).key,))

    assert [edge.source for edge in graph.strongest([A.id], 9)] == [third.id, second.id]


def test_nothing_is_strongest_where_there_is_nothing(graph: GraphStore) -> None:
    write(graph, A, *pages(1), covers(*pages(1), A))

    assert graph.strongest([], 9) == graph.strongest(["topic:x", "", "\ud800"], 9) == []


def test_vectors_can_be_had_by_label(graph: GraphStore) -> None:
    write(graph, A, PAGE, vectors={A.id: vector(1), PAGE.id: vector(2)})

    assert graph.vectors("Topic") == {A.id: vector(1)}
    assert graph.vectors("Topic", "Resource") == graph.vectors()


def test_vectors_can_be_had_by_id(graph: GraphStore) -> None:
    write(graph, A, B, PAGE, vectors={A.id: vector(1), PAGE.id: vector(2)})

    assert graph.vectors_of([PAGE.id, B.id, "topic:x", "\ud800"]) == {PAGE.id: vector(2)}
    assert graph.vectors_of([]) == {}


def test_ids_come_in_order_so_many_at_a_time(graph: GraphStore) -> None:
    write(graph, LIST, PAGE, C, A, B)

    assert graph.ids("Topic", after="", limit=2) == [A.id, B.id]
    assert graph.ids("Topic", after=B.id, limit=2) == [C.id]
    assert graph.ids("Topic", after=C.id, limit=2) == graph.ids("Person", after="", limit=2) == []


def test_portions_hold_every_node_of_a_label_once(graph: GraphStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graph.portions.PORTION", 4)
    made = [Node(f"page{number}", "Resource", "") for number in range(10)]
    write(graph, A, *made)

    assert [list(ids) for ids in portions(graph, "Resource")] == [
        [node.id for node in made[start : start + 4]] for start in (0, 4, 8)
    ]


# By code points: signs beyond the first 65,536 come last, though they are written with smaller numbers in UTF-16.
IN_ORDER = ("", " ", "A", "a", "a b", "ab", "b", "é", "日", "\ufb01", "🧮")


def test_nodes_of_all_labels_come_in_the_order_of_their_ids(graph: GraphStore) -> None:
    made = [Node(f"x{name}", LABELS[number % len(LABELS)], name, {"n": number}) for number, name in enumerate(IN_ORDER)]
    write(graph, *reversed(made))

    assert graph.nodes(after="", limit=100) == made
    for before, node in pairwise(made):
        assert graph.nodes(after=before.id, limit=1) == [node]
    assert graph.nodes(after=made[-1].id, limit=1) == []


def test_edges_come_in_the_order_of_the_parts_of_their_keys(graph: GraphStore) -> None:
    made = [Node(f"x{name}", "Resource", name) for name in IN_ORDER]
    places = itertools.product(made, ("BY", "COVERS"), made, ("", "10:0", "1:0", "2:0"))
    edges = [Edge(one.id, type, other.id, {"n": n}, where) for n, (one, type, other, where) in enumerate(places)]  # type: ignore[arg-type]
    write(graph, *made, *reversed(edges))

    assert graph.edges(after="", limit=10_000) == edges
    for place, node in enumerate(made, 1):
        many = len(edges) // len(made)
        assert graph.edges(after=node.id, limit=1) == edges[many * place : many * (place + 1)]


def test_edges_of_a_node_are_not_parted(graph: GraphStore) -> None:
    edges = [Edge(one.id, "REQUIRES", other.id) for one, other in itertools.permutations((A, B, C), 2)]
    write(graph, A, B, C, LIST, *edges)

    assert [len(graph.edges(after=A.id, limit=limit)) for limit in (1, 2, 3, 4, 5)] == [2, 2, 4, 4, 4]
    assert graph.edges(after="topic:aa", limit=1) == edges[2:4]
    assert graph.edges(after=C.id, limit=1) == []


def test_counts_are_those_of_what_is_stored(graph: GraphStore) -> None:
    empty = graph.counts()
    write(graph, A, B, PAGE, B_NEEDS_A, covers(PAGE, A), covers(PAGE, B), vectors={A.id: vector(1), B.id: vector(2)})

    assert (empty.nodes, empty.edges, empty.vectors) == ({}, {}, 0)
    assert graph.counts() == Counts({"Resource": 1, "Topic": 2}, {"COVERS": 2, "REQUIRES": 1}, 2)


def test_ordinals_tell_edges_between_the_same_nodes_apart(graph: GraphStore) -> None:
    edges = [Edge(LIST.id, "MENTIONS", PAGE.id, {"line": line}, f"{line}:{line}") for line in (1, 2)]
    write(graph, LIST, PAGE, *edges)
    write(graph, gone_edges=(edges[0].key,))

    assert graph.read([LIST.id]).edges == (edges[1],)


def test_writing_a_record_again_replaces_it(graph: GraphStore) -> None:
    write(graph, A, B, B_NEEDS_A, vectors={A.id: vector(1)}, facts={"model": "old"})
    changed = Node(A.id, A.label, "renamed", {"other": 1}), Edge(B.id, "REQUIRES", A.id, {"reason": "better"})
    write(graph, *changed, vectors={A.id: vector(2)}, facts={"model": "new"})

    assert graph.read([A.id]).nodes[A.id] == changed[0]
    assert graph.read([A.id]).edges == (changed[1],)
    assert graph.vectors() == {A.id: vector(2)}
    assert graph.facts()["model"] == "new"


def test_writing_the_same_twice_leaves_the_same(graph: GraphStore) -> None:
    write(graph, A, B, B_NEEDS_A)
    once = graph.digests()
    write(graph, A, B, B_NEEDS_A)

    assert graph.digests() == once


def test_a_node_goes_with_its_edges_and_its_vector(graph: GraphStore) -> None:
    write(graph, A, B, C, B_NEEDS_A, C_NEEDS_B, vectors={A.id: vector(1), C.id: vector(3)})
    write(graph, gone_nodes=(A.id,), gone_edges=(B_NEEDS_A.key,))

    assert keys(graph) == {B.id, C.id, C_NEEDS_B.key}
    assert graph.vectors() == {C.id: vector(3)}


def test_what_is_not_there_can_be_taken_away(graph: GraphStore) -> None:
    write(graph, A)
    write(graph, gone_nodes=("topic:x",), gone_edges=(B_NEEDS_A.key,))

    assert keys(graph) == {A.id}


def test_every_write_gives_a_new_stamp(graph: GraphStore) -> None:
    stamps = [graph.facts()["stamp"], write(graph, A), write(graph, A), write(graph)]

    assert len(set(stamps)) == 4
    assert graph.facts()["stamp"] == stamps[-1]


def test_a_write_upon_an_old_state_is_refused_and_changes_nothing(open_graph: Open) -> None:
    graph, other = open_graph(), open_graph()
    old = graph.facts()["stamp"]
    stamp = write(other, A)
    with pytest.raises(StoreChanged):
        graph.write(Changes((B,), gone_nodes=(A.id,), facts={"model": "m"}), expect=old)

    assert graph.facts() == {"stamp": stamp}
    assert keys(graph) == {A.id}


def test_no_edge_is_ever_stored_without_its_ends(graph: GraphStore) -> None:
    write(graph, A)
    with suppress(StoreError):
        write(graph, B_NEEDS_A)

    assert keys(graph) == {A.id}


def test_a_write_that_fails_leaves_everything_as_it_was(graph: GraphStore) -> None:
    write(graph, A, facts={"model": "old"})
    before = graph.facts(), graph.digests()
    with pytest.raises(TypeError):
        write(graph, C, Node("topic:bad", "Topic", "bad", {"not JSON": object()}), facts={"model": "new"})

    assert (graph.facts(), graph.digests()) == before


def test_of_writers_at_the_same_time_none_overwrites_another(open_graph: Open) -> None:
    def count(times: int) -> None:
        graph = open_graph()
        while times:
            facts = graph.facts()
            with suppress(StoreChanged):
                graph.write(Changes(facts={"count": str(int(facts.get("count", "0")) + 1)}), expect=facts["stamp"])
                times -= 1

    open_graph()
    together(lambda: count(8), 4)

    assert open_graph().facts()["count"] == "32"


def test_a_reader_beside_a_writer_sees_whole_states(open_graph: Open) -> None:
    written, torn = threading.Event(), []

    def watch() -> None:
        graph = open_graph()
        while not written.is_set():
            held = graph.select("Topic")
            states = {*(node.name for node in held.nodes.values()), *(edge.body["round"] for edge in held.edges)}
            if len(states) > 1:
                torn.append(states)

    graph = open_graph()
    watcher = threading.Thread(target=watch)
    watcher.start()
    for round in map(str, range(25)):
        nodes = [Node(f"topic:{number}", "Topic", round) for number in range(20)]
        write(graph, *nodes, *(Edge(node.id, "LEARN_WITH", nodes[0].id, {"round": round}) for node in nodes))
    written.set()
    watcher.join()

    assert torn == []


@pytest.mark.parametrize("type", get_args(EdgeType))
def test_an_edge_of_any_type_comes_back_with_its_body(graph: GraphStore, type: EdgeType) -> None:
    edge = Edge(B.id, type, A.id, {"reason": "why"})
    write(graph, A, B, edge)

    assert graph.read([B.id]).edges == (edge,)
    assert graph.counts().edges == {type: 1}


def test_handles_can_be_shared_among_threads(graph: GraphStore) -> None:
    write(graph, A, B, B_NEEDS_A)
    seen: list[Mapping[str, Node]] = []
    together(lambda: seen.append(graph.read([A.id]).nodes), 8)

    assert seen == [{A.id: A, B.id: B}] * 8


names = st.sampled_from("abcd")
pairs = st.tuples(names, names)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.dictionaries(names, st.integers(0, 2)), st.dictionaries(pairs, st.integers(0, 2)))))
def test_any_row_of_writes_leaves_what_the_last_one_wanted(
    graph: GraphStore, steps: list[tuple[dict[str, int], dict[tuple[str, str], int]]]
) -> None:
    for levels, reasons in [({}, {}), *steps]:
        nodes = [Node(f"topic:{name}", "Topic", name, {"level": level}) for name, level in levels.items()]
        edges = [
            Edge(f"topic:{one}", "REQUIRES", f"topic:{other}", {"reason": reason})
            for (one, other), reason in reasons.items()
            if one in levels and other in levels
        ]
        wanted = {node.id: node.digest() for node in nodes} | {edge.key: edge.digest() for edge in edges}
        gone = keys(graph) - wanted.keys()
        gone_edges = tuple(key for key in gone if "\t" in key)
        write(graph, *nodes, *edges, gone_nodes=tuple(gone - {*gone_edges}), gone_edges=gone_edges)

        assert graph.digests() == wanted


def together(work: Callable[[], None], times: int) -> None:
    """Does the work in several threads at once."""
    threads = [threading.Thread(target=work) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
