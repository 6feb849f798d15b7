"""Why a hit was found: matching words, their places, and the best note."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.highlights import explained
from graph.lexical import terms
from graph.models import Hit, Place, Why


def found(query: str, title: str, *notes: str, topics: tuple[str, ...] = ()) -> Hit:
    """A hit of these texts, explained."""
    places = tuple(Place(source="list.md", line=line, note=note) for line, note in enumerate(notes, 1))
    hit = Hit(id="1", title=title, kind="blog", score=1, mentions=places, topics=topics)
    return explained(hit, frozenset(terms(query)), {"tiling": 0.2, "matmul": 0.5})


def marked(hit: Hit) -> list[list[str]]:
    """The highlighted parts of each text."""
    return [[one.text[start:end] for start, end in one.spans] for one in hit.highlights]


@pytest.mark.parametrize(
    ("query", "title", "expected"),
    [
        ("tiles", "Tiling a kernel, tile by tile", ["Tiling", "tile", "tile"]),
        ("sm_90a", "For SM_90a and sm90a", ["SM_90a", "sm90a"]),
        ("90a", "For SM_90a", ["90a"]),
        ("strasse", "Die STRASSE, die Straße", ["STRASSE", "Straße"]),
        ("kernel", "🔥🔥 ein kernel", ["kernel"]),
        ("the of", "The art of kernels", []),
    ],
)
def test_spans_are_the_words_that_the_index_takes_for_the_same(query: str, title: str, expected: list[str]) -> None:
    """Characters are counted, not bytes; words without meaning are not marked."""
    assert [part for parts in marked(found(query, title)) for part in parts] == expected


def test_every_text_with_a_match_is_shown_once() -> None:
    """The title first, then the notes; a note that two lists share is one."""
    hit = found("gemm", "GEMM", "a gemm", "nothing", "a gemm")

    assert [(one.field, one.text) for one in hit.highlights] == [("title", "GEMM"), ("note", "a gemm")]


def test_a_hit_names_the_words_as_written_its_topics_and_the_note_with_most_of_them() -> None:
    """Topics in the order of what the query is about most."""
    hit = found("fast tiled gemm", "Tiles", "a gemm, a GEMM", "a tiled gemm", topics=("tiling", "other", "matmul"))

    assert hit.why == Why(
        terms=("Tiles", "gemm", "tiled"),
        topics=("matmul", "tiling"),
        note=Place(source="list.md", line=2, note="a tiled gemm"),
    )


def test_what_was_found_by_meaning_alone_has_no_words_to_show() -> None:
    """It says so by saying nothing."""
    hit = found("gemm", "Softmax", "about rows")

    assert hit.why == Why()
    assert hit.highlights == ()


@given(st.text(max_size=80), st.text(max_size=20))
def test_spans_are_in_order_and_within_the_text(title: str, query: str) -> None:
    """Whatever the script; none is empty, none overlaps another."""
    for one in found(query, title).highlights:
        assert all(0 <= start < end <= len(one.text) for start, end in one.spans)
        assert all(before[1] <= after[0] for before, after in pairwise(one.spans))
