"""Addresses: which lead to one work and which do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph import urls

CASES = Path(__file__).parent.parent / "cases" / "urls.txt"
# Pieces of addresses, to be put together at random.
PIECES = (
    *("https://", "http://", "//", "/", ":", "?", "#", "&", "=", "@", "[", "]", "%", "%ff", "..", ";", "\\", " ", "\t"),
    *(
        "arxiv.org",
        "/abs/",
        "2205.14135",
        "github.com",
        "youtu.be",
        "x.com",
        "/status/",
        "doi.org/10.",
        "www.",
        ":99999",
    ),
    *("🔥", "ß", "é", "\ud800", "\u202e", "münchen", "℀", "a", "1"),
)
addresses = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def groups(section: str) -> list[list[str]]:
    """The groups of addresses of one section of the cases."""
    text = CASES.read_text(encoding="utf-8").split(f"== {section}\n")[1].split("\n== ")[0]
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("# "))
    return [group.split() for group in lines.split("\n\n") if group.strip()]


@pytest.mark.parametrize("group", groups("same"), ids=lambda group: group[0])
def test_addresses_of_one_work_share_a_key(group: list[str]) -> None:
    """The cases are a file for people to read."""
    assert len({urls.key(url) for url in group}) == 1


@pytest.mark.parametrize("group", groups("different"), ids=lambda group: group[0])
def test_addresses_of_different_works_never_share_a_key(group: list[str]) -> None:
    """In doubt, two stay two."""
    assert urls.key(group[0]) != urls.key(group[1])


@given(addresses)
@settings(max_examples=60)
def test_no_text_breaks_the_functions_and_a_key_has_no_blanks_around(text: str) -> None:
    """Whatever was pasted: emoji, halves of surrogates, brackets, ports."""
    assert urls.key(text) == urls.key(f"  {text}\n").strip()
    assert isinstance(urls.is_front_page(text), bool)
    assert isinstance(urls.is_web_address(text), bool)
    assert isinstance(urls.path_words(text), str)


@given(st.sampled_from([url for group in groups("same") for url in group]))
@settings(max_examples=40)
def test_the_key_of_a_plain_key_is_the_key(url: str) -> None:
    """A key that is an address itself stays as it is."""
    key = urls.key(url)

    assert ":" in key or urls.key(key) == key


@pytest.mark.parametrize(
    "junk", ["/", "%", "a", "?", "&a=1", "#", "www.", "https://", "/status/", ".git", "\ud800", "🔥"]
)
def test_a_megabyte_of_junk_is_read_in_one_pass(junk: str) -> None:
    """Steps that went over the text again and again would take hours here."""
    for host in ("https://example.org/", "https://github.com/", "https://arxiv.org/abs/", "https://x.com/"):
        assert urls.key(host + junk * (1_000_000 // len(junk)))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.org", True),
        ("a.org/", True),
        ("https://a.org/b", False),
        ("https://a.org/#/b", False),
        ("http://[", False),
    ],
)
def test_a_front_page_has_neither_path_nor_query_nor_fragment(url: str, expected: bool) -> None:
    """It stands for a site, not for a work."""
    assert urls.is_front_page(url) is expected


def test_only_absolute_http_addresses_are_web_addresses() -> None:
    """Mail, scripts and files are none."""
    texts = ("mailto:a@b.org", "javascript:alert(1)", "file:///etc/passwd", "https://", "a.org", "http://[")

    assert not any(map(urls.is_web_address, texts))
    assert urls.is_web_address("https://a.org")


def test_the_owner_of_a_repository_is_not_what_it_is_about() -> None:
    """Megatron-LM is not about its owner's chips."""
    assert urls.path_words("https://github.com/NVIDIA/Megatron-LM") == "Megatron-LM"
    assert urls.path_words("https://example.org/flash%20attention/a_b") == "flash attention . a b"
