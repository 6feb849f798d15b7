"""The MCP server over a library: every handler, and how their errors reach a client."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from anyio import to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from api.mcp import completions, prompts, resources, text, tools
from api.tools import QUOTED
from graph.errors import BadRequest, WarpathError
from graph.library import Library

INSTRUCTIONS = (
    "warpath knows curated reading lists about GPU programming and LLM inference. Use plan_path for what to learn and "
    "in which order, search for resources on a question, and cite each by title, address and the list and line that "
    f"speak of it. Where it has no answer, say so. {QUOTED}"
)

Params = TypeVar("Params")
Result = TypeVar("Result")
Context = ServerRequestContext[Any, Any]

_log = logging.getLogger("warpath.mcp")


def mcp_server(library: Library, version: str) -> Server[Any]:
    """The server, to be run over any transport."""

    def over(answer: Callable[[Library, Params], Result]) -> Callable[[Context, Params], Awaitable[Result]]:
        async def handle(context: Context, params: Params) -> Result:
            return await to_thread.run_sync(_guarded, answer, library, params)

        return handle

    return Server(
        "warpath",
        version=version,
        title="warpath",
        description="Search and learning paths over curated reading lists about GPU programming.",
        instructions=INSTRUCTIONS,
        on_list_tools=over(tools.list_tools),
        on_call_tool=over(tools.call_tool),
        on_list_resources=over(resources.list_resources),
        on_list_resource_templates=over(resources.list_templates),
        on_read_resource=over(resources.read_resource),
        on_list_prompts=over(prompts.list_prompts),
        on_get_prompt=over(prompts.get_prompt),
        on_completion=over(completions.complete),
    )


def _guarded(answer: Callable[[Library, Params], Result], library: Library, params: Params) -> Result:
    """Answers, or fails with words that a client may see: the SDK sends those of other exceptions as they are."""
    try:
        return answer(library, params)
    except WarpathError as error:
        code = INVALID_PARAMS if isinstance(error, BadRequest) else INTERNAL_ERROR
        raise MCPError(code, text.sorry(error)) from error
    except Exception as error:
        _log.exception("A request failed")
        raise MCPError(INTERNAL_ERROR, "Something went wrong inside warpath.") from error
