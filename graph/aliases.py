"""Names in a text: exact phrases, whole words, the longest first. Used for linking and for reading goals and queries.

A phrase is compared with its blanks and hyphens squeezed out, so “flash attention”, “flash-attention” and
“FlashAttention” are one. Acronyms are told from words by their case, where the text is a curator's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate

_WORD = re.compile(r"[^\W_]+(?:\+\+)?")
_GAP = re.compile(r"[ \t]+|[-–_/'’.+&]")  # what may stand between two words of one phrase
_DENIALS = frozenset({"non", "not", "without", "no", "unlike", "besides", "beyond", "except"})
LONGEST = 8  # words in a phrase
ACRONYM = 6  # letters: longer names are no words by accident
# Names that are plain words of the field's prose too: “from zero” is not ZeRO, so they want their case from everybody.
_PLAIN_WORDS = frozenset({"clip", "eagle", "rapids", "ray", "soap", "zero"})


@dataclass(frozen=True, slots=True)
class Match:
    """A name found: whose it is, the words as written, and where they stand."""

    slug: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Name:
    slug: str
    spellings: set[str]

    def wants_case(self, squeezed: str, by_case: bool) -> bool:
        """Whether the name counts only as it is spelled. One spelling in small letters allows any case."""
        return squeezed in _PLAIN_WORDS or (by_case and all(map(_is_acronym, self.spellings)))

    def is_spelled(self, text: str) -> bool:
        return any(_same_case(text, spelling) for spelling in self.spellings)


class AliasIndex:
    """All names of a vocabulary; a lookup is one pass over the words of a text."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        """`names` maps each slug to everything it is called; where two claim a name, the first keeps it."""
        self._names: dict[str, _Name] = {}
        for slug, aliases in names.items():
            for alias in aliases:
                name = self._names.setdefault(squeeze(alias), _Name(slug, set()))
                if name.slug == slug:
                    name.spellings.add(alias)
        self._names.pop("", None)

    def find(self, text: str, *, by_case: bool = True, nested: bool = False) -> list[Match]:
        """Every name in the text, from left to right.

        `by_case` wants acronyms written as they are known: for curators' prose. People who type a query do not care.
        `nested` gives names inside longer ones too: “MLA decode” speaks of MLA as well.
        """
        words = list(_WORD.finditer(text))
        reach = _reach(text, words)
        found: list[Match] = []
        at = 0
        while at < len(words):
            here = list(self._beginning(text, words[at : at + reach[at]], by_case))
            if not _is_denied(text, words, at):
                found += [match for match, _ in (here if nested else here[:1])]
            at += here[0][1] if here and not nested else 1
        return found

    def get(self, name: str) -> str | None:
        """Slug of the one thing that is called exactly so, whatever the case."""
        entry = self._names.get(squeeze(name))
        return entry.slug if entry else None

    def _beginning(self, text: str, words: list[re.Match[str]], by_case: bool) -> Iterator[tuple[Match, int]]:
        """The names that begin with the first of some words in a row, the longest first, each with its length."""
        phrases = list(accumulate(word[0] for word in words))
        for count in range(len(words), 0, -1):
            start, end = words[0].start(), words[count - 1].end()
            for form in _forms(phrases[count - 1]):
                name = self._names.get(form)
                if name and (not name.wants_case(form, by_case) or name.is_spelled(text[start:end])):
                    yield Match(name.slug, text[start:end], start, end), count
                    break


def _forms(phrase: str) -> Iterator[str]:
    """The phrase itself, then its singular; of short ones only where the case tells (SMs, but not TPS)."""
    squeezed = phrase.casefold()
    yield squeezed
    if squeezed.endswith("s") and (len(squeezed) > 3 or (phrase.endswith("s") and phrase[:-1].isupper())):
        yield squeezed[:-1]


def squeeze(text: str) -> str:
    """A name without case, blanks and signs, as names are compared."""
    return "".join(_WORD.findall(text.casefold()))


def _reach(text: str, words: list[re.Match[str]]) -> list[int]:
    """For each word how many may be of one phrase that begins with it."""
    reach = [1] * len(words)
    for at in range(len(words) - 2, -1, -1):
        if _adjoin(text, words[at], words[at + 1]):
            reach[at] = min(LONGEST, 1 + reach[at + 1])
    return reach


def _adjoin(text: str, one: re.Match[str], next: re.Match[str]) -> bool:
    """Whether two words may stand in one phrase: only blanks or one hyphen or the like between them."""
    return _GAP.fullmatch(text, one.end(), next.start()) is not None


def _is_acronym(alias: str) -> bool:
    return len(alias) <= ACRONYM and " " not in alias and alias != alias.lower() and not alias.istitle()


def _same_case(text: str, alias: str) -> bool:
    return text == alias or text == alias + "s" or _WORD.findall(text) == _WORD.findall(alias)


def _is_denied(text: str, words: list[re.Match[str]], at: int) -> bool:
    """“non-NVIDIA hardware” and “other than NVIDIA” do not speak of NVIDIA."""
    before = words[max(at - 2, 0) : at]
    if not before or not _adjoin(text, before[-1], words[at]):
        return False
    said = [word[0].casefold() for word in before]
    return said[-1] in _DENIALS or said == ["other", "than"]
