"""Whom and which form a question asks for."""

from __future__ import annotations

import pytest

from graph.head_words import HeadWords
from graph.intent import KIND, PERSON, Intent
from graph.models import Topic

INTENT = Intent(("Simon Boehm", "Horace He"))


@pytest.mark.parametrize(
    ("question", "entities"),
    [
        ("matmul by simon boehm", {"by:simon-boehm": PERSON}),
        ("Simon on matmul", {}),
        ("a video about warps", {"kind:video": KIND, "kind:lecture": KIND}),
        ("lecture on scans", {"kind:lecture": KIND, "kind:video": KIND * 0.7}),
        ("Horace He, blog post", {"by:horace-he": PERSON, "kind:blog": KIND}),
        ("videography", {}),
        ("", {}),
    ],
)
def test_people_by_their_whole_name_and_kinds_by_any_word_for_them(question: str, entities: dict[str, float]) -> None:
    assert INTENT.find(question) == entities


TOPICS = [
    Topic(slug="parallel-reduction", name="Parallel reduction"),
    Topic(slug="cuda-basics", name="CUDA basics"),
    Topic(slug="tensorrt-llm", name="TensorRT-LLM"),
    Topic(slug="paper-writing", name="Paper writing"),
    Topic(slug="expert-parallelism", name="Expert parallelism"),
    Topic(slug="tensor-parallelism", name="Tensor parallelism"),
]


@pytest.mark.parametrize(
    ("goal", "topics"),
    [
        ("a decent reduction", [("parallel-reduction",)]),
        ("reductions in CUDA", [("parallel-reduction",), ("cuda-basics",)]),
        ("serve an LLM", []),
        ("write kernels", []),
        ("some parallelism", [("expert-parallelism", "tensor-parallelism")]),
    ],
)
def test_a_head_word_calls_its_topics_and_what_one_does_calls_none(goal: str, topics: list[tuple[str, ...]]) -> None:
    assert HeadWords.of(TOPICS).find(goal) == topics
