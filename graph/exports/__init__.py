"""Every form that a learning path can be given in: one module a form, one table of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from graph.exports import anki, csv, graphml, ics, json, markdown, mermaid
from graph.models import Format, LearningPath, Pace


@dataclass(frozen=True, slots=True)
class Export:
    """One form. `write` gives the same bytes for the same path and pace."""

    suffix: str
    media_type: str
    write: Callable[[LearningPath, Pace], bytes]
    is_text: bool = True


EXPORTS: Mapping[Format, Export] = {
    "json": Export(".json", "application/json", json.write),
    "markdown": Export(".md", "text/markdown; charset=utf-8", markdown.write),
    "mermaid": Export(".mmd", "text/vnd.mermaid; charset=utf-8", mermaid.write),
    "graphml": Export(".graphml", "application/graphml+xml", graphml.write),
    "csv": Export(".csv", "text/csv; charset=utf-8", csv.write),
    "ics": Export(".ics", "text/calendar; charset=utf-8", ics.write),
    "anki": Export(".apkg", "application/vnd.anki", anki.write, is_text=False),
}
