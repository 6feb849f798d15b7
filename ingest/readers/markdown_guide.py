"""Markdown lists: headings and tiers, bullets such as `[title](url) - author. note`, tables, bare links.

markdown-it cuts the text into blocks and gives each its line; a block's inside is parsed only where a work may stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType

from ingest.readers.base import Reading, Text
from ingest.readers.mentions import Item, mentions_of
from ingest.readers.outline import Outline
from ingest.readers.works import LONGEST_ITEM, Piece, find_row_work, find_works, split_urls

_HEADING = re.compile(r" {0,3}#{1,6}\s")
_LINK = re.compile(r"\]\((?:https?:)?/|^ {0,3}\[[^\]]{1,200}\]: ?http")
_TICK_BOX = re.compile(r"\[([ xX])\]\s+")
_DASH = re.compile(r"\s(?:-{1,3}|–|—)\s")
_STRONG_LINE = re.compile(r"(?:\*\*|__)[^*_\[\]]{1,120}(?:\*\*|__):?$")
_STRONG_LEVEL = 7
# Inline parsing may be quadratic in the number of open brackets; a block with more of them is no item of a list.
_MOST_BRACKETS = 60


class _AsWritten(MarkdownIt):
    """Leaves URLs as they stand in the text instead of escaping them."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802 (their name)
        return url


class MarkdownGuideReader:
    """Reads Markdown lists of links."""

    name = "markdown-guide"

    def recognise(self, text: Text) -> float:
        """Sure of links below headings; headings without any link are left to whoever reads bare titles."""
        heading = any(map(_HEADING.match, text.lines))
        link = any(map(_LINK.search, text.lines))
        return {(True, True): 0.95, (False, True): 0.85, (True, False): 0.2}.get((heading, link), 0.0)

    def read(self, text: Text) -> Reading:
        """A work is a bullet or table row with a link, or with "title - note"; or a line that starts with a link."""
        walk = _Walk()
        for token in walk.markdown.parse("\n".join(text.lines), walk.env):
            walk.step(token)
        return Reading(tuple(mention for item in walk.items for mention in mentions_of(text.source, item)))


def _block_parser() -> MarkdownIt:
    markdown = _AsWritten("commonmark").enable("table")
    markdown.core.ruler.disable(["inline", "text_join"])
    return markdown


@dataclass
class _Walk:
    """The state of a walk over the blocks: `nested` has the item of every bullet that is open, None before its text."""

    markdown: MarkdownIt = field(default_factory=_block_parser)
    env: EnvType = field(default_factory=dict)
    outline: Outline = field(default_factory=Outline)
    items: list[Item] = field(default_factory=list)
    nested: list[Item | None] = field(default_factory=list)
    heading: int = 0
    titled: bool = False
    row: list[Token] | None = None

    def step(self, token: Token) -> None:
        """Takes the next block."""
        if token.type == "inline":
            self._text(token)
        elif token.type == "heading_open":
            self.heading = int(token.tag[1:])
        elif token.type == "list_item_open":
            self.nested.append(None)
        elif token.type == "list_item_close":
            self.nested.pop()
        elif token.type == "tr_open":
            self.row = []
        elif token.type == "tr_close" and self.row is not None:
            self._table_row(self.row)
            self.row = None

    def _text(self, token: Token) -> None:
        if self.heading:
            self._enter(token.content)
        elif self.row is not None:
            self.row.append(token)
        elif self.nested:
            self._bullet(token)
        else:
            self._paragraph(token)

    def _enter(self, content: str) -> None:
        """The first heading of level 1 is the document's title, unless it comes after an item."""
        is_title = self.heading == 1 and not self.titled and not self.items
        self.titled = self.titled or is_title
        self.outline.enter(self.heading, "" if is_title else _plain(self._pieces(content)))
        self.heading = 0

    def _bullet(self, token: Token) -> None:
        if self.nested[-1] is not None:
            self.nested[-1].remarks.append(_plain(self._pieces(token.content)))
            return
        tick = _TICK_BOX.match(token.content)
        content = token.content[tick.end() if tick else 0 :]
        parent = next((item for item in reversed(self.nested) if item), None)
        item = self._item(_line(token), content)
        if item.works:
            item.ticked = tick[1] != " " if tick else None
            self.items.append(item)
        elif parent and parent.works:
            parent.remarks.append(_plain(self._pieces(content)))
        self.nested[-1] = item

    def _paragraph(self, token: Token) -> None:
        if _STRONG_LINE.match(token.content):
            self.outline.enter(_STRONG_LEVEL, token.content.strip("*_:"))
            return
        for offset, line in enumerate(token.content.split("\n")):
            pieces = self._pieces(line)
            words = [piece for piece in pieces if piece.text.strip()]
            if words and words[0].url:
                self.items.append(self._item(_line(token) + offset, line))

    def _table_row(self, cells: list[Token]) -> None:
        """The title is the first cell whose link names a work, or else the first with a link or words."""
        columns = [self._pieces(cell.content) for cell in cells]
        if any(piece.url for column in columns for piece in column):
            place = self.outline.place()
            self.items.append(Item(_line(cells[0]), place, [] if place.is_about_the_list else find_row_work(columns)))

    def _item(self, line: int, content: str) -> Item:
        """The item of a bullet; without works if it is part of a table of contents, a label, or a rule for authors."""
        pieces, place = self._pieces(content), self.outline.place()
        linked = any(piece.url for piece in pieces)
        named = linked or ("](#" not in content and _DASH.search(content) is not None)
        return Item(line, place, find_works(pieces) if named and not place.is_about_the_list else [])

    def _pieces(self, content: str) -> list[Piece]:
        """The words and links of a block; none of one that is too long or too tangled for an item of a list."""
        if len(content) > LONGEST_ITEM or content.count("[") > _MOST_BRACKETS:
            return []
        tokens: list[Token] = []
        self.markdown.inline.parse(content, self.markdown, self.env, tokens)
        return list(_pieces(tokens))


def _pieces(tokens: list[Token]) -> Iterator[Piece]:
    """Words and links of a block; links inside the document count as words, pictures as nothing."""
    url: str | None = None
    words: list[str] = []
    for token in tokens:
        if token.type == "link_open":
            yield from split_urls("".join(words))
            words, url = [], str(token.attrGet("href") or "")
        elif token.type == "link_close":
            yield from _linked("".join(words), url or "")
            words, url = [], None
        elif token.type in ("softbreak", "hardbreak", "html_inline"):
            words.append(" ")
        elif token.type != "image":
            words.append(token.content)
    yield from split_urls("".join(words))


def _linked(words: str, url: str) -> Iterator[Piece]:
    if not url.lower().startswith(("http://", "https://")):
        yield Piece(words)
    elif words.strip():
        yield Piece(words, url)


def _plain(pieces: list[Piece]) -> str:
    return " ".join("".join(piece.text for piece in pieces).split())


def _line(token: Token) -> int:
    return (token.map or [0])[0] + 1
