"""Lines of a plain-text list: bullets, headings and prose, told apart by their looks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ingest.readers.base import Text
from ingest.readers.works import LONGEST_ITEM

_BULLET = re.compile(r"\s{0,40}(?:[-*+•·‣▪◦–—]|\d{1,3}[.)]|\[[ xX]\])\s{1,8}(?=\S)")
_MARKED_HEADING = re.compile(r" {0,3}#{1,6}\s{1,8}(?=\S)")
_BARE_URL = re.compile(r"\s{0,40}https?://\S")
_RULE = re.compile(r"[\W_]*$")
_LONGEST_HEADING = 12

Role = Literal["bullet", "heading", "prose"]


@dataclass(frozen=True)
class Line:
    """A line that is not empty. `number` counts from 1, `text` is without the bullet's mark."""

    number: int
    role: Role
    text: str
    ends_with_colon: bool = False


def classify(text: Text) -> Iterator[Line]:
    """The lines of a text with the part that each one plays; rules and empty lines are left out."""
    for number, raw in enumerate(text.lines, start=1):
        mark = _BULLET.match(raw)
        if len(raw) > LONGEST_ITEM:
            yield Line(number, "prose", raw.strip())
        elif mark or _BARE_URL.match(raw):
            yield Line(number, "bullet", raw[mark.end() if mark else 0 :].strip())
        elif not _RULE.match(raw):
            marked = _MARKED_HEADING.match(raw)
            words = raw[marked.end() if marked else 0 :].strip()
            yield Line(number, "heading" if marked or _is_heading(words) else "prose", words, words.endswith(":"))


def body(text: Text) -> list[Line]:
    """The lines below the title. A first line right above a bullet is a section and no title."""
    lines = list(classify(text))
    titled = len(lines) > 1 and lines[0].role != "bullet" and lines[1].role != "bullet"
    return lines[1:] if titled else lines


def _is_heading(words: str) -> bool:
    return words[-1] not in ".!,;" and len(words) < 200 and len(words.split()) <= _LONGEST_HEADING
