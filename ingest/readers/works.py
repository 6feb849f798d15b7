"""From the words and links of one list item to the works it names: title, links, and what is said about them.

An item is a row of `Piece`s whatever its format was, so Markdown and plain text share these rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ingest.readers.words import FUNCTION_WORDS, GENERIC_LINK

_DASHES = " - ", " – ", " — ", " -- ", " | "
_EDGE = " \t-–—:|,;·•→*_~" + "\u200b\ufe0f"
# No title has more dashes, and no item more characters; without these bounds junk would cost quadratic time.
_MOST_CUTS = 8
LONGEST_ITEM = 10_000
_JOINTS = frozenset(("", "/", "&", "+", "and", "or", "and then"))
_URL = re.compile(r"https?://[^\s<>\"“”]+", re.IGNORECASE)
_PAIRS = {")": "(", "]": "[", "}": "{"}


@dataclass(frozen=True)
class Piece:
    """A stretch of an item's text; `url` if it is a link."""

    text: str
    url: str | None = None


@dataclass(frozen=True)
class Work:
    """One work as an item names it. `lead` are the words before its title."""

    title: str
    urls: tuple[str, ...] = ()
    description: str = ""
    lead: str = ""


def split_urls(text: str) -> Iterable[Piece]:
    """Cuts plain text at its bare URLs; a sentence's punctuation after a URL is not part of it."""
    position = 0
    for match in _URL.finditer(text):
        url = _without_tail(match.group())
        yield Piece(text[position : match.start()])
        yield Piece(url, url)
        position = match.start() + len(url)
    yield Piece(text[position:])


def find_works(pieces: Sequence[Piece]) -> list[Work]:
    """The works of one item: a run of links is a work each, any other link belongs to the work before it."""
    first = next((index for index, piece in enumerate(pieces) if piece.url), None)
    if first is None:
        title, description = split_title(_join(pieces))
        return [Work(title, (), description)] if title else []
    words = _join(pieces[:first])
    lead = words.strip(_EDGE)
    if lead and _names_nothing(pieces[first]):
        return [_titled_by_lead(lead, pieces[first:])]
    works = _titled_by_links(lead, pieces[first:])
    in_prose = lead[:1].isalpha() and words[-1] not in _EDGE
    return [replace(work, description=_join(pieces)) for work in works] if in_prose else works


def find_row_work(cells: Sequence[Sequence[Piece]]) -> list[Work]:
    """The work of a table row: titled by the first link that names it, or else by the first cell with letters."""
    linked = [at for at, cell in enumerate(cells) if any(piece.url and not _names_nothing(piece) for piece in cell)]
    lettered = [at for at, cell in enumerate(cells) if any(map(str.isalpha, _join(cell)))]
    at = (linked or lettered or [0])[0]
    works = find_works(cells[at])[:1]
    others = [[piece for piece in cell if not _names_nothing(piece)] for cell in (*cells[:at], *cells[at + 1 :])]
    urls = _urls(piece for cell in (cells[at], *cells) for piece in cell)
    # As in a bullet, the authors come first and end with a full stop.
    return [
        replace(work, urls=urls, description=". ".join(filter(None, (work.description, *map(_join, others)))))
        for work in works
    ]


def split_title(text: str) -> tuple[str, str]:
    """Title and description of words without a link: cut where the words begin to read as a note."""
    text = text.strip().rstrip("*").rstrip()
    cuts = [at for at in range(len(text)) if text.startswith(_DASHES, at)]
    for at in cuts[:_MOST_CUTS]:
        segment = text[at + 3 :].split(" - ", 1)[0]
        if reads_as_note(segment):
            return text[:at].strip(_EDGE), text[at:].strip(_EDGE)
    if cuts and (text.endswith(".") or _has_plain_word(text[cuts[-1] + 3 :])):
        return text[: cuts[-1]].strip(_EDGE), text[cuts[-1] :].strip(_EDGE)
    head, colon, tail = text.partition(": ")
    if colon and not cuts and len(tail.split()) > 3 and tail.endswith(".") and reads_as_note(tail):
        return head.strip(_EDGE), tail.strip()
    return text.strip(_EDGE), ""


def reads_as_note(text: str) -> bool:
    """Whether most of the words are in lower case, as in a sentence and not as in a Title."""
    words = [word for word in text.split() if word[0].isalnum()]
    lower = sum(word[0].islower() for word in words)
    return lower > len(words) - lower


def lower_case_share(text: str) -> float:
    """The share of lower-case words among those after the first that titles write with a capital."""
    words = [word for word in text.split()[1:] if word[0].isalpha() and word.lower() not in FUNCTION_WORDS]
    return sum(word[0].islower() for word in words) / len(words) if words else 0.0


def _titled_by_lead(lead: str, rest: Sequence[Piece]) -> Work:
    title, description = split_title(lead)
    after = _join(piece for piece in rest if not _names_nothing(piece)).strip(_EDGE + "()[]")
    return Work(title, _urls(rest), " ".join(filter(None, (description, after))))


def _titled_by_links(lead: str, pieces: Sequence[Piece]) -> list[Work]:
    run, rest = _run_of_links(pieces)
    description = _join(rest).strip().lstrip(_EDGE).lstrip()
    own = [_urls([link]) for link in run[:-1]] + [_urls([run[-1], *rest])]
    return [
        Work(link.text.strip(_EDGE) or urls[0], urls, description, lead) for link, urls in zip(run, own, strict=True)
    ]


def _run_of_links(pieces: Sequence[Piece]) -> tuple[list[Piece], Sequence[Piece]]:
    """The links at the front with nothing but joints between them that each name a work, and what follows."""
    run, end = [pieces[0]], 1
    while end + 1 < len(pieces) and pieces[end].text.strip(_EDGE) in _JOINTS and pieces[end + 1].url:
        if _names_nothing(pieces[end + 1]):
            break
        run.append(pieces[end + 1])
        end += 2
    return run, pieces[end:]


def _names_nothing(piece: Piece) -> bool:
    text = piece.text.strip(_EDGE + "()[]").lower()
    return piece.url is not None and (text in GENERIC_LINK or text == piece.url.lower() or not text)


def _join(pieces: Iterable[Piece]) -> str:
    return " ".join("".join(piece.text for piece in pieces).split())


def _urls(pieces: Iterable[Piece]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(piece.url for piece in pieces if piece.url))


def _has_plain_word(text: str) -> bool:
    return any(len(word) > 3 and word.islower() for word in text.split())


def _without_tail(url: str) -> str:
    """Drops trailing punctuation, and closing brackets that were not opened inside the URL."""
    end = len(url)
    balance = {close: url.count(close) - url.count(opened) for close, opened in _PAIRS.items()}
    while end and (url[end - 1] in ".,;:!?'*_`" or balance.get(url[end - 1], 0) > 0):
        end -= 1
        if url[end] in balance:
            balance[url[end]] -= 1
    return url[:end]
