"""Where an item stands: the headings above it, its tier, and what they ask the reader to do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from graph.models import Status

_TIER = re.compile(r"tier\W{0,3}(\d{1,3})\b", re.IGNORECASE)
_EMOJI_CODE = re.compile(r":[a-z][a-z\d_+-]{1,40}:")
# Parts of a list that are about the list.
_ABOUT_THE_LIST = frozenset(
    (
        "about", "acknowledgements", "acknowledgments", "authors", "citation", "citing", "code of conduct", "contact",
        "contents", "contribute", "contributing", "contribution", "contributions", "contributors", "disclaimer",
        "how to contribute", "how to read", "how to use", "index", "license", "licence", "maintainer", "maintainers",
        "purpose", "sponsors", "star history", "table of contents", "toc",
    )
)  # fmt: skip
# What a heading asks to do with the items below it; the first that fits counts.
_TO_DO: tuple[tuple[Status, re.Pattern[str]], ...] = (
    (
        "to_implement",
        re.compile(r"(?<!how )\bto (?:build|code|implement|port|write)\b|(?:/|and|&) ?implement\b"),
    ),
    (
        "to_read",
        re.compile(r"(?<!how )\bto[ -](?:be )?(?:read|watch)|\bunread\b|\bread(?:ing)? (?:later|queue|backlog)\b"),
    ),
)


@dataclass(frozen=True)
class Place:
    """The headings above an item, outermost first, without the document's title and without tiers."""

    section: tuple[str, ...] = ()
    tier: int | None = None

    @property
    def status(self) -> Status | None:
        """What the innermost heading asks to do with the item."""
        heading = self.section[-1].lower() if self.section else ""
        return next((status for status, words in _TO_DO if words.search(heading)), None)

    @property
    def is_about_the_list(self) -> bool:
        """Whether the text here is on contributing, licence and the like: nothing in it is a resource."""
        return any(plain_heading(heading) in _ABOUT_THE_LIST for heading in self.section)


@dataclass
class Outline:
    """The headings that are open while a text is read from top to bottom."""

    _open: list[tuple[int, str]] = field(default_factory=list)

    def enter(self, level: int, heading: str) -> None:
        """Opens a heading; it closes those of its own level and below."""
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, _EMOJI_CODE.sub("", heading).strip().rstrip(":").strip()))

    def place(self) -> Place:
        """Where an item at this point of the text stands."""
        tiers = [(match, text) for _, text in self._open if (match := _TIER.match(text))]
        section = tuple(text for _, text in self._open if text and not is_tier(text))
        return Place(section, int(tiers[-1][0][1]) if tiers else None)


def is_tier(heading: str) -> bool:
    """Whether a heading says how advanced what follows is, instead of what it is about."""
    return _TIER.match(heading) is not None


def plain_heading(heading: str) -> str:
    """A heading in lower case without numbers, emoji and punctuation around it."""
    return heading.lower().strip("".join({char for char in heading if not char.isalpha()}))
