"""What a language model writes, held against the quotes that it was given, sentence by sentence as it comes.

A sentence that cites only what does not exist is left out, a number that does not exist is taken out, and a statement
without a number is marked. Of links and addresses only those of the quotes stay, and of images and HTML nothing: what
a quote talks a model into cannot make a page load anything. Whether a quote bears a sentence out is not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from graph.chat.markdown import in_address
from graph.chat.models import Citation, Sentence

UNCITED = "(no source)"
REMOVED = "(link removed)"
LONGEST = 1000  # characters of a sentence; what has no end is cut
SHORTEST = 4  # words of a statement; less is an exclamation or a heading

_MARK = re.compile(r"\s?(?<!\\)\[(\d{1,6}(?:\s*,\s*\d{1,6})*)\]")
# The end of a sentence with its marks, before what can begin another; or the end of a line.
_BOUNDARY = re.compile(
    r"[.!?…][\"”’)*_]*(?: ?\[\d+(?:, ?\d+)*\])*(?P<gap> +)(?=[^\s\[a-z]|\[[^\d\s])|(?P<line>(?<!\s)\s*\n\s*)(?=\S)"
)
_GOES_ON = re.compile(r"(?:^\s*\d+|\b(?:e\.g|i\.e|vs|cf|approx|fig|no))\.$", re.IGNORECASE)
_RISKY = re.compile(
    r"!?\[(?P<text>[^\[\]]*)\]\((?:<(?P<angled>[^<>]*)>|(?P<bare>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*))[^)]*\)"
    r"|(?P<address>(?:\b(?:https?|ftp):)?//\w[^\s<>()\]]*|\bwww\.[^\s<>()\]]+)"
    r"|(?P<sign><|!\[|\]\()"
)
_SAFE = {"<": "\\<", "![": "!\\[", "](": "] ("}


def checked(pieces: Iterable[str], citations: Sequence[Citation]) -> Iterator[Sentence]:
    """The sentences of a text that comes in pieces, each as soon as it is whole and found right."""
    check, left_out, gap, said = _Check(citations), 0, "", False
    for before, text in _sentences(pieces):
        gap = gap if "\n" in gap else before  # what is left out must not join two lines
        if sentence := check.sentence(text, gap if said else ""):
            yield sentence
            said, gap = True, ""
        else:
            left_out += 1
    if said and left_out:
        words = "1 sentence was" if left_out == 1 else f"{left_out} sentences were"
        yield Sentence(text=f"({words} left out for citing what does not exist.)", before="\n\n")


def without_marks(text: str) -> str:
    """A text without its citations: their numbers mean something else in the next answer."""
    return _MARK.sub("", text)


def _sentences(pieces: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each sentence with the blanks before it."""
    held, before = "", ""
    for piece in pieces:
        held = (held + piece).lstrip() if not held else held + piece
        while end := _end(held):
            yield before, held[: end[0]]
            before, held = held[end[0] : end[1]], held[end[1] :]
    if held.strip():
        yield before, held.rstrip()


def _end(text: str) -> tuple[int, int] | None:
    """Where the first sentence of a text ends and the next begins, if that is surely seen."""
    for found in _BOUNDARY.finditer(text[:LONGEST]):
        start, end = found.span(found.lastgroup or 0)
        if found["line"] or not _GOES_ON.search(text[:start]):
            return start, end
    return (LONGEST, LONGEST) if len(text) >= LONGEST else None


class _Check:
    """Judges sentences by the citations that exist."""

    def __init__(self, citations: Iterable[Citation]) -> None:
        made = list(citations)
        self._numbers = {cited.n for cited in made}
        self._addresses = {in_address(cited.url) for cited in made if cited.url}

    def sentence(self, text: str, before: str) -> Sentence | None:
        """The sentence as it may be shown; none if all that it cites is made up."""
        text = _RISKY.sub(self._safe, text)
        cited = [int(n) for mark in _MARK.finditer(text) for n in mark[1].split(",")]
        existing = [n for n in dict.fromkeys(cited) if n in self._numbers]
        if cited and not existing:
            return None
        text = _MARK.sub(self._existing, text)
        if not cited and _states(text):
            text = f"{text} {UNCITED}"
        return Sentence(text=text, citations=tuple(existing), before=before)

    def _existing(self, mark: re.Match[str]) -> str:
        kept = [n.strip() for n in mark[1].split(",") if int(n) in self._numbers]
        blank = mark[0][: mark[0].index("[")]
        return blank + f"[{', '.join(kept)}]" if kept else ""

    def _safe(self, found: re.Match[str]) -> str:
        if found["sign"]:
            return _SAFE[found["sign"]]
        if found["address"]:
            return found[0] if found[0].rstrip(".,;:!?") in self._addresses else REMOVED
        if found["text"].isdecimal():
            return f"[{found['text']}]"
        url = found["angled"] or found["bare"] or ""
        known = in_address(url) in self._addresses and not found[0].startswith("!")
        return f"[{found['text']}](<{in_address(url)}>)" if known else found["text"]


def _states(text: str) -> bool:
    """Whether a piece of text says something that wants a source."""
    return len(text.split()) >= SHORTEST and not text.startswith("#") and not text.endswith(("?", ":"))
