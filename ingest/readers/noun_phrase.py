"""Around the noun that names a kind of work: to the left its owner and name, to the right its topic and maker.

In "@jane's great talk on tiling" the noun is "talk"; in "the Roofline paper by Doe and Roe" it is "paper".
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ingest.readers.prose_words import (
    ABOUT,
    ARTICLES,
    NAME_ENDS_BEFORE,
    NAME_STARTS_AFTER,
    NO_ARTICLES,
    NOUNS,
    PRAISE,
    PRONOUNS,
    QUESTIONS,
    SMALL_IN_TITLES,
    TOPICAL,
    VAGUE,
)
from ingest.readers.sentence import Sentence

_MOST_LEFT, _MOST_RIGHT, _MOST_MAKERS = 7, 14, 7


@dataclass(frozen=True)
class Left:
    """What stands before a noun. `first` is the token where the name begins, `start` where the owner does."""

    start: int
    first: int
    owner: str = ""
    by_handle: bool = False
    article: str = ""
    names: str = ""  # the words that are written like names
    described: bool = False


@dataclass(frozen=True)
class Right:
    """What stands after a noun. `last` is the last token of what it is about, `end` that of its makers."""

    last: int
    end: int
    numbered: bool = False
    about: bool = False
    topical: bool = False  # what it is about is told by "on" and the like, not by "of"
    title: int = 0  # the token where a proper title begins, as in "a talk on How to Wait"
    makers: tuple[str, ...] = ()


def noun_at(sentence: Sentence, index: int) -> str:
    """The noun that ends there, in the singular or plural; "" if none does."""
    word = sentence.at(index).low
    pair = f"{sentence.at(index - 1).low} {word}"
    return next((noun for noun in (pair, word) if noun in NOUNS or noun.removesuffix("s") in NOUNS), "")


def read_left(sentence: Sentence, end: int) -> Left | None:
    """Reads backwards from a noun; None if the work is known already, or one's own, or anyone's."""
    at = end
    while at > 0 and end - at < _MOST_LEFT:
        word = sentence.at(at - 1)
        if word.low in NO_ARTICLES:
            return None
        if word.low in ARTICLES:
            return _described(sentence, Left(at, at, article=word.low), end)
        if word.is_handle:
            return _described(sentence, Left(at - 1, at, word.bare, by_handle=True), end)
        if word.is_possessive:
            return _owned(sentence, at, end)
        if word.low in NAME_STARTS_AFTER or not word.is_word:
            break
        at -= 1
    return _described(sentence, Left(at, at), end)


def _owned(sentence: Sentence, at: int, end: int) -> Left | None:
    """The owner in the possessive before `at`, with up to two names before it."""
    owner, start = sentence.at(at - 1).bare, at - 1
    if not owner[:1].isupper() or (start == 0 and owner.lower() in PRONOUNS):
        return None
    while at - start < 3 and start > 0 and sentence.names_at(start - 1):
        start -= 1
    owner = " ".join([*(sentence.at(index).text for index in range(start, at - 1)), owner])
    return _described(sentence, Left(start, at, owner), end)


def _described(sentence: Sentence, left: Left, end: int) -> Left:
    """Adds what stands between article or owner and noun. Praise is no part of it; alone it begins with a name."""
    first, alone = left.first, not (left.owner or left.article)
    while first < end and (sentence.at(first).low in PRAISE or (alone and not sentence.names_at(first))):
        first += 1
    words = range(first, end)
    return replace(
        left,
        start=first if alone else left.start,
        first=first,
        names=" ".join(sentence.at(index).text for index in words if sentence.names_at(index)),
        described=any(sentence.at(index).low not in VAGUE for index in words),
    )


def read_right(sentence: Sentence, index: int) -> Right:
    """Reads on from a noun: number, title in quotes or topic, makers."""
    numbered = sentence.at(index + 1).text.isdigit()
    last = index + numbered
    follower = sentence.at(last + 1).low
    begin = last + (2 if follower in ABOUT else 1)
    right = Right(last, last, numbered)
    closing = sentence.end_of_quote(begin)
    if closing > begin + 1:
        right = replace(right, last=closing, end=closing, about=True, topical=True, title=begin)
    elif follower in ABOUT and (end := end_of_topic(sentence, begin)) >= begin:
        title = begin if sentence.at(begin).text in QUESTIONS else 0
        right = replace(right, last=end, end=end, about=True, topical=follower in TOPICAL, title=title)
    makers, end = read_makers(sentence, right.last + 1)
    return replace(right, end=end, makers=makers) if makers else right


def end_of_topic(sentence: Sentence, begin: int) -> int:
    """The last token of what a work is about; `begin - 1` if nothing is said."""
    at, asks = begin, sentence.at(begin).text in QUESTIONS
    while at - begin < _MOST_RIGHT:
        word = sentence.at(at)
        if word.text == "," or word.low in ("and", "&"):
            if not (asks or (sentence.at(at - 1).is_name and sentence.at(at + 1).is_name)):
                break
        elif not word.is_word or (word.low in NAME_ENDS_BEFORE and not asks):
            break
        at += 1
    while at > begin and (sentence.at(at - 1).low in SMALL_IN_TITLES or not sentence.at(at - 1).is_word):
        at -= 1
    return at - 1


def read_makers(sentence: Sentence, index: int) -> tuple[tuple[str, ...], int]:
    """The names after "by", also in brackets as in "(organised by @jane)", and the last token of them."""
    if sentence.at(index).text == "(":
        index = next((at for at in range(index + 1, index + 5) if sentence.at(at).low == "by"), index)
    makers: list[str] = []
    at = index
    joins = sentence.at(at).low in ("by", "from")
    while joins and len(makers) < _MOST_MAKERS:
        begin = at + 1
        end = begin + 1 if sentence.at(begin).is_handle else sentence.end_of_name(begin)
        whose_else = sentence.at(end - 1).is_possessive and not sentence.at(begin).is_handle
        if end == begin or whose_else:
            break
        makers.append(" ".join(sentence.at(word).bare for word in range(begin, end)))
        at, joins = end, sentence.at(end).low in ("and", ",", "&")
    return tuple(makers), at - 1
