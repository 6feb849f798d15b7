"""What the adapter learns from: questions, each with the topic that it asks for and texts that answer it.

Questions are the ontology's ways to ask for a topic, its other names, and `phrasings.yaml`: eight ways more for each
topic, most of them in everyday words, written for this purpose. Answers are the topic's summary and the works of the
starter lists that name the topic. No judged question is among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

from graph.library import Library
from graph.models import Topic
from graph.names import node_id
from graph.ports import GraphStore
from graph.records import Vector

PHRASINGS = Path(__file__).with_name("phrasings.yaml")
SURELY = 0.7  # confidence of a link from which a work answers questions about the topic
NAME_WEIGHT = 0.5  # of a bare name against a question

Rows = NDArray[np.float32]


@dataclass(frozen=True)
class Question:
    """A question, the topic that it asks for, and how much it counts."""

    text: str
    topic: str
    weight: float = 1.0


@dataclass(frozen=True)
class Lesson:
    """All questions with their vectors, and the vectors of the answers by topic: the first is the summary's."""

    questions: Sequence[Question]
    vectors: Rows  # shape (questions, dimension)
    answers: Mapping[str, Rows]


def lesson(library: Library, graph: GraphStore) -> Lesson:
    """From a store that holds the starter lists."""
    topics = library.curriculum.topics
    phrasings = yaml.safe_load(PHRASINGS.read_text("utf-8"))
    questions = [question for topic in topics.values() for question in _questions(topic, phrasings.get(topic.slug, ()))]
    vectors = np.asarray(library.embed([question.text for question in questions]), np.float32)
    return Lesson(questions, vectors, _answers(library, graph, vectors.shape[1]))


def _questions(topic: Topic, phrasings: Sequence[str]) -> Iterator[Question]:
    yield from (Question(text, topic.slug) for text in (*topic.asks, *phrasings))
    yield from (Question(name, topic.slug, NAME_WEIGHT) for name in topic.aliases)


def _answers(library: Library, graph: GraphStore, dimension: int) -> Mapping[str, Rows]:
    works: dict[str, list[Rows]] = defaultdict(list)
    stored = graph.vectors()
    for work in library.export():
        for link in work.topics:
            if link.confidence >= SURELY and work.id in stored:
                works[link.slug].append(stored[work.id].rows(dimension))
    summary: Mapping[str, Vector] = {slug: stored[node_id("Topic", slug)] for slug in library.curriculum.topics}
    return {slug: np.concatenate([vector.rows(dimension)[:1], *works[slug]]) for slug, vector in summary.items()}
