"""A resource as `export` gives it: the same over REST and on the command line."""

from __future__ import annotations

from typing import Any

from graph.models import Resource

_FIELDS = {"id", "title", "url", "kind", "authors", "mentions"}


def exported(resource: Resource) -> dict[str, Any]:
    """The resource with the slugs of its topics and hardware in place of the links."""
    return {
        **resource.model_dump(mode="json", include=_FIELDS),
        "topics": [link.slug for link in resource.topics],
        "hardware": [link.slug for link in resource.hardware],
    }
