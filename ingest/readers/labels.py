"""Links in prose, and what the words around them say they are: "Paper: URL", "URL by Jane Doe", "[title](URL) - note".

A line gives its works in their order: those with a link, and those that are only named.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graph.models import Kind
from ingest.readers.kinds import guess_kind
from ingest.readers.prose import Context, Phrase, find_phrases, kind_of_label, take_makers
from ingest.readers.prose_words import POINTERS, SPEAKERS
from ingest.readers.sentence import LONGEST_SENTENCE, sentences, tokenize
from ingest.readers.works import Piece, reads_as_note, split_urls

_MARKDOWN_LINK = re.compile(
    r"(!?)\[([^\[\]]{1,300})\]\((https?://[^\s()]{1,2000}+(?:\([^\s()]{0,200}\)[^\s()]{0,200}+)?)\)"
)
_URL = re.compile(r"https?://\S+")
_LINK_TO = re.compile(r"(?:here(?:['’]s| is| are)? )?(?:the |a )?links? (?:to|for) (?:the |a )?", re.IGNORECASE)
# How an answer begins: with those whom it answers.
ANSWER = re.compile(r"(?:@\w{1,30}\s{1,3}){1,5}[-–—:]\s")
_EDGE = " \t-–—:|,;·•→*_>()[]\u200b\ufe0f"
_SHORT, _LONGEST_LABEL, _SENTENCES_OF_NOTE = 3, 14, 3


@dataclass(frozen=True)
class Named:
    """A work as a line of prose names it, from its character `start` on."""

    start: int
    title: str
    kind: Kind
    url: str | None = None
    authors: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class _Link:
    """A link in the plain text of a line, and the words since the link before it and up to the next one."""

    start: int
    end: int
    url: str
    words: str  # "" if the link is bare
    before: str
    after: str = ""
    makers: tuple[str, ...] = ()

    @property
    def remark(self) -> str:
        """What is said after the link, if it is set off from it or the link comes first."""
        set_off = not self.before.strip() or self.after.lstrip().startswith(("-", "–", "—", ":"))
        words = self.after.strip()
        words = words.removesuffix(")" if words.startswith("(") else "").lstrip(_EDGE)
        return words if set_off and " " in words else ""


def works_in(line: str, context: Context, intro: str = "") -> list[Named]:
    """The works of a line. `intro` announces the list in which the line stands, "" outside a list."""
    plain, links = _unlinked(line)
    spans = [span for span in sentences(plain) if span[1] - span[0] <= LONGEST_SENTENCE]
    phrases = [phrase for start, end in spans for phrase in _shifted(find_phrases(plain[start:end], context), start)]
    works, at = list[Named](), 0
    for link in links:
        upto = bisect_left(phrases, link.end, lo=at, key=lambda phrase: phrase.start)
        work = _linked(link, phrases[upto - 1] if upto > at else None, context, intro)
        works += [_named(phrase) for phrase in phrases[at:upto] if phrase.end <= work.start] + [work]
        at = upto
    works += map(_named, phrases[at:])
    return [work if work.note else replace(work, note=_note(plain, spans, works, work)) for work in works]


def _unlinked(line: str) -> tuple[str, list[_Link]]:
    """The line as one reads it, and its links; without its bullet and without those whom it answers."""
    line = line.strip().lstrip("-+*•> \t")
    answer = ANSWER.match(line)
    pieces = list(_pieces(line[answer.end() if answer else 0 :]))
    links, before = list[_Link](), list[str]()
    position = 0
    for piece in pieces:
        start, position = position, position + len(piece.text)
        if piece.url:
            words = "" if piece.text == piece.url else piece.text.strip()
            links.append(_Link(start, position, piece.url, words, "".join(before)))
            before = []
        else:
            before.append(piece.text)
    return "".join(piece.text for piece in pieces), _credited(links, "".join(before))


def _credited(links: Sequence[_Link], tail: str) -> list[_Link]:
    """The links with the makers named right after each; these words are no part of the next one's label."""
    credited, before = list[_Link](), links[0].before if links else ""
    for at, link in enumerate(links):
        following = links[at + 1].before if at + 1 < len(links) else tail
        makers, rest = take_makers(following.lstrip(_EDGE))
        rest = rest if makers else following
        credited.append(replace(link, before=before, after=rest if at + 1 == len(links) else "", makers=makers))
        before = rest
    return credited


