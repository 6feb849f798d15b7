"""MCP's completions: names of topics, hardware and kernels while they are typed.

https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mcp_types import CompleteRequestParams, CompleteResult, Completion, ResourceTemplateReference

from graph.library import Library

MOST_VALUES = 100  # the protocol allows no more


def complete(library: Library, params: CompleteRequestParams) -> CompleteResult:
    """The names that hold what was typed; those that begin with it first."""
    typed = params.argument.value.casefold()
    names = sorted(name for name in _names(params)(library) if typed in name)
    names.sort(key=lambda name: not name.startswith(typed))
    return CompleteResult(
        completion=Completion(values=names[:MOST_VALUES], total=len(names), has_more=len(names) > MOST_VALUES)
    )


def _topics(library: Library) -> Iterable[str]:
    return library.curriculum.topics


def _hardware(library: Library) -> Iterable[str]:
    return library.curriculum.hardware


def _kernels(library: Library) -> Iterable[str]:
    return library.curriculum.kernels


def _nothing(library: Library) -> Iterable[str]:
    return ()


_BY_ARGUMENT: dict[str, Callable[[Library], Iterable[str]]] = {
    "goal": _topics,
    "topic": _topics,
    "prerequisite": _topics,
    "hardware": _hardware,
}
_BY_TEMPLATE: dict[str, Callable[[Library], Iterable[str]]] = {
    "warpath://topic/{slug}": _topics,
    "warpath://kernel/{slug}": _kernels,
}


def _names(params: CompleteRequestParams) -> Callable[[Library], Iterable[str]]:
    """Where the values of an argument come from."""
    if isinstance(params.ref, ResourceTemplateReference):
        return _BY_TEMPLATE.get(params.ref.uri, _nothing)
    return _BY_ARGUMENT.get(params.argument.name, _nothing)
