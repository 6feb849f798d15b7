"""Sentences and their tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ingest.readers.prose_words import NAME_STARTS_AFTER, NO_ARTICLES, NOUNS, PRAISE, VAGUE

_DEPARTMENTS = "CMSC|COMP|COMS|CPSC|CSCI|CSEP|CSE|CSC|CME|CS|EECS|ECE|EE|MATH|STATS|STAT"
_COURSE = re.compile(rf"(?:{_DEPARTMENTS}) ?\d{{2,4}}[A-Z]?|\d{{1,2}}\.S\d{{2,3}}")
_TOKEN = re.compile(
    rf"https?://\S+|\b(?:{_COURSE.pattern})\b|@\w+(?:['’]s\b)?|\w+(?:[.+/&'’-]+\w+)*(?:\++|(?<=s)['’](?=\s))?|\S"
)
_SENTENCE_END = re.compile(r"[.!?…](?<!\b[A-Z]\.)\s{1,8}(?=[A-Z@“\"«(])")
_POSSESSIVE = re.compile(r"['’]s?$")
_NO_NAME = NO_ARTICLES | NOUNS.keys() | PRAISE | VAGUE | {"i"}
# Nobody writes longer ones; they are junk, and are passed over.
LONGEST_SENTENCE = 2_000
_QUOTES = {'"': '"', "“": "”", "«": "»"}
_LONGEST_QUOTE = 20
_LONGEST_NAME = 40


class Token(NamedTuple):
    """A word, a @handle, a course code, a URL or a single mark, and where it stands."""

    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """In lower case, with straight apostrophes."""
        return self.text.lower().replace("’", "'")

    @property
    def bare(self) -> str:
        """Without "@" and "'s"."""
        return _POSSESSIVE.sub("", self.text).removeprefix("@")

    @property
    def is_word(self) -> bool:
        """Neither a mark nor a handle nor a URL."""
        return self.text[0].isalnum() and "://" not in self.text

    @property
    def is_handle(self) -> bool:
        """As in "@jane" and "@jane's"."""
        return self.text[0] == "@" and len(self.text) > 1

    @property
    def is_possessive(self) -> bool:
        """As in "Jane's" and "@jane's"."""
        return _POSSESSIVE.search(self.text) is not None

    @property
    def is_course(self) -> bool:
        """A course code such as "CS999"."""
        return _COURSE.fullmatch(self.text) is not None

    @property
    def is_name(self) -> bool:
        """Written with a capital, and not a word for a work or its quality."""
        return self.text[0].isupper() and self.low not in _NO_NAME and len(self.text) < _LONGEST_NAME

    @property
    def is_coined(self) -> bool:
        """With capitals inside, as in "SomeThing"; not a plural such as "GPUs"."""
        inner = self.bare[1:].removesuffix("s")
        return self.is_name and any(map(str.islower, inner)) and any(map(str.isupper, inner))


_BEYOND = Token(".", 0, 0)


@dataclass(frozen=True)
class Sentence:
    """A text and its tokens."""

    text: str
    tokens: Sequence[Token]

    @classmethod
    def of(cls, text: str) -> Sentence:
        """The sentence with that text."""
        return cls(text, tokenize(text))

    @cached_property
    def words(self) -> frozenset[str]:
        """All words in lower case."""
        return frozenset(token.low for token in self.tokens)

    def at(self, index: int) -> Token:
        """The token there; beyond the ends of the sentence a full stop."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else _BEYOND

    def cut(self, first: int, last: int) -> str:
        """The words from one token to another as written, with a capital in front."""
        text = self.text[self.tokens[first].start : self.tokens[last].end].removeprefix("@").strip(' ,"“”«»')
        return text[:1].upper() + text[1:] if first < last else text

    def names_at(self, index: int) -> bool:
        """Whether a name stands there. A capital is a weak sign where the sentence begins."""
        word = self.at(index)
        if index > 0 or not word.is_name:
            return word.is_name
        sure = word.is_coined or word.text.isupper() or self.at(1).is_name
        return sure and word.low not in NAME_STARTS_AFTER

    def end_of_name(self, index: int) -> int:
        """The token after the name, of four words at most, that begins there."""
        end = index
        while end - index < 4 and self.at(end).is_name:
            end += 1
        return end

    def end_of_quote(self, index: int) -> int:
        """The token that closes the quote which opens there; -1 if none opens, or it does not close soon."""
        opens = self.at(index)
        inside = self.text[opens.end : opens.end + 1]
        if opens.text not in _QUOTES or inside.isspace() or self.text[max(opens.start - 1, 0) : opens.start].isalnum():
            return -1
        window = range(index + 1, min(index + _LONGEST_QUOTE, len(self.tokens)))
        return next((at for at in window if self.at(at).text == _QUOTES[opens.text]), -1)


def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a text."""
    return tuple(Token(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence: it ends where a mark, a blank and a capital follow each other."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        yield start, match.start() + 1
        start = match.end()
    yield start, len(text)