def _pieces(line: str) -> Iterator[Piece]:
    position = 0
    for match in _MARKDOWN_LINK.finditer(line):
        yield from split_urls(line[position : match.start()])
        yield Piece(match[2], None if match[1] else match[3])
        position = match.end()
    yield from split_urls(line[position:])


def _shifted(phrases: Sequence[Phrase], by: int) -> Iterator[Phrase]:
    return (replace(phrase, start=phrase.start + by, end=phrase.end + by) for phrase in phrases)


def _named(phrase: Phrase) -> Named:
    return Named(phrase.start, phrase.title, phrase.kind, None, phrase.authors)


def _linked(link: _Link, phrase: Phrase | None, context: Context, intro: str) -> Named:
    """The work behind a link: the phrase that leads to it, or what its label says, or no more than its URL."""
    note = link.remark
    if phrase and _leads_to(phrase, link):
        title = phrase.title if _points(link.words) else link.words
        authors = phrase.authors or link.makers
        return Named(min(phrase.start, link.start), title, phrase.kind, link.url, authors, note)
    if not _points(link.words):
        kind = guess_kind(link.url, link.words, note, ())
        return Named(link.start, link.words, kind, link.url, link.makers, note or intro)
    title, makers = _label(link)
    kind = kind_of_label(title or link.words) or guess_kind(link.url, title, note or intro, ())
    start = link.start - len(link.before) + link.before.rfind(title) if title else link.start
    if title and context.subject and _says_only_kind(title):
        title, note = f"{context.subject} {title.lower()}", note or context.about
    return Named(start, title or link.url, kind, link.url, link.makers or makers, note or intro)


def _leads_to(phrase: Phrase, link: _Link) -> bool:
    """Whether nothing but pointers stands between the phrase and the link, or "Link:" as a sentence of its own."""
    if phrase.end > link.start:
        return True
    gap = link.before[len(link.before) - (link.start - phrase.end) :]
    pointer = _last_sentence(gap)
    return _points(gap) or (pointer.endswith(":") and _points(pointer))


def _last_sentence(text: str) -> str:
    text = text[-LONGEST_SENTENCE:].rstrip(" ([")
    *_, (start, end) = sentences(text)
    return text[start:end]


def _label(link: _Link) -> tuple[str, tuple[str, ...]]:
    """What the words before a link call it, and whom they credit: the last sentence, or what follows a colon in it."""
    says = _last_sentence(link.before)
    announces = says.endswith((":", "→", ">", "-", "–", "—"))
    _, colon, label = says.strip(_EDGE).rpartition(": ")
    words = {token.low for token in tokenize(label)}
    label, _, makers = _LINK_TO.sub("", label, count=1).strip(_EDGE).partition(" by ")
    prose = words & SPEAKERS or not (announces or colon or not reads_as_note(label))
    if prose or _points(label) or len(words) > _LONGEST_LABEL:
        return "", ()
    return label, take_makers(f"by {makers}")[0]


def _points(words: str) -> bool:
    return all(word in POINTERS or not word.isalnum() for word in (token.low for token in tokenize(words)))


def _says_only_kind(title: str) -> bool:
    return len(title.split()) < _SHORT and kind_of_label(title.split()[0]) is not None


def _note(plain: str, spans: Sequence[tuple[int, int]], works: Sequence[Named], work: Named) -> str:
    """The sentence that names the work, and those after it until another work is named; "" if that is all it does."""
    first = bisect_right(spans, (work.start, len(plain))) - 1
    if first < 0 or work.start > spans[first][1]:
        return ""
    last = first + 1
    while last < min(first + _SENTENCES_OF_NOTE, len(spans)):
        begin, end = (bisect_left(works, at, key=lambda other: other.start) for at in spans[last])
        if any(other.title != work.title for other in works[begin:end]):
            break
        last += 1
    words = _URL.sub("", plain[spans[first][0] : spans[last - 1][1]]).split()
    return " ".join(words) if len(words) >= len(work.title.split()) + _SHORT else ""
