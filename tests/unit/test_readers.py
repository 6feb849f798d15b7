"""The readers of lists: what they find in a text, and that no text breaks them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.errors import UnreadableSource
from graph.models import Document, Mention
from ingest.readers import READERS, read_file, read_text
from ingest.readers.base import Text
from ingest.readers.decode import MAX_BYTES, MAX_LINE
from ingest.readers.kinds import guess_kind
from ingest.readers.names import split_author_slot
from ingest.readers.works import find_works, split_title, split_urls

CASES = Path(__file__).parent.parent / "cases" / "readers"
# Pieces of lists, to be put together at random.
MARKUP = (
    *("# T", "## S", "#### Tier 1", "Act 1: A", "Act 2: B", "Resources", "day 1/9", "- a - b", "1.", "- ", "> ", "  "),
    *(
        "* [x](https://a.org) - B. c",
        "[",
        "](",
        ")",
        "`",
        "**",
        "|a|b|",
        "|-|-|",
        "\t",
        "\n",
        "https://",
        "<b>",
        "&amp;",
    ),
)


def cases(name: str) -> Iterator[tuple[str, str, str]]:
    """Title, text and expected mentions of the cases in a file; a line with only a full stop separates them."""
    parts = (CASES / f"{name}.md").read_text(encoding="utf-8").split("\n.\n")
    titles = [part.strip().splitlines()[-1] for part in parts[0:-1:3]]
    return zip(titles, parts[1::3], parts[2::3], strict=True)


def shown(mention: Mention) -> str:
    """A mention on one line; what is absent is left out."""
    parts = {
        "url": mention.url,
        "more": " ".join(mention.extra_urls),
        "by": "; ".join(mention.authors),
        "in": " > ".join(mention.section),
        "tier": mention.tier,
        "status": mention.status,
        "note": mention.note,
    }
    return " | ".join([f"{mention.line}: {mention.title}", mention.kind, *(f"{k} {v}" for k, v in parts.items() if v)])


def read(text: str) -> Document:
    """The document of a text."""
    return read_text("list.txt", text.encode())


@pytest.mark.parametrize("name", ["markdown_guide", "plain_list", "acts"])
def test_each_format_is_recognised_and_read_as_its_cases_say(name: str) -> None:
    """The cases are files for people to read."""
    for title, text, expected in cases(name):
        document = read(text)
        assert document.format == name.replace("_", "-"), title
        assert "\n".join(map(shown, document.mentions)) == expected, title


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"\xef\xbb\xbf\n", "empty"),
        (b"a\0b", "binary"),
        ("Größe".encode("latin-1"), "not UTF-8 from byte 2"),
        (b"ok\n" + b"x" * (MAX_LINE + 1), "line 2"),
        (b"x\n" * (MAX_BYTES // 2 + 1), "larger than"),
    ],
)
def test_what_is_no_text_is_refused_with_its_name_and_a_reason(data: bytes, reason: str) -> None:
    """The message names the file, the reason, and the hint says what to do."""
    with pytest.raises(UnreadableSource, match=reason) as caught:
        read_text("odd.bin", data)
    assert "odd.bin" in caught.value.message
    assert caught.value.hint


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    """A missing file and a directory are told apart."""
    with pytest.raises(UnreadableSource, match="does not exist"):
        read_file(tmp_path / "absent.md")
    with pytest.raises(UnreadableSource, match="is a directory"):
        read_file(tmp_path)


def test_a_file_is_read_under_its_name_whatever_its_line_ends(tmp_path: Path) -> None:
    """A byte order mark and CRLF do not show; the digest is of the bytes."""
    path = tmp_path / "mine.md"
    path.write_bytes(b"\xef\xbb\xbf# Mine\r\n\r\n- [A](https://a.org)\r\n- [B](https://b.org)\r\n")
    document = read_file(path)
    assert (document.source, document.title, len(document.digest)) == ("mine.md", "Mine", 64)
    assert [(m.source, m.line, m.title) for m in document.mentions] == [("mine.md", 3, "A"), ("mine.md", 4, "B")]


def test_a_text_without_resources_gives_a_document_without_mentions() -> None:
    """Prose is not an error."""
    assert read("Nothing to see here, and nothing to read.").mentions == ()


@pytest.mark.parametrize(
    ("slot", "authors"),
    [
        ("Jane Doe. Words.", ("Jane Doe",)),
        ("Jane Q. Doe, Some Lab. Words.", ("Jane Q. Doe", "Some Lab")),
        ("Doe et al. Words.", ("Doe",)),
        ("Jane Doe (Some Lab). Words.", ("Jane Doe", "Some Lab")),
        ("OneLab / TwoLab. Words.", ("OneLab", "TwoLab")),
        ("janedoe42. Words.", ("janedoe42",)),
        ("by @janedoe - words", ("janedoe",)),
        ("arXiv. Words.", ()),
        ("ICML 2031. Words.", ()),
        ("Various authors. Words.", ()),
        ("A long look at tiles. Words.", ()),
        ("Tutorial. Words.", ()),
        ("by reference", ()),
        ("Tiles for everyone", ()),
        ("Some Lab", ("Some Lab",)),
    ],
)
def test_authors_are_taken_from_the_front_of_a_description(slot: str, authors: tuple[str, ...]) -> None:
    """Only names count: venues, nobody, and sentences do not."""
    assert split_author_slot(slot)[0] == authors


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("Tiles - how they fit together", ("Tiles", "how they fit together")),
        ("Tiles - Part Two - how they fit", ("Tiles - Part Two", "how they fit")),
        ("Some Lab - Better Tiles", ("Some Lab - Better Tiles", "")),
        ("Tiles — Great.", ("Tiles", "Great.")),
        ("Tiles: they are what you want them to be.", ("Tiles", "they are what you want them to be.")),
        ("Tiles: A Better Way", ("Tiles: A Better Way", "")),
        ("Well-known tiles", ("Well-known tiles", "")),
    ],
)
def test_a_title_ends_where_the_words_read_as_a_note(text: str, split: tuple[str, str]) -> None:
    """A dash inside a title does not end it."""
    assert split_title(text) == split


@pytest.mark.parametrize(
    ("url", "title", "kind"),
    [
        ("https://arxiv.org/abs/2031.00001", "T", "paper"),
        ("https://example.org/report.pdf", "T", "paper"),
        ("https://www.youtube.com/watch?v=0", "T", "video"),
        ("https://youtu.be/0", "Lecture 3: Tiles", "lecture"),
        ("https://github.com/a/b", "T", "repo"),
        ("https://github.com/a/b/issues/1", "T", "thread"),
        ("https://x.com/a/status/1", "T", "thread"),
        ("https://huggingface.co/a/b", "T", "model"),
        ("https://docs.example.org/x", "T", "docs"),
        ("https://tiles.substack.com", "T", "feed"),
        ("https://my-docs.com/story", "T", "blog"),
        ("https://[broken", "T", "blog"),
        (None, "Jane's blog", "feed"),
        (None, "Tiles survey", "paper"),
        (None, "Tiles", "blog"),
    ],
)
def test_the_kind_follows_from_url_and_title(url: str | None, title: str, kind: str) -> None:
    """The URL speaks before the words."""
    assert guess_kind(url, title, "", ()) == kind


def test_a_url_ends_before_the_punctuation_of_its_sentence() -> None:
    """Brackets that were opened inside the URL belong to it."""
    pieces = split_urls("see https://a.org/x_(y), or (https://b.org/z).")
    assert [piece.url for piece in pieces if piece.url] == ["https://a.org/x_(y)", "https://b.org/z"]


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(), *(st.lists(st.sampled_from(MARKUP)).map(joint.join) for joint in ("", " ", "\n"))))
def test_no_text_breaks_a_reader(text: str) -> None:
    """Every mention stands on a line of the text and has a title; no reader relies on being chosen."""
    value = Text("list.txt", tuple(text.split("\n")), "")
    for reader in READERS:
        assert 0 <= reader.recognise(value) <= 1
        for mention in reader.read(value).mentions:
            assert 1 <= mention.line <= len(value.lines)
            assert mention.title


@pytest.mark.parametrize("junk", ["[", "*a ", "- ", "a - ", "http://a)", "| ", "`", "](", "A. ", "![[", "&", "\\"])
def test_junk_of_twice_the_length_takes_no_more_than_twice_the_steps(junk: str) -> None:
    """Steps are counted, as clocks are unsteady: calls of Python functions while a long line is read."""
    once, twice = (steps(f"# T\n\n- [a](https://a.org)\n- {junk * times}\n") for times in (2_000, 4_000))
    assert twice <= 2 * once + 2_000


def steps(text: str) -> int:
    """How many Python functions are called to read the text."""
    count = 0

    def tally(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(tally)
    try:
        read(text)
    finally:
        sys.setprofile(None)
    return count


def test_an_item_with_several_links_is_as_many_works_as_it_names() -> None:
    """Links that only say what they hold belong to the work before them."""
    named = find_works(list(split_urls("Tiles: https://a.org/paper https://a.org/code")))
    assert [(work.title, work.urls) for work in named] == [("Tiles", ("https://a.org/paper", "https://a.org/code"))]
