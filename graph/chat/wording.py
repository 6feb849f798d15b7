"""An answer made of nothing but what the lists and the ontology say: sentences that cite, and no language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from graph.chat.citing import Citations, speaking
from graph.chat.markdown import escape, link
from graph.chat.models import Sentence
from graph.curriculum import Curriculum
from graph.models import LearningPath, SearchAnswer, Step, Topic

NEAR_BEST = 0.5  # part of the best score from which a hit is quoted too
TOPICS = 2  # topics told of
NOTHING = "Nothing in the lists answers this."

Said = Iterator[Sentence]


@dataclass(frozen=True)
class Plan:
    """A path, or the topics that come nearest to a goal that is not covered. `short` says that hours are lacking."""

    path: LearningPath | None = None
    nearest: tuple[str, ...] = ()
    short: str = ""


class Wording:
    """The sentences of one answer. Those of a paragraph or list say themselves what parts them."""

    def __init__(self, curriculum: Curriculum, found: SearchAnswer, plan: Plan) -> None:
        self._curriculum, self._found, self._plan = curriculum, found, plan
        self.citations = Citations()

    def nothing(self) -> Said:
        """That the lists do not answer, and what comes nearest."""
        yield _paragraph(NOTHING)
        path, names = self._plan.path, self._curriculum.topic_names
        slugs = path.targets if path else filter(None, map(names.get, self._plan.nearest))
        near = {topic.name: self.citations.topic(topic) for topic in map(self._curriculum.topics.__getitem__, slugs)}
        if near:
            named = ", ".join(_marked(escape(name), [n]) for name, n in near.items())
            yield _paragraph(f"The nearest topics are {named}.", *near.values())

    def answer(self, kind: Literal["plan", "thing", "question"]) -> Said:
        """What was asked for first: the steps of a plan, what a thing is, or the curators' words."""
        parts = {
            "plan": (self._steps, self._works),
            "thing": (self._topics, self._works, self._way),
            "question": (self._works, self._topics, self._way),
        }
        for part in parts[kind]:
            yield from part()

    def _works(self) -> Said:
        """What is said of the best hits, and a kernel to write."""
        best = max(hit.score for hit in self._found.hits)
        hits = [hit for hit in self._found.hits if hit.score >= NEAR_BEST * best]
        known = any(hit.says in speaking(hit) for hit in hits)
        yield _paragraph(f"The lists {'and the ontology ' * known}say:")
        for hit in hits:
            quotes = self.citations.work(hit)
            words = " ".join(f"“{escape(words)}” [{n}]" if words else f"[{n}]" for n, words in quotes)
            yield _item(f"{link(hit.title, hit.url)} ({hit.kind}): {words}", *(n for n, _ in quotes))
        for kernel in map(self._curriculum.kernels.__getitem__, self._found.kernels[:1]):
            n = self.citations.kernel(kernel)
            yield _paragraph(f"A kernel to write, {escape(kernel.title)}: {escape(kernel.summary)} [{n}]", n)

    def _topics(self) -> Said:
        """What the goal's topics are, what comes before them, and what helps."""
        for slug in (self._plan.path.targets if self._plan.path else ())[:TOPICS]:
            topic = self._curriculum.topics[slug]
            n = self.citations.topic(topic)
            yield _paragraph(f"{escape(topic.name)}: {escape(topic.summary) or 'a topic of the ontology.'} [{n}]", n)
            yield from self._others("Before it", topic, topic.requires)
            yield from self._others("Good to know before it", topic, topic.helps)

    def _others(self, when: str, topic: Topic, others: Mapping[str, str]) -> Said:
        """Topics that come before one, with the reasons."""
        for other, reason in others.items():
            n = self.citations.topic(topic, reason)
            name = escape(self._curriculum.topics[other].name)
            yield _item(f"{when}, {name}{f': {escape(reason)}' if reason else '.'} [{n}]", n)

    def _way(self) -> Said:
        """The path in one sentence."""
        path = self._plan.path
        if path and path.steps:
            first, last = path.steps[0], path.steps[-1]
            a, b = self._evidence(first), self._evidence(last)
            ends = f"from {self._names(first)} [{a}] to {self._names(last)} [{b}]"
            yield _paragraph(f"{self._length(path)}, {ends}.", a, b)
        elif path:
            cited = self._targets(path)
            yield _paragraph(f"{_marked(f'Nothing is left to learn for {escape(path.understood)}', cited)}.", *cited)

    def _steps(self) -> Said:
        """The path, a line a step."""
        path = self._plan.path
        if not path or not path.steps:
            yield from self._way()
            return
        cited = self._targets(path)
        yield _paragraph(f"{_marked(self._length(path), cited)}.", *cited)
        for step in path.steps:
            n = self._evidence(step)
            title = link(step.resource.title, step.resource.url) if step.resource else "no list has a resource for it"
            text = f"{self._names(step)}: {title} ({step.minutes} min) [{n}]"
            yield Sentence(text=text, citations=(n,), before=f"\n{step.position}. ")
        for warning in path.warnings:
            yield _paragraph(escape(warning))

    def _length(self, path: LearningPath) -> str:
        count = len(path.steps)
        steps = f"{count} step{'s' * (count != 1)}"
        understood = escape(path.understood)
        return f"{self._plan.short}The path to {understood} has {steps} and takes {path.minutes / 60:.1f} hours"

    def _targets(self, path: LearningPath) -> list[int]:
        return [self.citations.topic(self._curriculum.topics[slug]) for slug in path.targets]

    def _evidence(self, step: Step) -> int:
        """The place that speaks for a step: where a list names the resource, or the topic that no list covers."""
        if not step.resource:
            return self.citations.topic(self._curriculum.topics[step.topics[0]])
        return self.citations.work(step.resource)[0][0]

    def _names(self, step: Step) -> str:
        return ", ".join(escape(self._curriculum.topics[slug].name) for slug in step.topics)


def _paragraph(text: str, *citations: int) -> Sentence:
    return Sentence(text=text, citations=tuple(dict.fromkeys(citations)), before="\n\n")


def _item(text: str, *citations: int) -> Sentence:
    return Sentence(text=text, citations=citations, before="\n- ")


def _marked(text: str, citations: Sequence[int]) -> str:
    return " ".join((text, *(f"[{n}]" for n in citations)))
