"""Which topics must come before which, as one graph that plans cut their part from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import rustworkx as rx

from graph.models import Topic


class Group(NamedTuple):
    """Topics to learn together, by name; most are alone. Groups compare as plans take them: the easier one first."""

    level: int  # of the hardest
    topics: tuple[str, ...]


Groups = rx.PyDiGraph[Group, None]  # an edge leads from a group to one that builds on it


@dataclass(frozen=True)
class Prerequisites:
    """Every topic as a group of its own, with edges both ways between co-requisites."""

    groups: Groups
    place: Mapping[str, int]  # slug -> node

    @classmethod
    def of(cls, topics: Iterable[Topic]) -> Prerequisites:
        """From each topic's prerequisites and co-requisites."""
        easiest_first = sorted(topics, key=lambda topic: (topic.level, topic.slug))  # so that parts are nearly sorted
        place = {topic.slug: node for node, topic in enumerate(easiest_first)}
        before = [(other, t.slug) for t in easiest_first for other in (*t.requires, *t.corequisites)]
        before += [(t.slug, other) for t in easiest_first for other in t.corequisites]
        groups: Groups = rx.PyDiGraph()
        groups.add_nodes_from([Group(topic.level, (topic.slug,)) for topic in easiest_first])
        groups.add_edges_from_no_data([(place[a], place[b]) for a, b in before if a != b])
        return cls(groups, place)

    def among(self, needed: Collection[str]) -> Groups:
        """The groups that some topics make: those that need each other in a circle of these topics become one, so that
        no circle is left."""
        groups = self.groups.subgraph(sorted({self.place[slug] for slug in needed}))
        for circle in rx.strongly_connected_components(groups):
            if len(circle) > 1:
                members = [groups[node] for node in circle]
                topics = sorted(slug for group in members for slug in group.topics)
                groups.contract_nodes(circle, Group(max(group.level for group in members), tuple(topics)))
        return groups
