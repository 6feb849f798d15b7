"""From what a store gives (nodes and edges) to what a user sees, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from graph.models import DevlogPost, Hit, Link, Mention, Place, Resource, SourceLine
from graph.names import node_id, slug_of
from graph.records import Edge, Node, Subgraph

MADE_FOR = 0.9  # confidence from which hardware is what a work is made for, not only mentions
TEACHES = 0.5  # confidence from which a topic is what a work is about


def resource(graph: Subgraph, id: str) -> Resource:
    """A resource with its mentions and links; `graph` must hold every edge that touches it."""
    node = graph.nodes[id]
    mentions = sorted(map(mention, graph.into(id, "MENTIONS")), key=lambda m: (m.source, m.line))
    return Resource(
        id=id,
        title=node.name,
        topics=_links(graph, graph.out(id, "COVERS")),
        hardware=_links(graph, graph.out(id, "ABOUT_HARDWARE")),
        mentions=tuple(mentions),
        **node.body,
    )


def mention(edge: Edge) -> Mention:
    """The mention that a MENTIONS edge carries."""
    return Mention.model_validate({**edge.body, "source": slug_of(edge.source)})


def hit(found: Resource, score: float = 0.0) -> Hit:
    """A resource as a search result shows it."""
    return Hit(
        score=round(score, 6),
        topics=tuple(link.slug for link in found.topics if link.confidence >= TEACHES),
        hardware=tuple(link.slug for link in found.hardware),
        mentions=tuple(
            Place(source=m.source, line=m.line, note=m.note, section=m.section, tier=m.tier) for m in found.mentions
        ),
        id=found.id,
        title=found.title,
        url=found.url,
        kind=found.kind,
        authors=found.authors,
        says=says(found),
    )


def scored(shown: Hit, score: float) -> Hit:
    """The same hit with a score."""
    return shown.model_copy(update={"score": round(score, 6)})


def says(found: Resource) -> Place | None:
    """The ontology's sentence on a work with its place, if it has one."""
    known = found.annotation
    return Place(source=known.source, line=known.line, note=known.says) if known and known.says else None


def made_for(found: Resource) -> tuple[str, ...]:
    """Hardware without which a work is of little use."""
    return tuple(link.slug for link in found.hardware if link.confidence >= MADE_FOR)


def source_line(graph: Subgraph, node: Node) -> SourceLine:
    """A source with its counts; `graph` must hold its edges."""
    return SourceLine(
        source=slug_of(node.id),
        mentions=sum(1 for _ in graph.out(node.id, "MENTIONS")),
        entries=sum(1 for _ in graph.out(node.id, "HAS_ENTRY")),
        **node.body,
    )


def devlog_post(graph: Subgraph, node: Node, resources: Iterable[Resource]) -> DevlogPost:
    """A devlog entry; `resources` are the works it names."""
    return DevlogPost(
        topics=tuple(slug_of(edge.target) for edge in graph.out(node.id, "COVERS")),
        hardware=tuple(slug_of(edge.target) for edge in graph.out(node.id, "ABOUT_HARDWARE")),
        resources=tuple(map(hit, resources)),
        **node.body,
    )


def topic_id(slug: str) -> str:
    return node_id("Topic", slug)


def hardware_id(slug: str) -> str:
    return node_id("Hardware", slug)


def _links(graph: Subgraph, edges: Iterable[Edge]) -> tuple[Link, ...]:
    links = [
        Link(
            slug=slug_of(edge.target),
            name=graph.nodes[edge.target].name,
            **{field: value for field, value in edge.body.items() if field not in ("likeness", "centrality")},
        )
        for edge in edges
    ]
    return tuple(sorted(links, key=lambda link: (-link.confidence, link.slug)))
