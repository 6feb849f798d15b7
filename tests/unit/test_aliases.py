"""Names in texts: exact phrases, whole words, the longest first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.aliases import AliasIndex
from ingest.link import Linker
from ingest.ontology import load_ontology

CASES = Path(__file__).parent.parent / "cases" / "aliases.txt"
INDEX = AliasIndex(
    {
        "moe": ("MoE", "mixture of experts"),
        "sm": ("SM", "streaming multiprocessor"),
        "mla": ("MLA",),
        "mla-decode": ("MLA decode",),
        "attention": ("attention",),
        "flash": ("FlashAttention",),
        "cpp": ("C++",),
        "triton": ("Triton",),
        "vllm": ("vLLM", "vllm"),
        "zero": ("ZeRO",),
    }
)
WORDS = (
    "MLA",
    "mla",
    "decode",
    "MoE",
    "Moe",
    "Flash",
    "attention",
    "C++",
    "non",
    "not",
    "vLLM",
    "s",
    "zero",
    "über",
    "🔥",
)
GAPS = (" ", "-", "_", ". ", "\n", "  ", "'", ", ", "\ud800")
texts = st.lists(st.sampled_from(WORDS + GAPS), max_size=20).map("".join)


def found(text: str, **how: bool) -> list[str]:
    return [match.slug for match in INDEX.find(text, **how)]


def cases() -> Iterator[list[str]]:
    """Text and expected slugs of each line of the cases."""
    for line in CASES.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.rsplit(" -> ", 1)


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(load_ontology())


@pytest.mark.parametrize(("text", "expected"), list(cases()), ids=lambda part: part)
def test_the_shipped_names_are_found_as_the_cases_say(linker: Linker, text: str, expected: str) -> None:
    """The cases are a file for people to read."""
    matches = [*linker.topic_names.find(text), *linker.hardware_names.find(text)]

    assert (" ".join(match.slug for match in matches) or "(none)") == expected


@pytest.mark.parametrize(
    ("prose", "slugs"),
    [
        ("Moe", []),
        ("MoE", ["moe"]),
        ("MoEs", ["moe"]),
        ("sm", []),
        ("SM", ["sm"]),
        ("SMs", ["sm"]),
        ("SMS", []),
        ("Mla", []),
    ],
)
def test_acronyms_are_told_from_words_by_their_case_in_prose(prose: str, slugs: list[str]) -> None:
    """A curator writes MoE for the experts and Moe for a person."""
    assert found(f"says {prose} here") == slugs


def test_people_who_type_a_query_need_no_case() -> None:
    """Unless the name is a plain word as well."""
    assert found("moe sm mla", by_case=False) == ["moe", "sm", "mla"]
    assert found("from zero", by_case=False) == []
    assert found("ZeRO", by_case=False) == ["zero"]


def test_one_spelling_in_small_letters_allows_any_case() -> None:
    """People write vllm, vLLM and VLLM."""
    assert found("vllm vLLM VLLM Vllm") == ["vllm"] * 4


def test_the_longest_name_wins_unless_nested_ones_are_asked_for() -> None:
    """“MLA decode” is one thing, and speaks of MLA as well."""
    assert found("MLA decode") == ["mla-decode"]
    assert found("MLA decode", nested=True) == ["mla-decode", "mla"]
    assert found("flash attention", nested=True) == ["flash", "attention"]


@pytest.mark.parametrize(
    "text", ["flash attention", "flash-attention", "Flash_Attention", "FLASHATTENTION", "flash  attention"]
)
def test_blanks_and_hyphens_do_not_matter(text: str) -> None:
    """They are squeezed out of names and texts alike."""
    assert found(text) == ["flash"]


@pytest.mark.parametrize(
    "text", ["flash, attentive", "flash. Attentions", "reflash attentional", "tritons-like", "xSM"]
)
def test_words_are_whole_and_a_phrase_does_not_cross_a_stop(text: str) -> None:
    """“Triton” is not in “tritonality”."""
    assert "flash" not in found(text)
    assert "sm" not in found(text)


def test_names_with_signs_are_found() -> None:
    """C++ is not C."""
    assert found("in C++, C and C+") == ["cpp"]


@pytest.mark.parametrize("text", ["non-MLA", "not MLA", "without MLA", "other than MLA", "no MLA decode"])
def test_what_is_denied_is_not_spoken_of(text: str) -> None:
    """“non-NVIDIA hardware” is not about NVIDIA."""
    assert found(text) == []


@pytest.mark.parametrize("text", ["not only MLA", "No. MLA", "faster than MLA", "note MLA"])
def test_other_words_before_a_name_deny_nothing(text: str) -> None:
    """A denial stands right before the name."""
    assert found(text) == ["mla"]


@given(texts, st.booleans(), st.booleans())
@settings(max_examples=60)
def test_matches_stand_where_they_say_from_left_to_right(text: str, by_case: bool, nested: bool) -> None:
    """And without `nested` they do not overlap."""
    matches = INDEX.find(text, by_case=by_case, nested=nested)

    assert [text[m.start : m.end] for m in matches] == [m.text for m in matches]
    assert [m.start for m in matches] == sorted(m.start for m in matches)
    assert nested or all(a.end <= b.start for a, b in pairwise(matches))


@given(texts)
@settings(max_examples=60)
def test_what_is_found_by_case_is_found_without(text: str) -> None:
    """Minding the case only takes names away."""
    assert {m.text for m in INDEX.find(text, nested=True)} <= {
        m.text for m in INDEX.find(text, by_case=False, nested=True)
    }


def test_a_name_is_looked_up_in_any_case() -> None:
    """`get` is for names given on purpose."""
    assert INDEX.get("ZERO") == "zero"
    assert INDEX.get("Mixture-of-Experts") == "moe"
    assert INDEX.get("mixture") is None
    assert INDEX.get("") is None
    assert INDEX.get("🔥") is None


def test_the_first_of_two_keeps_a_name_and_empty_names_are_none() -> None:
    """A vocabulary with clashes still works."""
    index = AliasIndex({"a": ("Tiles",), "b": ("tiles", "", "🔥")})

    assert [m.slug for m in index.find("tiles 🔥")] == ["a"]


@pytest.mark.parametrize("junk", ["a", "a ", " ", "MLA ", "C++", "flash-", "🔥", "\ud800", "non-MLA "])
def test_a_megabyte_of_junk_is_read_in_one_pass(junk: str) -> None:
    """Steps that went over the text again and again would take hours here."""
    assert INDEX.find(junk * (200_000 // len(junk))) is not None
