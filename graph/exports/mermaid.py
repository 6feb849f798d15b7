"""A learning path as a Mermaid flowchart: a box a step, an arrow from what is needed to what needs it."""

from __future__ import annotations

from collections.abc import Iterator

from graph.exports.text import clean, prerequisites, title, topics
from graph.models import LearningPath, Pace

_PLAIN = frozenset(" .,:-()/+'")  # besides letters and digits; all else could end a label or be read as markup


def write(path: LearningPath, _: Pace) -> bytes:
    """The flowchart."""
    return ("\n".join(_lines(path)) + "\n").encode()


def _lines(path: LearningPath) -> Iterator[str]:
    yield "flowchart TD"
    for step in path.steps:
        label = f"{step.position}. {topics(step)}: {title(step)} ({step.minutes} min)"
        yield f'    s{step.position}["{_quoted(label)}"]'
    for earlier, later, _ in prerequisites(path):
        yield f"    s{earlier} --> s{later}"


def _quoted(text: str) -> str:
    """Mermaid's own escapes: a character's number between # and ;."""
    safe = (letter if letter.isalnum() or letter in _PLAIN else f"#{ord(letter)};" for letter in clean(text))
    return "".join(safe)
