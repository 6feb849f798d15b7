"""Counts of what answers, and cursors through it."""

from __future__ import annotations

import base64

import pytest

from graph import cursors, facets
from graph.curriculum import Curriculum
from graph.errors import BadCursor
from graph.models import FacetCount, SearchRequest
from tests import fakes

SHIPPED = fakes.vocabulary()
CURRICULUM = Curriculum(SHIPPED.topics, SHIPPED.hardware)
REQUEST = SearchRequest(query="tiles", kind=("blog",))


def point(**fields: object) -> dict[str, object]:
    empty = {"kind": "blog", "tier": None, "topic": [], "hardware": [], "source": [], "author": [], "by": []}
    return {**empty, **fields}


def test_each_value_is_counted_and_named() -> None:
    """The most frequent first, equals by value; values are what the filters take."""
    counted = facets.count(
        [
            point(topic=["wgmma", "tiling"], tier=2, author=["simon-boehm"], by=["Simon Boehm"]),
            point(topic=["tiling"], kind="video", hardware=["h100"], source=["a.md"]),
        ],
        CURRICULUM,
    )

    assert counted["topic"] == (
        FacetCount(value="tiling", name="Tiling", count=2),
        FacetCount(value="wgmma", name="WGMMA", count=1),
    )
    assert counted["hardware"] == (FacetCount(value="h100", name="H100", count=1),)
    assert counted["author"] == (FacetCount(value="simon-boehm", name="Simon Boehm", count=1),)
    assert counted["tier"] == (FacetCount(value="2", name="2", count=1),)
    assert [one.value for one in counted["kind"]] == ["blog", "video"]


def test_a_field_without_values_is_left_out() -> None:
    """Of nothing there is nothing to count."""
    assert set(facets.count([point()], CURRICULUM)) == {"kind"}
    assert facets.count([], CURRICULUM) == {}


def test_a_resource_counts_once_for_a_value_that_it_has_twice() -> None:
    """Two spellings of an author are one."""
    counted = facets.count([point(author=["x", "x"], by=["X", "x"])], CURRICULUM)

    assert [one.count for one in counted["author"]] == [1]


def test_a_cursor_leads_to_the_rank_it_was_made_for() -> None:
    """The size of a page may change on the way; the first page needs no cursor."""
    cursor = cursors.make(20, REQUEST, "stamp")
    following = REQUEST.model_copy(update={"cursor": cursor, "limit": 50, "facets": True})

    assert cursors.start(following, "stamp") == 20
    assert cursors.start(REQUEST, "stamp") == 0


@pytest.mark.parametrize("change", [{"query": "tile"}, {"kind": ("paper",)}, {"hardware": "h100"}])
def test_a_cursor_serves_no_other_search(change: dict[str, object]) -> None:
    """The ranks of another search are others."""
    cursor = cursors.make(20, REQUEST, "stamp")
    with pytest.raises(BadCursor, match="another search"):
        cursors.start(REQUEST.model_copy(update={"cursor": cursor, **change}), "stamp")


def test_a_cursor_serves_no_other_state_of_the_store() -> None:
    """What was found may have moved."""
    with pytest.raises(BadCursor, match="has changed"):
        cursors.start(REQUEST.model_copy(update={"cursor": cursors.make(20, REQUEST, "one")}), "two")


@pytest.mark.parametrize(
    "text", ["[-1, 1, 2]", '["1", 1, 2]', "[true, 1, 2]", "[1]", "{}", "null", "[" * 200, "no JSON", "\ud800"]
)
def test_what_is_no_cursor_is_told(text: str) -> None:
    """Whatever somebody sends."""
    made = base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode().rstrip("=")
    for cursor in (made, text, "é"):
        with pytest.raises(BadCursor):
            cursors.start(REQUEST.model_copy(update={"cursor": cursor}), "stamp")
