"""Trains the query adapter and says what it is worth on topics that it has not seen.

    warpath ingest                           the starter lists, into a data folder of its own (WARPATH_DATA)
    python -m bench.query_adapter            writes graph/query_adapter.npy
    python -m bench.query_adapter --dry      only cross-validates

InfoNCE (van den Oord et al. 2018, https://arxiv.org/abs/1807.03748) with the answers of other topics as negatives; the
weight decay keeps the matrix small, since there are fewer questions than it has numbers. Some two minutes on a CPU.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from api.bootstrap import open_graph, open_library
from api.settings import Settings
from bench.query_adapter.pairs import Lesson, Rows, lesson
from graph.query_adapter import FILE, STRENGTH

TEMPERATURE = 0.05
DECAY = 0.005
RATE = 1e-3
EPOCHS = 10
BATCH = 512
WORKS = 2  # answers beside the summary that a question is paired with
FOLDS = 5


def train(given: Lesson, topics: Collection[str]) -> Rows:
    """The matrix, from the questions about some topics."""
    torch.manual_seed(0)
    draw = np.random.default_rng(0)
    chosen = [number for number, question in enumerate(given.questions) if question.topic in topics]
    pairs = [(number, row) for number in chosen for row in _paired(given, number, draw)]
    asked = torch.tensor(given.vectors[[number for number, _ in pairs]])
    answers = torch.tensor(np.stack([row for _, row in pairs]))
    weight = torch.tensor([given.questions[number].weight for number, _ in pairs])
    place = {slug: at for at, slug in enumerate(sorted(topics))}
    topic = torch.tensor([place[given.questions[number].topic] for number, _ in pairs])
    matrix = torch.zeros(asked.shape[1], asked.shape[1], requires_grad=True)
    optimizer = torch.optim.Adam([matrix], lr=RATE)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(pairs)).split(BATCH):
            optimizer.zero_grad()
            loss = _loss(matrix, asked[batch], answers[batch], topic[batch], weight[batch])
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    return np.asarray(matrix.detach().numpy(), np.float32)


def _paired(given: Lesson, number: int, draw: np.random.Generator) -> list[Rows]:
    summary, works = np.split(given.answers[given.questions[number].topic], [1])
    return [*summary, *draw.permutation(works)[:WORKS]]


def _loss(
    matrix: torch.Tensor, asked: torch.Tensor, answers: torch.Tensor, topic: torch.Tensor, weight: torch.Tensor
) -> torch.Tensor:
    turned = functional.normalize(asked + asked @ matrix, dim=1)
    same = (topic[:, None] == topic[None, :]) & ~torch.eye(len(topic), dtype=torch.bool)
    logits = (turned @ answers.T / TEMPERATURE).masked_fill(same, -1e4)  # another answer of the topic is no mistake
    each = functional.cross_entropy(logits, torch.arange(len(topic)), reduction="none")
    return (each * weight).sum() / weight.sum() + DECAY * (matrix**2).sum()


def cross_validate(given: Lesson) -> tuple[float, float]:
    """Mean reciprocal rank of a question's own summary among all, of topics left out of the training: without the
    adapter and with it."""
    topics = sorted(given.answers)
    fold = dict(zip(topics, np.random.default_rng(1).permutation(len(topics)) % FOLDS, strict=True))
    found = []
    for left_out in range(FOLDS):
        matrix = train(given, [slug for slug in topics if fold[slug] != left_out])
        found.append([_rank(given, fold, left_out, strength * matrix) for strength in (0.0, STRENGTH)])
    before, after = np.mean(found, axis=0)
    return float(before), float(after)


def _rank(given: Lesson, fold: dict[str, int], left_out: int, matrix: Rows) -> float:
    topics = sorted(given.answers)
    chosen = [n for n, question in enumerate(given.questions) if fold[question.topic] == left_out]
    turned = given.vectors[chosen] @ (np.eye(matrix.shape[0], dtype=np.float32) + matrix)
    scores = turned @ np.stack([given.answers[slug][0] for slug in topics]).T
    own = scores[np.arange(len(chosen)), [topics.index(given.questions[n].topic) for n in chosen]]
    return float(np.mean(1 / (1 + (scores > own[:, None]).sum(axis=1))))


def main() -> None:
    """Trains on a store that holds the starter lists."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry", action="store_true", help="write nothing")
    parser.add_argument("--data", type=Path, help="the data folder; by default the one that WARPATH_DATA names")
    given = parser.parse_args()
    settings = Settings(data=given.data) if given.data else Settings.model_validate({})
    learned = lesson(open_library(settings), open_graph(settings))
    before, after = cross_validate(learned)
    print(
        f"{len(learned.questions)} questions; topics not seen: reciprocal rank {before:.3f} before, {after:.3f} after"
    )
    if not given.dry:
        np.save(FILE, train(learned, learned.answers.keys()).astype(np.float16))


if __name__ == "__main__":
    main()
