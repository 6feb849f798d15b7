"""The part of the graph that paths are planned on, whole in memory: topics with their prerequisites, hardware.

It is small (hundreds to some ten thousand nodes) and read in one go; the library keeps it until the stamp moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from graph.aliases import AliasIndex
from graph.head_words import HeadWords
from graph.models import Hardware, KernelLine, Topic
from graph.names import node_id, slug_of
from graph.nearness import Nearness
from graph.prerequisites import Prerequisites
from graph.records import Edge, Node, Subgraph
from graph.topic_words import TopicWords


@dataclass(frozen=True)
class Curriculum:
    """Topics, hardware and reference kernels by slug."""

    topics: Mapping[str, Topic]
    hardware: Mapping[str, Hardware]
    kernels: Mapping[str, KernelLine] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: Subgraph) -> Curriculum:
        """From the nodes of the labels Topic, Hardware and Kernel and the edges among them."""
        return cls(
            {slug_of(node.id): _topic(graph, node) for node in graph.labelled("Topic")},
            {slug_of(node.id): _hardware(node) for node in graph.labelled("Hardware")},
            {slug_of(node.id): kernel_line(graph, node) for node in graph.labelled("Kernel")},
        )

    @cached_property
    def topic_names(self) -> AliasIndex:
        return AliasIndex({t.slug: (t.slug, t.name, *t.aliases) for t in self.topics.values()})

    @cached_property
    def kernel_names(self) -> AliasIndex:
        return AliasIndex({k.slug: (k.slug, k.title, *k.aliases) for k in self.kernels.values()})

    @cached_property
    def topic_words(self) -> TopicWords:
        return TopicWords.of(self.topics.values())

    @cached_property
    def head_words(self) -> HeadWords:
        return HeadWords.of(self.topics.values())

    @cached_property
    def nearness(self) -> Nearness:
        return Nearness.of(self.topics.values())

    @cached_property
    def needs(self) -> Mapping[str, tuple[str, ...]]:
        """What each topic builds on directly: its prerequisites and co-requisites. Equal slugs are one object, so that
        sets of them need not compare letters."""
        topics = self.topics
        return {
            topic.slug: tuple(topics[other].slug for other in (*topic.requires, *topic.corequisites))
            for topic in topics.values()
        }

    @cached_property
    def prerequisites(self) -> Prerequisites:
        return Prerequisites.of(self.topics.values(), self.area)

    @cached_property
    def hardware_in_prose(self) -> AliasIndex:
        """What hardware is called in running text, where a vendor's bare name says too little."""
        nodes = self.hardware.values()
        return AliasIndex({h.slug: h.aliases if h.kind == "vendor" else (h.name, *h.aliases) for h in nodes})

    @cached_property
    def hardware_names(self) -> AliasIndex:
        return AliasIndex({h.slug: (h.slug, h.name, *h.aliases) for h in self.hardware.values()})

    def lineage(self, slug: str) -> tuple[str, ...]:
        """A piece of hardware and everything above it, nearest first: device, architecture, family, vendor."""
        return self._lineages[slug]

    @cached_property
    def _lineages(self) -> Mapping[str, tuple[str, ...]]:
        """Walked once: every choice of a resource asks for many of them."""
        return {slug: self._walked(slug) for slug in self.hardware}

    def _walked(self, slug: str) -> tuple[str, ...]:
        found = [slug]
        for node in found:  # grows while it is walked
            found += [parent for parent in self.hardware[node].parents if parent not in found]
        return tuple(found)

    def compatible(self, slug: str) -> frozenset[str]:
        """Hardware that material may be made for and still serve `slug`: what it belongs to, and what belongs to it."""
        return self._compatible[slug]

    @cached_property
    def _compatible(self) -> Mapping[str, frozenset[str]]:
        """Gathered once: every topic met on the way to a goal asks for it."""
        return {
            slug: frozenset({*self.lineage(slug), *(other for other in self.hardware if slug in self.lineage(other))})
            for slug in self.hardware
        }

    def neighbours(self, slug: str) -> frozenset[str]:
        """Other hardware of the vendor that is programmed the same way, as the topics that explain it tell: an MI300X
        beside an MI355X. What is made for it is of use where there is nothing better."""
        alike = self.explained_by(slug)
        vendor = self.lineage(slug)[-1]
        return frozenset(
            other
            for other in self.hardware
            if alike and self.explained_by(other) == alike and self.lineage(other)[-1] == vendor
        )

    def usable(self, slug: str | None) -> frozenset[str]:
        """Hardware that material may be made for and still be of use to a learner: the own, or a neighbour's; none for
        who names none."""
        return self.compatible(slug) | self.neighbours(slug) if slug else frozenset()

    def serves(self, topic: str, hardware: str) -> bool:
        """Whether a topic means anything on a piece of hardware."""
        only_for = self.topics[topic].hardware
        return not only_for or not self.compatible(hardware).isdisjoint(only_for)

    def explained_by(self, hardware: str) -> tuple[str, ...]:
        """The topics that tell how a piece of hardware works and is programmed; the nearest node that names some."""
        for node in self.lineage(hardware):
            if topics := self.hardware[node].topics:
                return topics
        return ()

    def features(self, hardware: str) -> frozenset[str]:
        """The topics of what a piece of hardware can do, its own and inherited."""
        return frozenset(topic for node in self.lineage(hardware) for topic in self.hardware[node].features)

    def children(self, slug: str) -> tuple[str, ...]:
        """Topics directly below another."""
        return tuple(sorted(t.slug for t in self.topics.values() if t.parent == slug))

    def needed_by(self, slug: str) -> tuple[str, ...]:
        """Topics that name another as a direct prerequisite."""
        return tuple(sorted(t.slug for t in self.topics.values() if slug in t.requires))

    def above(self, slug: str) -> tuple[str, ...]:
        """The broader topics that a topic is part of, nearest first."""
        found: list[str] = []
        while (parent := self.topics[slug].parent) and parent not in found:
            found.append(parent)
            slug = parent
        return tuple(found)

    def area(self, slug: str) -> str:
        """The root above a topic; paths keep topics of one area together."""
        return (slug, *self.above(slug))[-1]


