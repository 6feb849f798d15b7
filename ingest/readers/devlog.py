"""Devlogs: posts of one person in a row, each below a line such as "Day 3/100 of Triton", "12/365" or a date.

    Day 2/100 of Triton
    Watched @jane's talk on tiling.
    Day 1/100 of Triton
    ...

Posts without such a line may stand between them: answers and announcements. A copy of a post counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graph.models import DevlogEntry, Mention
from ingest.readers.base import Reading, Text
from ingest.readers.labels import ANSWER, Named, works_in
from ingest.readers.plain_text import classify
from ingest.readers.prose import context_of
from ingest.readers.works import split_urls

_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?"
_DAY_OF_MONTH = r"\d{1,2}(?:st|nd|rd|th)?"
# Before a head may stand a heading's mark, emoji and two hashtags; a bullet's mark may not.
_DECORATION = r"(?![-*+•]\s)(?:[#>*_\s\[]|[^\w\s\x00-\x7f]){0,12}(?:#\w{1,40}\s){0,2}"
_REST = r"(?=\s{0,3}(?:$|[:.,|)\]*_–—-]|of\b|days?\b))"
# The heads of posts. `day` is the number of the day; `days`, of how many, is the sign of a devlog.
_HEADS = tuple(
    re.compile(_DECORATION + mark + _REST, re.IGNORECASE)
    for mark in (
        r"day\s?#?(?P<day>\d{1,4})(?P<days>\s?(?:/|of)\s?\d{1,4})?",
        r"(?P<day>\d{1,4})(?P<days>\s?/\s?\d{2,4})",
        r"(?:week|devlog|log|entry)\s?#?\d{1,4}",
        r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}",
        rf"(?:[a-z]{{3,9}},?\s)?(?:{_DAY_OF_MONTH}\s{_MONTH}|{_MONTH}\s{_DAY_OF_MONTH}),?\s\d{{4}}",
    )
)
_RULE_LINE = re.compile(r"\s{0,3}(?:-{3,80}|\*{3,80}|_{3,80}|={3,80})\s{0,80}$")
_BULLET = re.compile(r"\s{0,40}(?:[-*+•](?=\s|http)|\d{1,3}[.)]\s)")
_HANDLE = re.compile(r"(?<![\w@/.])@(\w{1,30})")
# Posts without a head. An announcement leads to a link, and may have one short line before it, to catch the eye.
_ANNOUNCEMENT = re.compile(
    r"(?:just )?(?:introducing|announcing|presenting|out now)\b"
    r"|new (?:\w{1,30} ){0,3}(?:article|blog|episode|paper|post|release|video)\b"
    r"|.{0,100}\bwe(?: are|['’]re| have|['’]ve)? (?:\w{1,30} to |just )?(?:releas|introduc|announc|launch|open-?sourc)",
    re.IGNORECASE,
)
_LONGEST_HOOK, _LONGEST_HEADING, _LONGEST_INTRO = 60, 120, 500


@dataclass(frozen=True)
class _Post:
    """The lines of a post from `start` on, counted from 0; `head` is what of the first line begins it."""

    start: int
    lines: tuple[str, ...]
    head: re.Match[str] | None

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def is_title(self) -> bool:
        """Whether it is the title of the devlog, with a preface or without."""
        alone = len(self.lines) == 1 and len(self.lines[0]) <= _LONGEST_HOOK
        return not self.head and self.start == 0 and (alone or self.lines[0].startswith("#"))


class DevlogReader:
    """Reads devlogs: their posts, and the works that these name."""

    name = "devlog"

    def recognise(self, text: Text) -> float:
        """Sure of posts that are counted, "3/100", or have more prose than bullets; else it may be a plan in days."""
        heads = [head for line in text.lines if (head := _head(line))]
        roles = [line.role for line in classify(text)]
        counted = sum(head.groupdict().get("days") is not None for head in heads)
        if counted > 1 or (len(heads) > 1 and roles.count("prose") >= roles.count("bullet")):
            return 0.97
        return 0.4 if heads else 0.0

    def read(self, text: Text) -> Reading:
        """The posts without copies, in the order of the text, and what they mention."""
        posts = _without_copies(_posts(text.lines))
        mentions = tuple(mention for post in posts for mention in _mentions(text.source, post))
        return Reading(mentions, tuple(_entry(text.source, post) for post in posts if not post.is_title))


def _posts(lines: Sequence[str]) -> list[_Post]:
    """Cuts at heads and rules, and then where a post without a head follows another one."""
    starts = [at for at, line in enumerate(lines) if _head(line) or _RULE_LINE.match(line)]
    blocks = [post for start, end in pairwise([0, *starts, len(lines)]) if (post := _post(lines, start, end))]
    by_length = sorted(blocks, key=lambda post: len(post.lines), reverse=True)
    shortest = {post.lines[0]: post for post in by_length}
    return [part for post in blocks for part in _parts(lines, post, shortest[post.lines[0]])]


def _parts(lines: Sequence[str], post: _Post, copy: _Post) -> Iterator[_Post]:
    """Cuts a post where answers and announcements begin, and where it goes on after what is a copy."""
    last_link = max((at for at, line in enumerate(post.lines) if "://" in line), default=-1)
    cuts = {post.start + at for at in range(1, len(post.lines)) if _begins(post, at, last_link)}
    if post.head and len(copy.lines) < len(post.lines) and post.lines[: len(copy.lines)] == copy.lines:
        cuts.add(post.start + len(copy.lines))
    bounds = [post.start, *sorted(cuts), post.start + len(post.lines)]
    return (part for start, end in pairwise(bounds) if (part := _post(lines, start, end)))


def _begins(post: _Post, at: int, last_link: int) -> bool:
    """Whether a post without a head begins there. The line below a head belongs to it."""
    first = 2 if post.head else 1
    if at < first:
        return False
    if ANSWER.match(post.lines[at]):
        return True
    if _announces(post, at, last_link):
        return at == first or not _is_hook(post.lines[at - 1])
    return _is_hook(post.lines[at]) and _announces(post, at + 1, last_link)


def _announces(post: _Post, at: int, last_link: int) -> bool:
    return at <= last_link and _ANNOUNCEMENT.match(post.lines[at]) is not None


def _is_hook(line: str) -> bool:
    return 0 < len(line.strip()) <= _LONGEST_HOOK


def _post(lines: Sequence[str], start: int, end: int) -> _Post | None:
    """The post between two lines, without empty lines and rules around it; None if nothing is left."""
    filled = [at for at in range(start, end) if lines[at].strip() and not _RULE_LINE.match(lines[at])]
    if not filled:
        return None
    return _Post(filled[0], tuple(lines[filled[0] : filled[-1] + 1]), _head(lines[filled[0]]))


def _head(line: str) -> re.Match[str] | None:
    return next((match for head in _HEADS if (match := head.match(line))), None)


def _without_copies(posts: Sequence[_Post]) -> list[_Post]:
    first = {post.text: post for post in reversed(posts)}
    return [post for post in posts if first[post.text] is post]


def _entry(source: str, post: _Post) -> DevlogEntry:
    day = post.head.groupdict().get("day") if post.head else None
    handles = dict.fromkeys(match[1] for match in _HANDLE.finditer(post.text))
    urls = dict.fromkeys(piece.url for piece in split_urls(post.text) if piece.url)
    return DevlogEntry(
        source=source,
        line=post.start + 1,
        end_line=post.start + len(post.lines),
        day=int(day) if day else None,
        text=post.text,
        handles=tuple(handles),
        urls=tuple(urls),
    )


def _mentions(source: str, post: _Post) -> Iterator[Mention]:
    """The works of a post, each one where it is named first."""
    context, section, intro, seen = context_of(post.text), _section(post), "", set[str]()
    for at, line in enumerate(post.lines):
        words = line[post.head.end() :].lstrip(":.,*_ ") if post.head and not at else line
        bullet = _BULLET.match(words) is not None
        intro = intro if bullet else _intro(words)
        for work in works_in(words, context, intro if bullet else ""):
            keys = {key for key in (work.title.casefold(), work.url) if key}
            if keys.isdisjoint(seen):
                yield _mention(source, post.start + at + 1, section, work)
            seen |= keys


def _intro(line: str) -> str:
    """The line that announces a list, "" if it does not."""
    words = line.strip()
    return words if words.endswith(":") and " " in words and len(words) <= _LONGEST_INTRO else ""


def _mention(source: str, line: int, section: tuple[str, ...], work: Named) -> Mention:
    return Mention(
        source=source,
        line=line,
        title=work.title,
        url=work.url,
        authors=work.authors,
        kind=work.kind,
        section=section,
        note=work.note,
    )


def _section(post: _Post) -> tuple[str, ...]:
    """The head as a heading; of a line that goes on with the post itself only what makes it a head."""
    if not post.head:
        return ()
    heading = post.lines[0] if len(post.lines[0]) <= _LONGEST_HEADING else post.head[0]
    return (heading.strip("#>*_[] \t"),)
