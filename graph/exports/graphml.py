"""A learning path as GraphML: a node a step, an edge from what is needed to what needs it."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from graph.exports.text import address, clean, prerequisites, title
from graph.models import LearningPath, Pace

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NODE = {"position": "int", "topics": "string", "title": "string", "url": "string", "minutes": "int"}
_EDGE = {"reason": "string"}


def write(path: LearningPath, _: Pace) -> bytes:
    """The graph."""
    root = ET.Element("graphml", xmlns=_NAMESPACE)
    for owner, fields in (("node", _NODE), ("edge", _EDGE)):
        for name, kind in fields.items():
            ET.SubElement(root, "key", {"id": name, "for": owner, "attr.name": name, "attr.type": kind})
    graph = ET.SubElement(root, "graph", id=path.id, edgedefault="directed")
    for step in path.steps:
        node = ET.SubElement(graph, "node", id=f"s{step.position}")
        values = (step.position, " ".join(step.topics), title(step), address(step.resource), step.minutes)
        _fill(node, dict(zip(_NODE, values, strict=True)))
    for earlier, later, reason in prerequisites(path):
        _fill(ET.SubElement(graph, "edge", source=f"s{earlier}", target=f"s{later}"), {"reason": reason})
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def _fill(element: ET.Element, values: dict[str, object]) -> None:
    for name, value in values.items():
        ET.SubElement(element, "data", key=name).text = clean(str(value))
