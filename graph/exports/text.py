"""What all exports do with untrusted text: titles, addresses and notes come from lists that anybody may have written."""

from __future__ import annotations

from collections.abc import Iterator

from graph.models import Hit, LearningPath, Step
from graph.urls import is_web_address

NO_RESOURCE = "No resource yet"


def clean(text: str) -> str:
    """One line of printable characters; every format can hold those."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def words(slug: str) -> str:
    """A topic's slug as words."""
    return slug.replace("-", " ")


def topics(step: Step) -> str:
    """What a step teaches."""
    return ", ".join(map(words, step.topics))


def title(step: Step) -> str:
    """What is read in a step."""
    return clean(step.resource.title) if step.resource else NO_RESOURCE


def address(hit: Hit | None) -> str:
    """The address of a resource if it leads to the web: `javascript:` and its like never become a link."""
    url = clean(hit.url) if hit and hit.url else ""
    return url if is_web_address(url) else ""


def prerequisites(path: LearningPath) -> Iterator[tuple[int, int, str]]:
    """Which step needs which other, once each: positions of the earlier and the later step, and why."""
    taught_in = {topic: step.position for step in path.steps for topic in step.topics}
    seen = set()
    for edge in path.certificate.prerequisites:
        pair = taught_in.get(edge.requires, 0), taught_in.get(edge.topic, 0)
        if all(pair) and pair[0] != pair[1] and pair not in seen:
            seen.add(pair)
            yield *pair, clean(edge.reason)
