"""What a language model writes, held against the quotes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.chat.checking import LONGEST, UNCITED, checked, without_marks
from graph.chat.models import Citation

CITATIONS = (
    Citation(
        n=1, kind="resource", id="a", title="A", url="https://example.org/a_(1)", source="l.md", line=1, quote="q"
    ),
    Citation(n=2, kind="topic", id="b", title="B", quote="r"),
)
ALL = "(1 sentence was left out for citing what does not exist.)"


def said(*pieces: str) -> list[str]:
    """The sentences that pass, as they are shown."""
    return [sentence.text for sentence in checked(pieces, CITATIONS)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Decode is bound by memory [1].", ["Decode is bound by memory [1]."]),
        ("Decode is bound by memory. [1] [2]", ["Decode is bound by memory. [1] [2]"]),
        ("One thing is so [1]. Another thing is [2].", ["One thing is so [1].", "Another thing is [2]."]),
        ("It is so [1, 99] and so [98].", ["It is so [1] and so."]),
        ("This is true [1]. The moon is cheese [99].", ["This is true [1].", ALL]),
        ("The moon is cheese [99].", []),
        ("The moon is made of cheese.", ["The moon is made of cheese. (no source)"]),
        ("## What the lists say here", ["## What the lists say here"]),
        ("Here is what they say:", ["Here is what they say:"]),
        ("Shall I go on with that?", ["Shall I go on with that?"]),
        ("Yes.", ["Yes."]),
        (
            "1. Read A first, e.g. today [1]\n2. Then read B [2]",
            ["1. Read A first, e.g. today [1]", "2. Then read B [2]"],
        ),
    ],
)
def test_each_sentence_is_held_against_the_quotes(text: str, shown: list[str]) -> None:
    """Made-up citations go, what has none is marked, what states nothing may stand."""
    assert said(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See [A](https://example.org/a_(1)) for this [1].", "See [A](<https://example.org/a_(1)>) for this [1]."),
        ("See [A](<https://example.org/a_(1)>) for this [1].", "See [A](<https://example.org/a_(1)>) for this [1]."),
        ("See [this](https://evil.example/?q=1) for more [1].", "See this for more [1]."),
        ("See ![pixel](https://evil.example/p.png) in this [1].", "See pixel in this [1]."),
        ("See ![A](https://example.org/a_(1)) in this [1].", "See A in this [1]."),
        ("See https://evil.example/x for this [1].", "See (link removed) for this [1]."),
        ("See //evil.example/x or www.evil.example [1].", "See (link removed) or (link removed) [1]."),
        ("See <img src=x onerror=alert(1)> here [1].", "See \\<img src=x onerror=alert(1)> here [1]."),
        ("See [click](javascript:alert(1)) for it [1].", "See click for it [1]."),
        ("It is so, says the list [1](https://evil.example).", "It is so, says the list [1]."),
        ("Look at ![this\nor](https://evil.example) that [1].", "Look at !\\[this"),
    ],
)
def test_only_links_of_the_quotes_stay_and_nothing_loads_by_itself(text: str, shown: str) -> None:
    assert said(text)[0] == shown


def test_marks_may_come_in_pieces() -> None:
    """A sentence is given when it surely ends, with the marks that stand behind it."""
    assert said("Decode is ", "bound by memory.", " [", "1", "]", " Batches help", " [2].") == [
        "Decode is bound by memory. [1]",
        "Batches help [2].",
    ]


def test_a_sentence_is_given_as_soon_as_it_is_whole() -> None:
    pieces = iter(["This is so [1]. ", "And ", "this is [2]."])

    assert next(iter(checked(pieces, CITATIONS))).text == "This is so [1]."
    assert list(pieces) == ["this is [2]."]


@given(st.lists(st.sampled_from(["A", "b", " ", "\n", ". ", ".", "[1]", "[9]", "!", "[", "](", "x y z u", "e.g. "])))
def test_how_a_text_is_cut_into_pieces_does_not_matter(pieces: list[str]) -> None:
    assert list(checked(pieces, CITATIONS)) == list(checked(["".join(pieces)], CITATIONS))


@given(st.text(alphabet="ab. []()!<>1290,\n\\hps:/"))
def test_nothing_cited_is_made_up_whatever_is_written(text: str) -> None:
    sentences = list(checked([text], CITATIONS))

    assert {n for sentence in sentences for n in sentence.citations} <= {1, 2}


def test_a_sentence_without_end_is_cut() -> None:
    """Or a model that goes on and on would be read again from the start with each word."""
    text = "word " * 1000

    assert next(len(s.before + s.text) for s in checked([text], CITATIONS)) <= LONGEST + len(f" {UNCITED}")
    assert list(checked(list(text), CITATIONS)) == list(checked([text], CITATIONS))


def test_lines_stay_lines_where_one_between_is_left_out() -> None:
    sentences = checked(["- It is so [1]\n- It is cheese [99]\n- It is this [2]"], CITATIONS)

    assert "".join(s.before + s.text for s in sentences).startswith("- It is so [1]\n- It is this [2]")


def test_numbers_of_an_answer_before_are_taken_out() -> None:
    assert without_marks("It is so [1]. And so [2, 3].") == "It is so. And so."
