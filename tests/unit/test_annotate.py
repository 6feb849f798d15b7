"""Which works the ontology knows: its annotations found again, and what that changes of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from graph import views
from graph.models import Annotation, Resource
from graph.records import Subgraph
from ingest.annotate import Annotations, key
from ingest.resolve import resolve
from tests.fakes import built, document, vocabulary

PAPER = "https://arxiv.org/abs/2309.06180"
TALK = "https://example.org/talk"


def annotation(title: str, url: str | None = None, line: int = 1, **known: object) -> Annotation:
    """An item of a works file."""
    return Annotation.model_validate({"title": title, "url": url, "source": "works/mine.yaml", "line": line, **known})


def found(*known: Annotation, **mention: object) -> list[int]:
    """The lines of the annotations of a work that one list mentions."""
    works = resolve(document("list.md", {"title": "Any title", **mention}).mentions)
    return [one.line for one in map(Annotations.of(known).of_work, works) if one]


@pytest.mark.parametrize(
    ("known", "listed"),
    [
        (TALK, "http://example.org/talk"),
        (TALK, "https://www.example.org/talk/?utm_source=feed&ref=list#top"),
        (f"{TALK}?utm_medium=mail", TALK),
        (PAPER, "https://arxiv.org/pdf/2309.06180v2.pdf"),
        ("http://arxiv.org/pdf/2309.06180", PAPER),
        (PAPER, "https://huggingface.co/papers/2309.06180"),
    ],
)
def test_a_work_is_known_by_any_form_of_its_address_whatever_lists_call_it(known: str, listed: str) -> None:
    assert found(annotation("PagedAttention", known), url=listed) == [1]


@pytest.mark.parametrize("known", [None, TALK])
@pytest.mark.parametrize("listed", [None, TALK])
def test_a_work_is_known_by_its_title_where_not_both_have_an_address(known: str | None, listed: str | None) -> None:
    """Case, punctuation and articles do not tell titles apart; the addresses here are one and the same."""
    assert found(annotation("A Talk on Tiles!", known), title="The talk on tiles", url=listed) == [1]


def test_a_title_never_makes_up_for_another_address() -> None:
    assert found(annotation("A talk on tiles", TALK), title="A talk on tiles", url=PAPER) == []


def test_a_title_that_two_annotations_bear_names_neither() -> None:
    """Their addresses still do."""
    both = annotation("A talk on tiles", TALK, 1), annotation("Talk on tiles!", None, 2)

    assert found(*both, title="A talk on tiles") == []
    assert found(*both, title="Something else", url=TALK) == [1]


def test_a_front_page_names_a_work_only_together_with_its_title() -> None:
    """Lists link a site for want of the page itself."""
    known = annotation("A talk on tiles", "https://example.org/")

    assert found(known, title="A talk on tiles", url="http://www.example.org") == [1]
    assert found(known, title="Another talk", url="http://www.example.org") == []


def test_the_key_of_an_annotation_is_its_address_or_its_title() -> None:
    """By it a work stands once in a folder, and a user's file replaces what is shipped."""
    assert key(annotation("Any", PAPER)) == key(annotation("Other", "http://arxiv.org/pdf/2309.06180v1"))
    assert key(annotation("A talk")) == key(annotation("Talk"))
    assert key(annotation("A talk")) != key(annotation("A talk", TALK))


KNOWN = annotation(
    "How blocks fit", TALK, 12, teaches=["tiling"], touches=["wgmma"], says="Cuts work into blocks.", minutes=20
)
LISTED = {"title": "Attention by GEMM", "url": TALK, "note": "fast"}


def graph_of(listed: Mapping[str, object], *known: Annotation) -> Subgraph:
    """The graph of one list that mentions one work."""
    ontology = replace(vocabulary(), works={key(one): one for one in known})
    return built([document("list.md", listed)], ontology)


def work_in(listed: Mapping[str, object], *known: Annotation) -> Resource:
    """The work in that graph."""
    graph = graph_of(listed, *known)
    (node,) = graph.labelled("Resource")
    return views.resource(graph, node.id)


def test_what_a_work_teaches_takes_the_place_of_what_its_words_name() -> None:
    """With the place in the works file as evidence; what it only touches is less sure."""
    named, known = work_in(LISTED), work_in(LISTED, KNOWN)

    assert {link.slug for link in named.topics} == {"attention", "matmul"}
    assert [(link.slug, link.confidence, link.reason, link.source, link.line) for link in known.topics] == [
        ("tiling", 1.0, "teaches it", "works/mine.yaml", 12),
        ("wgmma", 0.6, "touches it", "works/mine.yaml", 12),
    ]


def test_an_annotation_without_topics_leaves_those_that_are_named() -> None:
    named, known = work_in(LISTED), work_in(LISTED, annotation("Any", TALK, says="Cuts work into blocks."))

    assert known.topics == named.topics
    assert known.annotation
    assert known.annotation.says == "Cuts work into blocks."


def test_what_a_work_teaches_is_central_to_it_however_lists_word_it() -> None:
    """A title of other words would let it count as named in passing."""
    graph = graph_of({"title": "A talk", "url": TALK}, KNOWN)
    weights = [edge.weight for edge in graph.edges if edge.type == "COVERS"]

    assert len(weights) == 2
    assert all(weight > 0 for weight in weights)


def test_an_annotation_is_no_list() -> None:
    """It stands beside what lists say and counts as none of them: title, address, sources and mentions stay."""
    named, known = work_in(LISTED), work_in(LISTED, KNOWN)

    assert known.annotation == KNOWN
    assert known.model_copy(update={"annotation": None, "topics": named.topics, "hardware": named.hardware}) == named
    assert known.sources == ("list.md",)
    assert {node.name for node in graph_of(LISTED, KNOWN).labelled("Source")} == {"The list list.md"}


def test_works_that_no_list_mentions_are_not_added() -> None:
    graph = graph_of(LISTED, annotation("Unheard of", PAPER, teaches=["tiling"]))

    assert [node.name for node in graph.labelled("Resource")] == ["Attention by GEMM"]


def test_a_hit_quotes_what_a_work_says_with_its_place() -> None:
    says = views.hit(work_in(LISTED, KNOWN)).says

    assert says
    assert (says.note, says.source, says.line) == ("Cuts work into blocks.", "works/mine.yaml", 12)
    assert views.hit(work_in(LISTED)).says is None
