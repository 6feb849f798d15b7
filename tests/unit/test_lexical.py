"""Words to sparse vectors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.lexical import encode_document, encode_query, stem, term_id, terms

WEIGHTS = {"title": 3.0, "notes": 1.0}


def weight(fields: dict[str, list[str]], term: str) -> float:
    """Weight of a term in a document; 0 if it is not there."""
    sparse = encode_document(fields, WEIGHTS)
    return dict(zip(sparse.indices, sparse.values, strict=True)).get(term_id(term), 0.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the tiles of a kernel", ["tile", "kernel"]),
        ("sm_90a", ["sm90a", "sm", "90a"]),
        ("FP8-E4M3", ["fp8e4m3", "fp8", "e4m3"]),
        ("torch.compile", ["torchcompil", "torch", "compil"]),
        ("🔥 -- ...", []),
        ("", []),
    ],
)
def test_terms_are_stems_and_compounds_stand_beside_their_parts(text: str, expected: list[str]) -> None:
    """Names of formats and instructions are found whole and in part."""
    assert [stem(term) for term in terms(text)] == expected


def test_words_with_digits_are_names_and_keep_their_ending() -> None:
    """b200s is no plural that a stemmer knows."""
    assert stem("h100s") == "h100s"
    assert stem("kernels") == "kernel"


def test_a_word_in_the_title_weighs_more_than_in_a_note_and_repeats_saturate() -> None:
    """BM25F adds weighted frequencies before they saturate."""
    title, note = weight({"title": ["tile"]}, "tile"), weight({"notes": ["tile"]}, "tile")
    often = weight({"notes": ["tile " * 50]}, "tile")

    assert 0 < note < title
    assert often < 2.2 * 1.0001


def test_a_short_field_speaks_clearer_than_a_long_one() -> None:
    """The same word weighs less among many others."""
    assert weight({"notes": ["tile"]}, "tile") > weight({"notes": ["tile " + "warp " * 40]}, "tile")


def test_a_query_holds_each_term_once_and_expansions_never_outweigh_its_own_words() -> None:
    """Other names of what was asked for help, they do not lead."""
    sparse = encode_query("tile tile", {"tile blocking": 0.3})
    weights = dict(zip(sparse.indices, sparse.values, strict=True))

    assert weights == {term_id("tile"): 1.0, term_id("block"): 0.3}


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=30), max_size=4))
@settings(max_examples=60)
def test_any_text_gives_a_sorted_positive_vector(texts: list[str]) -> None:
    """Surrogates, emoji and nothing at all included; the same text always gives the same vector."""
    sparse = encode_document({"title": texts, "notes": texts}, WEIGHTS)

    assert list(sparse.indices) == sorted(set(sparse.indices))
    assert all(0 <= id < 2**32 for id in sparse.indices)
    assert all(value > 0 for value in sparse.values)
    assert sparse == encode_document({"notes": texts, "title": texts}, WEIGHTS)


@pytest.mark.parametrize("junk", ["a", "a.", "_", ".", "a-b ", "🔥", "a_"])
def test_a_megabyte_of_junk_is_read_in_one_pass(junk: str) -> None:
    """Steps that went over the text again and again would take hours here."""
    assert isinstance(terms(junk * (1_000_000 // len(junk))), list)
