"""From documents and vocabulary to the graph: a pure function of all there is."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from graph.curriculum import Curriculum
from graph.models import Document
from graph.names import node_id
from graph.records import Edge, Subgraph
from tests.fakes import built, document, vocabulary

TILES = {"title": "Tiling for GEMM", "url": "https://a.org/tiles", "authors": ("Jane Doe", "Some Lab"), "note": "slow"}
LISTS = (
    document("one.md", TILES, {"title": "WGMMA by hand"}, {"title": "Overlap"}),
    document("two.md", {**TILES, "url": "http://www.a.org/tiles/"}, {"title": "Overlap"}),
    document("log.txt", entries=[{"text": "Day 1: tiling with @jane", "day": 1, "handles": ("jane",)}]),
)


def edges(graph: Subgraph, *types: str) -> list[Edge]:
    return [edge for edge in graph.edges if edge.type in types]


@given(st.permutations(LISTS))
@settings(max_examples=6)
def test_the_order_of_documents_does_not_matter(documents: list[Document]) -> None:
    """Nor does any list that was read before."""
    one, other = built(LISTS), built(documents)

    assert {id: node.digest() for id, node in one.nodes.items()} == {id: n.digest() for id, n in other.nodes.items()}
    assert {e.key: e.digest() for e in one.edges} == {e.key: e.digest() for e in other.edges}


def test_every_edge_ends_at_nodes_and_stands_once() -> None:
    """Nothing hangs in the air."""
    graph = built(LISTS)

    assert all(edge.source in graph.nodes and edge.target in graph.nodes for edge in graph.edges)
    assert len({edge.key for edge in graph.edges}) == len(graph.edges)


def test_every_link_has_a_reason_a_confidence_a_source_and_a_line() -> None:
    """Evidence for each claim."""
    links = edges(built(LISTS), "COVERS", "ABOUT_HARDWARE")

    assert links
    for link in links:
        assert link.body["reason"]
        assert 0 <= link.body["confidence"] <= 1
        assert link.body["source"] in {"one.md", "two.md", "log.txt"}
        assert link.body["line"] >= 1


def test_every_prerequisite_and_every_author_has_a_reason() -> None:
    """A path quotes it."""
    assert all(edge.body["reason"] for edge in edges(built(LISTS), "REQUIRES", "LEARN_WITH", "BY"))


def test_what_helps_a_topic_is_an_edge_of_its_own_with_its_reason() -> None:
    """No prerequisite; a curriculum read from the graph has it back."""
    known = vocabulary()
    wgmma = known.topics["wgmma"].model_copy(update={"helps": {"attention": "It is where it pays."}})
    graph = built(LISTS, replace(known, topics={**known.topics, "wgmma": wgmma}))
    (helped,) = edges(graph, "HELPED_BY")

    assert (helped.source, helped.target) == (node_id("Topic", "wgmma"), node_id("Topic", "attention"))
    assert Curriculum.of(graph).topics["wgmma"].helps == {"attention": "It is where it pays."}
    assert Curriculum.of(graph).topics["wgmma"].requires == {"matmul": "why"}


def test_one_work_in_two_lists_is_one_node_with_two_mentions() -> None:
    """Words that may mean anything stay apart."""
    graph = built(LISTS)
    mentions = {node.name: len(list(graph.into(node.id, "MENTIONS"))) for node in graph.labelled("Resource")}

    assert mentions["Tiling for GEMM"] == 2
    assert sum(1 for node in graph.labelled("Resource") if node.name == "Overlap") == 2


def test_authors_are_people_or_organisations() -> None:
    """As far as their names tell."""
    graph = built(LISTS)

    assert {node.name for node in graph.labelled("Organisation")} == {"Some Lab"}
    assert "Jane Doe" in {node.name for node in graph.labelled("Person")}


def test_what_a_work_says_of_hardware_comes_from_its_words_or_its_topics() -> None:
    """WGMMA exists on Hopper alone."""
    graph = built(LISTS)
    (found,) = [node for node in graph.labelled("Resource") if node.name == "WGMMA by hand"]

    assert [edge.target for edge in graph.out(found.id, "ABOUT_HARDWARE")] == [node_id("Hardware", "hopper")]


def test_a_post_names_people_and_topics() -> None:
    """With its day as its name."""
    graph = built(LISTS)
    (post,) = graph.labelled("DevlogEntry")

    assert post.name == "Day 1"
    assert {edge.target for edge in graph.out(post.id, "NAMES", "COVERS")} == {
        node_id("Person", "jane"),
        node_id("Topic", "tiling"),
    }


def test_the_vocabulary_stands_without_any_list() -> None:
    """Topics and hardware are there from the start."""
    graph = built(())

    assert len(graph.labelled("Topic")) == 4
    assert len(graph.labelled("Hardware")) == 3
    assert graph.labelled("Resource") == []
