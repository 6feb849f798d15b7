"""What a message asks for, by plain rules: a plan, a thing or a question; within which hours; knowing what.

A message follows up on the question before if it begins like a continuation (“and on AMD?”) or points back without
naming a topic (“is it fast?”), or says nothing but hours or what is known. A follow-up asks the question before again
with what it adds; if it names a topic, it asks about that instead. It keeps hardware, hours and what is known unless it
names others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from graph.chat.models import LONGEST_MESSAGE, Turn
from graph.curriculum import Curriculum
from graph.errors import UnknownName
from graph.goals import find_topic, hardware_of, without_hardware
from graph.lexical import STOP

MOST_QUESTIONS = 20  # of a conversation that are read, the last

_PLAN = re.compile(
    r"\b(?:learn|study|teach me|(?:learning|study) (?:path|plan)|a (?:path|plan) (?:to|for)|roadmap|curriculum|"
    r"get(?:ting)? started|(?:do|should|can) i (?:start|begin)|(?:should|to|can) i? ?(?:read|watch)|"
    r"i have (?:only |about )?\d+)\b"
    r"|^(?:i want to |how (?:do|can|would) i |how to |help me )?(?:master|write|build|implement|understand|get into)\b",
    re.IGNORECASE,
)
_THING = re.compile(
    r"^(?:what(?:['’]s| is| are)|define|explain|describe|tell me about)\s+(?:an? |the )?(?P<name>.+)$", re.IGNORECASE
)
_HOURS = re.compile(
    r"(?:\b(?:and |but )?(?:i have|i['’]ve got|with|within|in|given) )?(?:only |about |just )?"
    r"\b(?P<hours>\d{1,4}(?:\.\d+)?) ?(?:hours?|hrs?|h)\b(?! ?(?:a|per|/|each|every) ?(?:week|day|month))",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"(?<!do )(?<!should )(?<!must )(?:\band )?\b(?:i (?:already |also )?know|knowing)\s+(?P<names>.+?)"
    r"(?=[.;?!]|[,\s]+(?:and |but |so )?\b"
    r"(?:but|so|how|what|which|why|where|i|want|with|in|on|teach|give|show|help)\b|$)",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"^(?:and|but|or|also|same|what about|how about|what if|now)\b[\s,]*", re.IGNORECASE)
_SIGNS = " ?!.,"
_POINTS_BACK = re.compile(r"\b(?:it|its|this|that|them|these|those)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question understood. `subject` is what to search for and plan to."""

    subject: str
    kind: Literal["plan", "thing", "question"]
    hardware: str | None = None
    hours: float | None = None
    know: tuple[str, ...] = ()


def understand(curriculum: Curriculum, message: str, history: Iterable[Turn] = ()) -> Asked:
    """What a message asks, as the last of a conversation."""
    questions = [turn.content for turn in history if turn.role == "user" and turn.content.strip()]
    first, *later = [*questions[-MOST_QUESTIONS:], message]
    asked = _read(curriculum, first)
    for text in later:
        asked = _next(curriculum, asked, text)
    return asked if asked.subject else replace(asked, subject=message)


def _read(curriculum: Curriculum, message: str) -> Asked:
    """What a message asks by itself."""
    text = " ".join(message[:LONGEST_MESSAGE].split())
    know, text = _known(curriculum, text)
    plan = bool(_PLAN.search(text))
    hours, rest = _hours(text)
    if plan or _CONTINUES.match(text) or not rest.strip(_SIGNS):  # elsewhere hours are no budget
        text = rest
    else:
        hours = None
    device = hardware_of(curriculum, text, None)
    return Asked(text, "plan" if plan else _sort(curriculum, text), device, hours, know)


def _next(curriculum: Curriculum, before: Asked, message: str) -> Asked:
    """What a message asks after another."""
    asked = _read(curriculum, message)
    bare = without_hardware(curriculum, asked.subject)
    names_topic = bool(curriculum.topic_names.find(bare, by_case=False))
    if asked.subject and not _CONTINUES.match(message.lstrip()) and (names_topic or not _POINTS_BACK.search(bare)):
        return asked
    kept = without_hardware(curriculum, before.subject) if asked.hardware else before.subject
    added = _CONTINUES.sub("", asked.subject).strip(_SIGNS)
    subject = added if names_topic else " ".join((kept.strip(_SIGNS), *_telling(added)))
    return replace(
        before,
        subject=subject[:LONGEST_MESSAGE],
        kind=asked.kind if asked.kind == "plan" else before.kind,
        hardware=asked.hardware or before.hardware,
        hours=asked.hours or before.hours,
        know=tuple(dict.fromkeys((*before.know, *asked.know))),
    )


def _telling(text: str) -> list[str]:
    """The words that add something."""
    return [word for word in text.split() if word.casefold() not in STOP]


def _known(curriculum: Curriculum, text: str) -> tuple[tuple[str, ...], str]:
    """Topics that a message says are known, and the message without them."""
    said = _KNOWN.search(text)
    names = re.split(r",|\band\b|&", said["names"]) if said else ()
    known = tuple(name.strip() for name in names if _is_topic(curriculum, name.strip()))
    return (known, _without(text, said)) if said and known else ((), text)


def _hours(text: str) -> tuple[float | None, str]:
    """The hours that a message gives, and the message without them."""
    said = _HOURS.search(text)
    return (float(said["hours"]) or None, _without(text, said)) if said else (None, text)


def _without(text: str, said: re.Match[str]) -> str:
    return f"{text[: said.start()].rstrip(' ,')} {text[said.end() :].lstrip(' ,.;')}".strip()


def _sort(curriculum: Curriculum, text: str) -> Literal["thing", "question"]:
    asked = _THING.match(text)
    name = (asked["name"] if asked else text).strip(_SIGNS)
    return "thing" if curriculum.topic_names.get(name) else "question"


def _is_topic(curriculum: Curriculum, name: str) -> bool:
    try:
        return bool(name and find_topic(curriculum, name))
    except UnknownName:
        return False
