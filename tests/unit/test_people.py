"""Whether a name is a person's or an organisation's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.people import author_label


@pytest.mark.parametrize(
    "name", ["Simon Boehm", "@jane", "Ludwig van Beethoven", "J. Doe", "Éva Tardos", "Jane de la Cruz", "Jean-Luc Doe"]
)
def test_people(name: str) -> None:
    """Handles, and two to four capitalised words."""
    assert author_label(name) == "Person"


@pytest.mark.parametrize(
    "name",
    [
        "NVIDIA",
        "Hazy Research",
        "vLLM Team",
        "Colfax International Inc",
        "LMSYS Org",
        "Together AI",
        "Perplexity",
        "",
        "🔥",
    ],
)
def test_organisations(name: str) -> None:
    """A word that organisations bear, a lone word, capitals all over."""
    assert author_label(name) == "Organisation"


@given(st.text(max_size=20))
@settings(max_examples=60)
def test_every_text_gets_one_of_the_two(name: str) -> None:
    """No name breaks it."""
    assert author_label(name) in ("Person", "Organisation")
