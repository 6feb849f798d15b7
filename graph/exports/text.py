"""What all exports do with untrusted text: anybody may have written the lists that titles and addresses come from."""

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


def taught_in(path: LearningPath) -> dict[str, Step]:
    """Every topic with the step that teaches it first; a later one on the same topic goes deeper."""
    return {topic: step for step in reversed(path.steps) for topic in step.topics}


def prerequisites(path: LearningPath) -> Iterator[tuple[int, int, str]]:
    """Which step builds on which other, once each: positions of the earlier and the later step, and why."""
    first = taught_in(path)
    taught = [edge for edge in path.certificate.prerequisites if edge.topic in first and edge.requires in first]
    found = [(first[edge.requires].position, first[edge.topic].position, clean(edge.reason)) for edge in taught]
    found += [(first[topic].position, step.position, "") for step in path.steps for topic in step.topics]
    once = {(earlier, later): reason for earlier, later, reason in reversed(found) if earlier != later}
    return ((*pair, once[pair]) for pair in sorted(once))
