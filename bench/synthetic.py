"""A made-up graph of any size, the same for the same seed.

The topics, their prerequisites and the hardware are the shipped ones. Everything else is drawn with the skew of real
lists: few topics, words, authors and lists have most of the resources. Random vectors stand for what texts mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graph.models import Label
from graph.names import node_id, resource_id
from graph.ports import Vectors
from graph.records import Changes, Edge, Node, Vector
from graph.vocabulary import Vocabulary
from ingest import build
from ingest.kernels import Catalogue
from ingest.ontology import load_ontology

DIMENSION = 384
IDENTITY = f"random@1/{DIMENSION}"
WORDS = 50_000
LETTERS = str.maketrans("0123456789", "abcdefghij")  # words are numbers in letters
KINDS = ("blog", "repo", "paper", "video", "docs", "lecture")


def skewed(chance: np.random.Generator, many: int, shape: int | tuple[int, ...]) -> NDArray[np.int64]:
    """Numbers below `many`, each half as often as the one at half its place (Zipf)."""
    return (many ** chance.random(shape)).astype(np.int64) - 1


def unit(chance: np.random.Generator, rows: int) -> Vectors:
    """Random directions."""
    made = chance.standard_normal((rows, DIMENSION), dtype=np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


class RandomEmbedder:
    """A direction for each text, always the same for the same text."""

    identity = IDENTITY

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.concatenate([unit(np.random.default_rng(list(text.encode())), 1) for text in texts])


@dataclass
class Synthetic:
    """A graph of `size` resources, batch by batch."""

    size: int
    batch: int = 5_000  # resources of one write: more would not fit into a small Neo4j
    seed: int = 1
    _chance: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self._chance = np.random.default_rng(self.seed)
        self.ontology = load_ontology()
        self.topics = list(self.ontology.topics)
        self.people, self.lists = max(10, self.size // 10), max(5, self.size // 100)

    def batches(self) -> Iterator[Changes]:
        """The curriculum first, then the resources."""
        yield self._base()
        for start in range(0, self.size, self.batch):
            yield self._batch(range(start, min(start + self.batch, self.size)))

    def queries(self, count: int) -> list[str]:
        """Some words of the vocabulary, and a topic's name with every other."""
        words = skewed(np.random.default_rng(self.seed + 1), WORDS, (count, 3))
        names = [self.ontology.topics[self.topics[n % len(self.topics)]].name for n in range(count)]
        return [f"{_text(row)} {names[n] if n % 2 else ''}".strip() for n, row in enumerate(words)]

    def _base(self) -> Changes:
        drafted = build.draft([], self.ontology, Catalogue.shipped())
        rows = {node.id: len(drafted.texts[node.id]) for node in drafted.topics}
        vectors = {id: Vector("", unit(self._chance, count).tobytes()) for id, count in rows.items()}
        graph = build.build(drafted, vectors, DIMENSION)
        sources = (self._node("Source", f"list{n}", title="", format="plain", digest="") for n in range(self.lists))
        words = Vocabulary.of([_text(range(start, start + 1000)) for start in range(0, WORDS, 1000)]).words
        known = Node(node_id("Vocabulary", "words"), "Vocabulary", "words", {"words": dict(words)})
        nodes = {node.id: node for node in (*graph.nodes.values(), *sources, known)}
        people = (self._node("Person", f"person{n}") for n in range(self.people))
        facts = {"model": IDENTITY, "dimension": str(DIMENSION)}
        return Changes((*nodes.values(), *people), graph.edges, vectors=vectors, facts=facts)

    def _node(self, label: Label, name: str, **body: str) -> Node:
        return Node(node_id(label, name), label, name, body)

    def _batch(self, numbers: range) -> Changes:
        many, chance = len(numbers), self._chance
        words, topics = skewed(chance, WORDS, (many, 18)), skewed(chance, len(self.topics), (many, 6))
        people, lists = skewed(chance, self.people, (many, 2)), skewed(chance, self.lists, (many, 3))
        covered, agreed = 1 + chance.poisson(2, many).clip(0, 5), 1 + chance.geometric(0.8, many).clip(0, 2)
        vectors = unit(chance, many)
        nodes: list[Node] = []
        edges: list[Edge] = []
        for row, number in enumerate(numbers):
            node = _resource(number, words[row], f"person{people[row][0]}")
            nodes.append(node)
            edges += self._covers(node.id, dict.fromkeys(topics[row][: covered[row]].tolist()), number)
            edges += self._mentions(node, dict.fromkeys(lists[row][: agreed[row]].tolist()), number, words[row])
            edges.append(Edge(node.id, "BY", node_id("Person", f"person{people[row][0]}"), {"reason": "named"}))
        stored = {node.id: Vector("", vector.tobytes()) for node, vector in zip(nodes, vectors, strict=True)}
        return Changes(tuple(nodes), tuple(edges), vectors=stored)

    def _covers(self, id: str, topics: Mapping[int, None], number: int) -> Iterator[Edge]:
        """The first topic surely, the others less so."""
        for place, topic in enumerate(topics):
            body = {
                "reason": "named in the title" if place == 0 else "named in the note",
                "confidence": round(0.95 - 0.15 * place, 2),
                "source": "list0",
                "line": number + 1,
                "likeness": round(((number * 7919 + topic * 104729) % 1000) / 1000, 4),
            }
            yield Edge(id, "COVERS", node_id("Topic", self.topics[topic]), body)

    def _mentions(self, node: Node, lists: Mapping[int, None], number: int, words: NDArray[np.int64]) -> Iterator[Edge]:
        for source in lists:
            body = {"line": number + 1, "title": node.name, "url": node.body["url"], "kind": node.body["kind"]}
            note = {"note": _text(words[6:]), "tier": 1 + number % 3}
            yield Edge(node_id("Source", f"list{source}"), "MENTIONS", node.id, body | note, f"{number + 1}:{number}")


def _resource(number: int, words: NDArray[np.int64], author: str) -> Node:
    url = f"https://example.org/{number}"
    body = {"url": url, "urls": [url], "kind": KINDS[number % len(KINDS)], "authors": [author]}
    return Node(resource_id(url), "Resource", _text(words[:6]), body)


def _text(words: Sequence[int] | NDArray[np.int64] | range) -> str:
    return " ".join(f"{word:05d}".translate(LETTERS) for word in words)
