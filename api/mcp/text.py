"""The short text beside an answer's structured content: every line a quote, never longer than agreed."""

from __future__ import annotations

from api.page import Page, clean, plain
from api.problems import hint
from api.tools import QUOTED
from graph.errors import WarpathError

MOST_CHARACTERS = 8000  # of one text; some 2000 tokens
_CUT = "The text is cut here; the structured content holds all of it."


def quoted(page: Page) -> str:
    """A page as text. What lists say stands on lines that begin with “> ”, so that none of it can pass for ours."""
    return _capped([QUOTED, *(f"> {line}" for line in plain(page))])


def sorry(error: WarpathError) -> str:
    """An error in words: what happened, and what to do. A hint may name titles from lists, so it is a quote too."""
    told = hint(error)
    return _capped([clean(error.message), *([f"> {clean(told)}"] if told else [])])


def _capped(lines: list[str]) -> str:
    """Whole lines, as many as fit."""
    text = "\n".join(lines)
    if len(text) <= MOST_CHARACTERS:
        return text
    kept = text[: MOST_CHARACTERS - len(_CUT) - 1].rpartition("\n")[0]
    return f"{kept}\n{_CUT}"
