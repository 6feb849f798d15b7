"""A learning path as a Markdown checklist: a box to tick for every step."""

from __future__ import annotations

from collections.abc import Iterator

from graph.exports.text import address, clean, title, topics
from graph.models import Hit, LearningPath, Pace, Step

# Any ASCII punctuation may be escaped (CommonMark 2.4); these would mean something inside a line.
_MEANINGFUL = {ord(letter): f"\\{letter}" for letter in r"\`*_{}[]<>()#!|~&$@"}
_IN_ADDRESS = {ord(letter): f"%{ord(letter):02X}" for letter in r"<>\|`"}


def write(path: LearningPath, _: Pace) -> bytes:
    """The checklist."""
    return ("\n".join(_lines(path)) + "\n").encode()


def _lines(path: LearningPath) -> Iterator[str]:
    yield f"# {_text(path.goal)}"
    yield ""
    yield f"{_text(path.understood)}: {len(path.steps)} steps, {path.minutes} minutes."
    yield ""
    reached = max((step.position for step in path.steps if not step.beyond), default=0)
    for step in path.steps:
        if step.position == reached + 1:
            yield from ("", "## Beyond the goal", "")
        yield from _step(step)
    if path.left_out:
        yield from ("", "## Left out", "")
        yield from (f"- {_text(one.topic)}: {_text(one.reason)}" for one in path.left_out)
    if path.warnings:
        yield from ("", "## Notes", "")
        yield from (f"- {_text(warning)}" for warning in path.warnings)


def _step(step: Step) -> Iterator[str]:
    main = _link(step.resource) if step.resource else title(step)
    yield f"- [ ] **{_text(topics(step))}**: {main} ({step.minutes} min)"
    yield f"  - {_text(step.reason)}"
    yield from (f"  - {_text(quote)}" for quote in step.evidence)
    yield from (f"  - Or {_link(other)}" for other in step.alternatives)


def _link(hit: Hit) -> str:
    url = address(hit).translate(_IN_ADDRESS)
    return f"[{_text(hit.title)}](<{url}>)" if url else _text(hit.title)


def _text(text: str) -> str:
    return clean(text).translate(_MEANINGFUL)
