"""Plain lists without markup.

A line is a section, a bullet is a work, and a bullet that is a sentence is a remark on the work above it:

    Inference engines
    - Some Engine - a good start
    - Another Engine
    - The chapter on scheduling is the best one.

Remarks are told from works by their looks alone, as in these lists both are bullets of one level.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from ingest.readers.base import Reading, Text
from ingest.readers.mentions import Item, mentions_of
from ingest.readers.outline import Outline, is_tier
from ingest.readers.plain_text import Line, body, classify
from ingest.readers.works import find_works, lower_case_share, split_urls

# What sentences have and titles hardly ever: an opinion, a pronoun, a verb that is no imperative.
_OPINION = re.compile(
    r"(?:a |an |the |very |really |another |some )?(?:also|amazing|awesome|best|cool|definitely|excellent|fun|good|"
    r"great|hard|helpful|interesting|love|must|nice|probably|recommended|super|useful|worth)\b|"
    r"(?:for|similar to|still|from the)\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    r"\b(?:i|i'm|i’m|i've|you|we|they|it|it's|it’s|this|is|are|was|were|has|have|does|should)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"(?:caveat|edit|example|flow|idea|key idea|note|notes|pros|cons|summary|tl;?dr|update|warning):",
    re.IGNORECASE,
)
_LONG = 12


class PlainListReader:
    """Reads plain-text lists; the format of last resort."""

    name = "plain-list"

    def recognise(self, text: Text) -> float:
        """Half sure of any text with a bullet: whoever sees more in it may read it."""
        return 0.3 if any(line.role == "bullet" for line in classify(text)) else 0.1

    def read(self, text: Text) -> Reading:
        """Every bullet is a work, or a remark on the one before it in the same section."""
        outline, items, group = Outline(), list[Item](), False
        lines = body(text)
        for line, below in zip_longest(lines, lines[1:]):
            if line.role == "heading" and is_tier(line.text):
                outline.enter(3, line.text)
            elif line.role == "heading":
                opens_group = below is not None and below.role == "heading" and not is_tier(below.text)
                outline.enter(2 if group and not opens_group else 1, line.text)
                group = opens_group
            elif line.role == "bullet":
                _take(line, outline, items)
        return Reading(tuple(mention for item in items for mention in mentions_of(text.source, item)))


def _take(line: Line, outline: Outline, items: list[Item]) -> None:
    place = outline.place()
    if items and items[-1].place == place and is_remark(line.text):
        items[-1].remarks.append(line.text)
    elif not place.is_about_the_list:
        items.append(Item(line.number, place, find_works(list(split_urls(line.text)))))


def is_remark(text: str) -> bool:
    """Whether a bullet is a sentence about another bullet instead of a work of its own."""
    if "://" in text:
        return False
    if _ASIDE.match(text):
        return True
    title = text.split(" - ", 1)[0].split(": ", 1)[0]
    words = len(title.split())
    if lower_case_share(title) < 0.6 or words < 3:
        return False
    return bool(words >= _LONG or title.endswith(".") or _OPINION.match(title) or _STATEMENT.search(title))
