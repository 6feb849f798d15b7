"""MCP's prompts, which a person picks: https://modelcontextprotocol.io/specification/2026-07-28/server/prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mcp_types import (
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from api.tools import LONGEST_NAME, QUOTED
from graph.errors import BadRequest, UnknownName
from graph.library import Library

Given = Mapping[str, str]


@dataclass(frozen=True)
class _Prompt:
    """One prompt; `arguments` maps each name to what it means, and `required` are those that must be given."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, str]
    required: frozenset[str]
    write: Callable[[Library, Given], str]


def list_prompts(library: Library, params: PaginatedRequestParams | None) -> ListPromptsResult:
    """All prompts, on one page."""
    return ListPromptsResult(prompts=[_entry(prompt) for prompt in _PROMPTS.values()])


def get_prompt(library: Library, params: GetPromptRequestParams) -> GetPromptResult:
    """A prompt with its arguments filled in.

    Raises:
        UnknownName: there is no such prompt, or it names a topic that is not there.
        BadRequest: an argument is missing or too long.
    """
    if params.name not in _PROMPTS:
        raise UnknownName("prompt", params.name, tuple(_PROMPTS))
    prompt = _PROMPTS[params.name]
    given = {name: value for name, value in (params.arguments or {}).items() if value.strip()}
    if missing := sorted(prompt.required - given.keys()):
        raise BadRequest(f"The prompt {prompt.name} needs {' and '.join(missing)}.")
    if any(len(value) > LONGEST_NAME for value in given.values()):
        raise BadRequest(f"An argument has at most {LONGEST_NAME} characters.")
    message = PromptMessage(role="user", content=TextContent(text=prompt.write(library, given)))
    return GetPromptResult(description=prompt.description, messages=[message])


def _entry(prompt: _Prompt) -> Prompt:
    return Prompt(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[
            PromptArgument(name=name, description=words, required=name in prompt.required)
            for name, words in prompt.arguments.items()
        ],
    )


def _study_plan(library: Library, given: Given) -> str:
    asked = "\n".join(f"- {name}: {given[name]}" for name in _PLAN_ARGUMENTS if name in given)
    return (
        f"Make me a study plan:\n{asked}\n\n"
        "Call the tool plan_path with these; `know` is a list. Then give its steps in their order, each with title, "
        "address, time and the reason it stands there, and quote the curators' words with the list and line they are "
        "from. Add no resource of your own. Say what was left out and why, and name the kernels to write. If the hours "
        f"do not suffice, say how many would. {QUOTED}"
    )


def _explain_prerequisite(library: Library, given: Given) -> str:
    topic, before = library.topic(given["topic"]).topic, library.topic(given["prerequisite"]).topic
    reason = {**topic.helps, **topic.requires}.get(before.slug)
    known = f"The graph gives the reason: “{reason}”" if reason else "The graph has no direct edge between the two."
    return (
        f"Explain why one learns {before.name} ({before.slug}) before {topic.name} ({topic.slug}).\n\n{known}\n\n"
        "Call the tool get_topic for both, and plan_path for what lies between. Rest every sentence on a reason, a "
        f"summary or a curator's note that they give, cited with list and line. {QUOTED}"
    )


_PLAN_ARGUMENTS = {
    "goal": "A topic, or what you want to learn in words.",
    "know": "What you know already, between commas.",
    "hardware": "What you have, such as H100 or MI300X.",
    "hours": "The hours that you have.",
}
_LISTED = (
    _Prompt(
        "study_plan",
        "Make a study plan",
        "A plan for your goal, hardware, knowledge and hours, with sources for each step.",
        _PLAN_ARGUMENTS,
        frozenset({"goal"}),
        _study_plan,
    ),
    _Prompt(
        "explain_prerequisite",
        "Explain a prerequisite",
        "Why one topic comes before another.",
        {"topic": "What you want to learn.", "prerequisite": "What is said to come before it."},
        frozenset({"topic", "prerequisite"}),
        _explain_prerequisite,
    ),
)
_PROMPTS = {prompt.name: prompt for prompt in _LISTED}
