"""What an agent reads first: the tools as functions, and a map of the service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from api.openapi import TAGS
from api.routes.base import answers
from api.tools import QUOTED, TOOLS, Tool

router = APIRouter(tags=["tools"])

_HEAD = f"""# warpath

> Curated reading lists about GPU programming and LLM inference as a knowledge graph: search, and learning paths with a
> reason and a source for every step.

Answers are JSON; errors are application/problem+json. {QUOTED}

## agents

- [/mcp](/mcp): an MCP server (Streamable HTTP, no session) with the tools {", ".join(TOOLS)}.
- [/openapi.json](/openapi.json): the OpenAPI document of every address below.
"""
_TEXT = {"description": "The map.", "content": {"text/plain": {"example": _HEAD}}}


def _function(tool: Tool) -> dict[str, Any]:
    schema = {"name": tool.name, "description": tool.description, "parameters": tool.input_schema}
    return {"type": "function", "function": schema}


_FUNCTIONS = [_function(tool) for tool in TOOLS.values()]


@router.get("/v1/tools.json", responses=answers(_FUNCTIONS[:1], takes_values=False))
def list_tools() -> list[dict[str, Any]]:
    """The tools as functions that a model can call, in the form of OpenAI's `tools`.

    https://platform.openai.com/docs/guides/function-calling; the same tools are at /mcp.
    """
    return _FUNCTIONS


@router.get("/llms.txt", response_class=PlainTextResponse, responses={**answers("", takes_values=False), 200: _TEXT})
def get_llms_txt(request: Request) -> str:
    """A map of the service for language models, in Markdown.

    Its form is that of https://llmstxt.org.
    """
    paths: Mapping[str, Mapping[str, Any]] = request.app.openapi()["paths"]
    return "\n".join([_HEAD, *(line for tag, words in TAGS.items() for line in _section(tag, words, paths))])


def _section(tag: str, words: str, paths: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The addresses of one tag, a line each."""
    yield f"## {tag}\n\n{words}\n"
    for path, operations in paths.items():
        first = next(iter(operations.values()))
        if tag in first["tags"]:
            methods = " or ".join(map(str.upper, operations))
            yield f"- [{path}]({path}): {methods}. {first['description'].splitlines()[0]}"
    yield ""
