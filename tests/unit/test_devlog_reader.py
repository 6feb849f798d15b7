"""The devlog reader: posts, copies, and the works that prose names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models import DevlogEntry, Document, Mention
from ingest.readers import read_text
from ingest.readers.base import Text
from ingest.readers.devlog import DevlogReader

CASES = Path(__file__).parent.parent / "cases" / "readers" / "devlog.md"
# Pieces of devlogs, to be put together at random.
WORDS = st.sampled_from(
    "\n|Day 2/30|3/30 of it|the|paper|@jane|@jane's|Roe's|talk|on|lecture|7|CS999|by|(|)|“|”|\"|How|Tiles|Warps|read|"
    "watched|releasing|New post:|we are releasing|http://a.org/b|[t](http://a.org)|[|](|- |:|.|,|and|a|---|#".split("|")
)


def shown(mention: Mention) -> str:
    """A mention on one line; what is absent is left out."""
    parts = {
        "url": mention.url,
        "by": "; ".join(mention.authors),
        "in": " > ".join(mention.section),
        "note": mention.note,
    }
    return " | ".join([f"{mention.line}: {mention.title}", mention.kind, *(f"{k} {v}" for k, v in parts.items() if v)])


def outlined(entry: DevlogEntry) -> str:
    """A post by its place, day and people."""
    day = f" of day {entry.day}" if entry.day is not None else ""
    people = f" with {' '.join('@' + handle for handle in entry.handles)}" if entry.handles else ""
    return f"post {entry.line}-{entry.end_line}{day}{people}"


def read(text: str) -> Document:
    """The document of a text."""
    return read_text("log.txt", text.encode())


def cases() -> list[tuple[str, str]]:
    """Text and expected findings of each case; a line with only a full stop separates them."""
    parts = (CASES.read_text(encoding="utf-8").rstrip("\n") + "\n.\n").split("\n.\n")
    return list(zip(parts[1::3], parts[2::3], strict=True))


@pytest.mark.parametrize(("text", "expected"), cases())
def test_posts_and_works_are_found_as_the_cases_say(text: str, expected: str) -> None:
    """The cases are a file for people to read."""
    document = read(text)
    assert document.format == "devlog"
    assert "\n".join([*map(shown, document.mentions), *map(outlined, document.entries)]) == expected


def test_an_entry_has_the_words_and_links_of_its_post() -> None:
    """Handles are without their sign; an address is no handle."""
    text = "Day 2/9\nHi @jane, see http://a.org/b.\nWrite to me@b.org or @roe.\nDay 1/9\nNothing."
    first = read(text).entries[0]
    assert first.text == text.removesuffix("\nDay 1/9\nNothing.")
    assert (first.handles, first.urls) == (("jane", "roe"), ("http://a.org/b",))


@pytest.mark.parametrize(
    "sentence",
    [
        "My paper is done.",
        "This talk was long, and so were those lectures.",
        "People talk about kernels all day.",
        "The CUDA thread waits for the warp scheduler.",
        "A chat with @jane about overhead.",
        "Latency fell to 3.142 ms on the GB200.",
        "Switched to @cloud and back.",
        "What a week. The next video is mine.",
    ],
)
def test_words_that_name_no_work_give_no_mention(sentence: str) -> None:
    """One's own works, works known already, and verbs that look like nouns."""
    assert read(f"Day 2/9\n{sentence}\nDay 1/9\nNothing.").mentions == ()


@pytest.mark.parametrize(
    "text",
    [
        "# Plan\n\n## Day 1\n\n- [A](https://a.org)\n- [B](https://b.org)\n\n## Day 2\n\n- [C](https://c.org)\n",
        "Tiles\n- Tiles by Hand - a slow start\n- Warps at Rest\n",
    ],
)
def test_a_list_is_no_devlog(text: str) -> None:
    """Not even one in days, if its days have bullets and no prose."""
    assert read(text).format != "devlog"


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=60).map(" ".join))
def test_no_prose_breaks_the_reader(text: str) -> None:
    """Mentions and posts stand on lines of the text, posts in order and apart; each mention has a title."""
    value = Text("log.txt", tuple(text.replace(" \n ", "\n").split("\n")), "")
    reading = DevlogReader().read(value)
    assert all(1 <= mention.line <= len(value.lines) and mention.title for mention in reading.mentions)
    bounds = [bound for entry in reading.entries for bound in (entry.line, entry.end_line)]
    assert bounds == sorted(bounds)
    assert all(bound <= len(value.lines) for bound in bounds)