def _topic(graph: Subgraph, node: Node) -> Topic:
    edges = list(graph.out(node.id))
    parents = [slug_of(e.target) for e in edges if e.type == "PART_OF"]
    return Topic(
        slug=slug_of(node.id),
        name=node.name,
        requires=_reasons(e for e in edges if e.type == "REQUIRES"),
        helps=_reasons(e for e in edges if e.type == "HELPED_BY"),
        corequisites=_reasons(e for e in edges if e.type == "LEARN_WITH"),
        **{**node.body, "parent": parents[0] if parents else None},
    )


def _hardware(node: Node) -> Hardware:
    return Hardware(slug=slug_of(node.id), name=node.name, **node.body)


def kernel_line(graph: Subgraph, node: Node) -> KernelLine:
    """A kernel with what it is about, runs on and needs."""
    found: dict[str, list[str]] = {"COVERS": [], "ABOUT_HARDWARE": [], "REQUIRES": []}
    for edge in graph.out(node.id, "COVERS", "ABOUT_HARDWARE", "REQUIRES"):
        found[edge.type].append(slug_of(edge.target))
    return KernelLine(
        slug=slug_of(node.id),
        title=node.name,
        topics=tuple(found["COVERS"]),
        hardware=tuple(found["ABOUT_HARDWARE"]),
        requires=tuple(found["REQUIRES"]),
        **node.body,
    )


def _reasons(edges: Iterable[Edge]) -> dict[str, str]:
    return {slug_of(edge.target): edge.body.get("reason", "") for edge in edges}


def topic_ids(slugs: Iterable[str]) -> list[str]:
    """Node ids of topics."""
    return [node_id("Topic", slug) for slug in slugs]
