"""Which topics must come before which, as one graph that plans cut their part from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

import rustworkx as rx

from graph.models import Topic


class Group(NamedTuple):
    """Topics to learn together, by name; most are alone. Groups compare as plans take them: the easier one first."""

    level: int  # of the hardest
    topics: tuple[str, ...]
    area: str  # of the first


Groups = rx.PyDiGraph[Group, None]  # an edge leads from a group to one that builds on it


@dataclass(frozen=True)
class Prerequisites:
    """Every topic as a group of its own, with edges both ways between co-requisites."""

    groups: Groups
    place: Mapping[str, int]  # slug -> node
    circular: Set[int]  # nodes that stand in circles; those of a part can only be made of them
    helping: Sequence[tuple[str, str]]  # a topic and one that it merely helps with

    @classmethod
    def of(cls, topics: Iterable[Topic], area: Callable[[str], str]) -> Prerequisites:
        """From each topic's prerequisites, co-requisites and area."""
        easiest_first = sorted(topics, key=lambda topic: (topic.level, topic.slug))  # so that parts are nearly sorted
        place = {topic.slug: node for node, topic in enumerate(easiest_first)}
        before = [(other, t.slug) for t in easiest_first for other in (*t.requires, *t.corequisites)]
        before += [(t.slug, other) for t in easiest_first for other in t.corequisites]
        groups: Groups = rx.PyDiGraph()
        groups.add_nodes_from([Group(topic.level, (topic.slug,), area(topic.slug)) for topic in easiest_first])
        groups.add_edges_from_no_data([(place[a], place[b]) for a, b in before if a != b])
        circular = {node for circle in _circles(groups) for node in circle}
        helping = [(other, topic.slug) for topic in easiest_first for other in sorted(topic.helps)]
        return cls(groups, place, circular, helping)

    def among(self, needed: Collection[str]) -> Groups:
        """The groups that some topics make: those that need each other in a circle of these topics become one, so that
        no circle is left."""
        nodes = sorted({self.place[slug] for slug in needed})
        groups = self.groups.subgraph(nodes)  # numbers its nodes anew, in this order
        circular = [number for number, node in enumerate(nodes) if node in self.circular]
        for circle in _circles(groups.subgraph(circular)):
            members = [circular[number] for number in circle]
            groups.contract_nodes(members, _together([groups[node] for node in members]))
        self._let_help(groups)
        return groups

    def _let_help(self, groups: Groups) -> None:
        """What helps comes first too, where nothing says otherwise: no prerequisite, and no help before it."""
        node = {slug: node for node in groups.node_indices() for slug in groups[node].topics}
        for helper, topic in self.helping:
            if not {helper, topic} <= node.keys():
                continue
            before, after = node[helper], node[topic]
            if before != after and not rx.has_path(groups, after, before):
                groups.add_edge(before, after, None)


def _circles(groups: Groups) -> list[list[int]]:
    """The nodes of each strongly connected component of several."""
    return [circle for circle in rx.strongly_connected_components(groups) if len(circle) > 1]


def _together(groups: Collection[Group]) -> Group:
    """Groups that are learned at once; each holds one topic."""
    by_name = sorted(groups, key=lambda group: group.topics)
    topics = tuple(slug for group in by_name for slug in group.topics)
    return Group(max(group.level for group in groups), topics, by_name[0].area)
