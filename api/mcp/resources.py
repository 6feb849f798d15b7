"""MCP's resources: topics, kernels and works at addresses of their own, each the JSON that REST gives.

https://modelcontextprotocol.io/specification/2026-07-28/server/resources
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mcp.shared.uri_template import UriTemplate
from mcp_types import (
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)
from pydantic import BaseModel

from api.tools import LONGEST_NAME
from graph.errors import BadRequest, UnknownName
from graph.library import Library

MOST_LISTED = 100  # of one page of the list
_JSON = "application/json"


@dataclass(frozen=True)
class _Family:
    """Resources whose addresses differ in a name alone."""

    kind: str
    description: str
    template: UriTemplate
    read: Callable[[Library, str], BaseModel]


_FAMILIES = (
    _Family(
        "topic",
        "A topic: what it needs, what helps, what needs it, what teaches it.",
        UriTemplate.parse("warpath://topic/{slug}"),
        lambda library, name: library.topic(name),
    ),
    _Family(
        "resource",
        "A work with what it teaches and every list that mentions it. `id` is its id, or its address percent-encoded.",
        UriTemplate.parse("warpath://resource/{id}"),
        lambda library, name: library.resource(name),
    ),
    _Family(
        "kernel",
        "A reference kernel with what speaks of it.",
        UriTemplate.parse("warpath://kernel/{slug}"),
        lambda library, name: library.kernel(name),
    ),
)


def list_templates(library: Library, params: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
    """The families, each with the form of its addresses."""
    return ListResourceTemplatesResult(
        resource_templates=[
            ResourceTemplate(
                name=family.kind, uri_template=str(family.template), description=family.description, mime_type=_JSON
            )
            for family in _FAMILIES
        ]
    )


def list_resources(library: Library, params: PaginatedRequestParams | None) -> ListResourcesResult:
    """All topics and kernels, page by page; works are found by searching.

    Raises:
        BadRequest: the cursor is not one of ours.
    """
    start = _start(params.cursor if params else None)
    every = [*_topics(library), *_kernels(library)]
    end = start + MOST_LISTED
    return ListResourcesResult(resources=every[start:end], next_cursor=str(end) if end < len(every) else None)


def read_resource(library: Library, params: ReadResourceRequestParams) -> ReadResourceResult:
    """What stands at an address.

    Raises:
        UnknownName: nothing does.
        BadRequest: it is too long.
    """
    if len(params.uri) > LONGEST_NAME:
        raise BadRequest(f"An address has at most {LONGEST_NAME} characters.")
    for family in _FAMILIES:
        if found := family.template.match(params.uri):
            (name,) = found.values()
            content = family.read(library, str(name)).model_dump_json()
            return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, mime_type=_JSON, text=content)])
    raise UnknownName("resource", params.uri, tuple(str(family.template) for family in _FAMILIES))


def _topics(library: Library) -> list[Resource]:
    return [
        Resource(
            uri=f"warpath://topic/{topic.slug}",
            name=topic.slug,
            title=topic.name,
            description=topic.summary,
            mime_type=_JSON,
        )
        for topic in library.curriculum.topics.values()
    ]


def _kernels(library: Library) -> list[Resource]:
    return [
        Resource(
            uri=f"warpath://kernel/{kernel.slug}",
            name=kernel.slug,
            title=kernel.title,
            description=kernel.summary,
            mime_type=_JSON,
        )
        for kernel in library.kernels()
    ]


def _start(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isdecimal() or len(cursor) > 9:
        raise BadRequest("There is no such page.", hint="Start again without a cursor.")
    return int(cursor)
