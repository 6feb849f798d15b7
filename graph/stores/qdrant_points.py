"""What the embedded index and the one on a server have in common: names, sizes, and how ids become point ids."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from graph.agreement import point_digest
from graph.ports import Filters, Point

DENSE, WORDS, TOPICS = "dense", "words", "topics"  # the vectors of a point
KEYWORDS = ("kind", "hardware", "topic", "author", "source", "status")
FIELDS = (*KEYWORDS, "tier", "by")  # what a search can give of a payload
VALUES = 100_000  # of one field that are told
LAYOUT = 4  # of points and field indexes: an index of another one is built anew
CANDIDATES = 1000  # of each of the three sides, before they are put together
BATCH = 500
_NAMESPACE = uuid.UUID("6d1d9ad0-8f8f-5d65-8a64-0d9d4a8f6a11")


def point_id(id: str) -> uuid.UUID:
    """The engine takes UUIDs; ids of other shapes are hashed to one."""
    try:
        return uuid.UUID(id)
    except ValueError:
        return uuid.uuid5(_NAMESPACE, id)


def payload(point: Point) -> dict[str, object]:
    """What is stored beside the vectors: the graph's own id, and what tells whether the point is as it should be."""
    return {"id": point.id, "digest": point_digest(point), **point.payload}


def any_of(filters: Filters) -> Mapping[str, tuple[str, ...]]:
    """The fields of which a hit must have any of some values."""
    fields = {
        "kind": filters.kind,
        "hardware": filters.made_for,
        "topic": filters.topic,
        "author": filters.author,
        "source": filters.source,
        "status": filters.status,
    }
    return {field: values for field, values in fields.items() if values}
