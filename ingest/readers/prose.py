"""Works that a sentence names without a link: "@jane's talk on tiling", "the Roofline paper", "CS999 lecture 3".

The rules are a table; each looks at one token and the few around it, so the time is linear in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from graph.models import Kind
from ingest.readers.kinds import guess_kind
from ingest.readers.names import is_person
from ingest.readers.noun_phrase import Left, Right, end_of_topic, noun_at, read_left, read_makers, read_right
from ingest.readers.prose_words import (
    NOUNS,
    READING,
    RELEASING,
    SMALL_IN_TITLES,
    STRONG_NOUNS,
    USING,
    WATCHING,
    WEAK_NOUNS,
)
from ingest.readers.sentence import LONGEST_SENTENCE, Sentence, sentences, tokenize

_LONGEST_TITLE = 20
_LEAST_WORDS = 3
_CODE = re.compile(r"code|github", re.IGNORECASE)


@dataclass(frozen=True)
class Context:
    """What a post is about, for phrases that only make sense in it: "the paper", "lecture 3"."""

    subject: str = ""
    course: str = ""
    about: str = ""  # the sentence that releases the subject


@dataclass(frozen=True)
class Phrase:
    """A work named in a sentence, from its character `start` to `end`."""

    start: int
    end: int
    title: str
    authors: tuple[str, ...]
    kind: Kind


@dataclass(frozen=True)
class _Found:
    """A phrase by its tokens, the last one included."""

    first: int
    last: int
    title: str
    authors: tuple[str, ...]
    kind: Kind


def context_of(text: str) -> Context:
    """The subject of a post is what it releases, or else the coined name that it uses twice or more."""
    course, released, coined = "", "", Counter[str]()
    about = ""
    for start, end in sentences(text):
        tokens = tokenize(text[start:end]) if end - start <= LONGEST_SENTENCE else ()
        course = course or next((token.text for token in tokens if token.is_course), "")
        coined.update(token.bare for token in tokens if token.is_coined and not token.is_course)
        if not released:
            released = next((b.text for a, b in pairwise(tokens) if a.low in RELEASING and b.is_name), "")
            about = text[start:end] if released else ""
    repeated = next((name for name, times in coined.most_common(1) if times > 1), "")
    return Context(released or repeated, course, about)


def find_phrases(text: str, context: Context) -> list[Phrase]:
    """The works that a sentence names, in its order. Where two rules see one, the first of the table counts."""
    sentence = Sentence.of(text)
    taken: set[int] = set()
    phrases = []
    for rule in _RULES:
        for index in range(len(sentence.tokens)):
            found = None if index in taken else rule(sentence, index, context)
            if found and taken.isdisjoint(span := range(found.first, found.last + 1)):
                taken.update(span)
                start, end = sentence.at(found.first).start, sentence.at(found.last).end
                phrases.append(Phrase(start, end, found.title, found.authors, found.kind))
    return sorted(phrases, key=lambda phrase: phrase.start)


def kind_of_label(label: str) -> Kind | None:
    """What a label says that a link is: its last strong noun, or a word for code."""
    sentence = Sentence.of(label)
    nouns = (noun_at(sentence, index) for index in reversed(range(len(sentence.tokens))))
    kind = next((STRONG_NOUNS[noun] for noun in nouns if noun in STRONG_NOUNS), None)
    return kind or ("repo" if _CODE.search(label) else None)


def take_makers(text: str) -> tuple[tuple[str, ...], str]:
    """Takes the makers from the front of "by Jane Doe, and so on"."""
    sentence = Sentence.of(text[:300])
    makers, last = read_makers(sentence, 0)
    return (makers, text[sentence.at(last).end :]) if makers else ((), text)


def _by_noun(sentence: Sentence, index: int, context: Context) -> _Found | None:
    """The noun says what it is: "Jane Doe's worklog on softmax", "the softmax paper", "lecture 3"."""
    noun = noun_at(sentence, index)
    if not noun or noun_at(sentence, index + 1):
        return None
    left = read_left(sentence, index - noun.count(" "))
    if not left:
        return None
    right, kind = read_right(sentence, index), _kind(sentence, noun)
    if not _says_which(sentence, noun, left, right):
        title = _title_by_context(sentence, noun, left, right, context)
        return _Found(index, index, title, (), kind) if title else None
    owner = left.owner or (left.names if kind != "paper" and is_person(left.names) else "")
    authors = tuple(dict.fromkeys(filter(None, (owner, *right.makers))))
    return _Found(left.start, right.end, _title(sentence, noun, left, right, context), authors, kind)


def _watched(sentence: Sentence, index: int, context: Context) -> _Found | None:
    """Someone who is watched at work: "watched @jane debug a race condition"."""
    handle = sentence.at(index + 1)
    if sentence.at(index).low not in WATCHING or not handle.is_handle:
        return None
    last = end_of_topic(sentence, index + 2)
    return _Found(index + 1, last, sentence.cut(index + 2, last), (handle.bare,), "video") if last > index + 2 else None


def _quoted(sentence: Sentence, index: int, context: Context) -> _Found | None:
    """A title in quotes, where the sentence speaks of reading or of a kind of work."""
    closing = sentence.end_of_quote(index)
    if closing - index <= _LEAST_WORDS or not sentence.words & (USING | NOUNS.keys()):
        return None
    return _titled(sentence, index, closing)


def _capitalised(sentence: Sentence, index: int, context: Context) -> _Found | None:
    """A title by its capitals, right after a word for reading: "read Notes on Warp Shuffles by Jane Doe"."""
    if sentence.at(index).low not in READING or not _is_capital(sentence, index + 1):
        return None
    window = range(index + 1, index + _LONGEST_TITLE)
    end = next(
        (at for at in window if not (_is_capital(sentence, at) or sentence.at(at).low in SMALL_IN_TITLES)), window.stop
    )
    while sentence.at(end - 1).low in SMALL_IN_TITLES:
        end -= 1
    capitals = sum(_is_capital(sentence, at) for at in range(index + 1, end))
    return _titled(sentence, index + 1, end - 1) if capitals >= _LEAST_WORDS else None


def _is_capital(sentence: Sentence, index: int) -> bool:
    return sentence.at(index).text[0].isupper()


def _titled(sentence: Sentence, first: int, last: int) -> _Found:
    makers, end = read_makers(sentence, last + 1)
    title = sentence.cut(first, last)
    return _Found(first, end if makers else last, title, makers, guess_kind(None, title, sentence.text, ()))


def _course(sentence: Sentence, index: int, context: Context) -> _Found | None:
    """A course by its code, with the school before it."""
    if not sentence.at(index).is_course:
        return None
    first = index - (index > 1 and sentence.at(index - 1).is_name)
    return _Found(first, index, sentence.cut(first, index), (), "course")


_RULES: tuple[Callable[[Sentence, int, Context], _Found | None], ...] = (
    _by_noun,
    _watched,
    _quoted,
    _capitalised,
    _course,
)


def _kind(sentence: Sentence, noun: str) -> Kind:
    """What the noun says; an analysis or guide that one watches is a video."""
    singular = noun if noun in NOUNS else noun.removesuffix("s")
    return "video" if singular in WEAK_NOUNS and sentence.words & WATCHING else NOUNS[singular]


def _says_which(sentence: Sentence, noun: str, left: Left, right: Right) -> bool:
    """Whether the words around a noun tell which work it is."""
    if left.owner or right.makers or is_person(left.names):
        return True
    if noun.title() in sentence.cut(left.first, right.last) and len(left.names.split()) > 1:
        return True
    if noun not in STRONG_NOUNS:
        return False
    if right.numbered and noun in ("chapter", "lecture"):
        return noun == "lecture" or bool(left.names) or right.about
    if left.names or right.title:
        return left.article in ("the", "")
    if right.topical:
        return bool(left.article)
    return left.article == "the" and left.described and bool(sentence.words & USING)


def _title_by_context(sentence: Sentence, noun: str, left: Left, right: Right, context: Context) -> str:
    """The title of "the paper" in a post about one thing."""
    bare = left.article == "the" and not left.described and not right.topical
    text = STRONG_NOUNS.get(noun) in ("paper", "blog") and sentence.words & READING
    return f"{context.subject} {noun}" if bare and text and context.subject else ""


def _title(sentence: Sentence, noun: str, left: Left, right: Right, context: Context) -> str:
    """The phrase as written: a title of its own, or else the name with owner or makers where it says little alone."""
    if right.title:
        return sentence.cut(right.title, right.last)
    first = left.start if left.owner and not left.by_handle else left.first
    if right.last - first == noun.count(" "):
        return sentence.cut(left.start, right.end)
    title = sentence.cut(first, right.last)
    if context.course and noun == "lecture" and right.numbered and not left.owner and not left.names:
        return f"{context.course} {title[:1].lower()}{title[1:]}"
    return title
