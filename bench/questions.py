"""Questions to measure with, no two alike: a question asked again is answered from what is remembered."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from graph.evaluation.judged import read_queries

GOLD = Path(__file__).parents[1] / "tests" / "gold" / "search.jsonl"


def different(count: int) -> list[str]:
    """What tests/gold asks, each time with another word of it at the end.

    Raises:
        ValueError: so many cannot be made.
    """
    asked = [query.query for query in read_queries(GOLD)]
    words = sorted({word for query in asked for word in query.split()})
    made = (
        f"{query} {words[(5 * n + turn) % len(words)]}" for turn in range(len(words)) for n, query in enumerate(asked)
    )
    questions = list(islice(dict.fromkeys(made), count))
    if len(questions) < count:
        raise ValueError(f"No more than {len(questions)} different questions can be made.")
    return questions
