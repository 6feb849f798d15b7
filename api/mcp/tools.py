"""MCP's tools: https://modelcontextprotocol.io/specification/2026-07-28/server/tools."""

from __future__ import annotations

from typing import Any

from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ToolEntry
from pydantic import ValidationError

from api.mcp import text
from api.problems import MOST_FAULTS
from api.tools import TOOLS, Tool
from graph.errors import BadRequest, UnknownName, WarpathError
from graph.library import Library
from graph.models import Value

# They look things up in a closed collection and change nothing.
_HINTS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


def list_tools(library: Library, params: PaginatedRequestParams | None) -> ListToolsResult:
    """All tools, on one page."""
    return ListToolsResult(tools=[_entry(tool) for tool in TOOLS.values()])


def call_tool(library: Library, params: CallToolRequestParams) -> CallToolResult:
    """A tool's answer: the JSON that REST gives, and a short text. What goes wrong in it is told to the model.

    Raises:
        UnknownName: there is no such tool.
    """
    if params.name not in TOOLS:
        raise UnknownName("tool", params.name, tuple(TOOLS))
    tool = TOOLS[params.name]
    try:
        answer = tool.call(library, _checked(tool.request, params.arguments or {}))
    except WarpathError as error:
        return CallToolResult(content=[TextContent(text=text.sorry(error))], is_error=True)
    return CallToolResult(
        content=[TextContent(text=text.quoted(tool.page(answer)))],
        structured_content=answer.model_dump(mode="json"),
    )


def _entry(tool: Tool) -> ToolEntry:
    return ToolEntry(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=_HINTS,
    )


def _checked(request: type[Value], arguments: dict[str, Any]) -> Value:
    try:
        return request.model_validate(arguments)
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:MOST_FAULTS]]
        raise BadRequest("; ".join(faults) + ".", hint="The tool's input schema says what is allowed.") from error
