"""Reference kernels into the graph: what each is about, needs and runs on, and the works and posts that speak of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from graph import urls
from graph.aliases import AliasIndex
from graph.models import DevlogEntry
from graph.names import node_id, resource_id
from graph.records import Edge, Node, digest
from ingest.ontology import Ontology
from kernels_ref.lib.kernel import Kernel
from kernels_ref.lib.loader import load_all


class Catalogue:
    """All kernels by slug. Only their descriptions are read; no kernel's code is imported."""

    def __init__(self, kernels: Mapping[str, Kernel]) -> None:
        self._kernels = kernels

    @classmethod
    def shipped(cls) -> Catalogue:
        """The kernels that come with warpath."""
        return cls(load_all())

    @cached_property
    def digest(self) -> str:
        """Changes when a description does."""
        return digest([(kernel.slug, _body(kernel), kernel.topics, kernel.links) for kernel in self._kernels.values()])

    def records(self, ontology: Ontology, works: Iterable[str]) -> Iterator[Node | Edge]:
        """Nodes and edges of all kernels; `works` are the ids of the resources there are."""
        there = frozenset(works)
        for kernel in self._kernels.values():
            id = node_id("Kernel", kernel.slug)
            yield Node(id, "Kernel", kernel.title, _body(kernel))
            yield from _edges(kernel, id, ontology)
            for link in kernel.links:
                if (work := resource_id(urls.key(link.url))) in there:
                    yield Edge(id, "LINKS", work, {"reason": link.rel}, link.rel)

    def named(self, entry: DevlogEntry) -> list[str]:
        """Slugs of the kernels that a post speaks of."""
        return list(dict.fromkeys(match.slug for match in self._names.find(entry.text)))

    @cached_property
    def _names(self) -> AliasIndex:
        return AliasIndex({k.slug: (k.title, k.slug, *k.aliases) for k in self._kernels.values()})


def _body(kernel: Kernel) -> dict[str, object]:
    return {
        "summary": kernel.summary,
        "status": kernel.status,
        "difficulty": kernel.difficulty,
        "order": kernel.order,
        "aliases": list(kernel.aliases),
        "links": [link.url for link in kernel.links],
    }


def _edges(kernel: Kernel, id: str, ontology: Ontology) -> Iterator[Edge]:
    for slug in kernel.topics:
        if slug in ontology.topics:
            yield Edge(id, "COVERS", node_id("Topic", slug), {"reason": "kernel.json", "confidence": 1.0})
    for slug in kernel.hardware:
        if slug in ontology.hardware:
            yield Edge(id, "ABOUT_HARDWARE", node_id("Hardware", slug), {"reason": "kernel.json", "confidence": 1.0})
    for slug in kernel.prerequisites:
        yield Edge(id, "REQUIRES", node_id("Kernel", slug), {"reason": "kernel.json"})
