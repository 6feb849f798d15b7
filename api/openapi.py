"""The OpenAPI document: what FastAPI derives from the code, with words for every field and the shape of problems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.types import Scope

from api import problems
from api.keys import Keys, is_open
from api.problems import Problem
from api.routes.base import documented

TAGS = {
    "search": "Find resources.",
    "paths": "Plan what to learn, in which order.",
    "resources": "One resource with its evidence.",
    "kernels": "What to write, check and race.",
    "topics": "What can be learned.",
    "hardware": "What it runs on.",
    "sources": "Where it was read.",
    "devlog": "What was tried.",
    "health": "For probes.",
    "problems": "What an error means.",
    "tools": "For agents.",
    "chat": "Answers with citations.",
}

# A field of this name means the same in a query string and in a body.
FIELDS = {
    "q": "What to look for, in words.",
    "query": "What to look for, in words.",
    "limit": "How many hits at most.",
    "kind": "Only these kinds.",
    "hardware": "Leaves out what is made for other hardware. A slug, name or alias of /v1/hardware.",
    "max_tier": "Leaves out what every list puts in a higher tier.",
    "topic": "Only what is about one of these topics. Slugs of /v1/topics.",
    "author": "Only what is by one of these authors.",
    "source": "Only what one of these lists mentions.",
    "status": "Only what a list marks so.",
    "path": "Also plan the path to what the hits teach.",
    "facets": "Also count the kinds, tiers, topics, hardware, lists and authors of all that answers.",
    "cursor": "The member `next` of the page before this one.",
    "goal": "A topic, or what you want to learn in words.",
    "know": "Topics that you know already.",
    "hours": "The hours that you have.",
    "done": "Topics and resources that you are done with: slugs, ids, addresses. Only what is left is planned.",
    "format": "The form of the file.",
    "hours_per_week": "How fast a calendar goes on.",
    "start": "When a calendar begins; today if not given.",
    "id": "An id, the first 8 or more characters of it, a URL, or an exact title.",
    "name": "What a list is called, as /v1/sources shows it.",
    "sources": "Lists and devlogs: what to call each, and its text.",
    "slug": "A slug; for topics and kernels a name or an alias too.",
}
_REQUESTS = ("SearchRequest", "PathRequest", "ExportRequest", "IngestRequest")

_SCHEMES = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
}
_WITH_KEY: list[dict[str, list[str]]] = [{name: []} for name in _SCHEMES]


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an app."""
    tags = [{"name": name, "description": words} for name, words in TAGS.items()]
    made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes, tags=tags)
    schemas = made["components"]["schemas"]
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= {**problem.pop("$defs"), "Problem": problem}
    for parameter in _parameters(made):
        parameter["description"] = FIELDS[parameter["name"]]
    for name in _REQUESTS:
        for field, schema in schemas[name]["properties"].items():
            schema["description"] = FIELDS[field]
    made["components"]["securitySchemes"] = _SCHEMES
    for path, method, operation in _operations(made):
        _add_layers(app.state.keys, {"path": path, "method": method}, operation)
    return made


def _operations(made: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, held in made["paths"].items():
        yield from ((path, method.upper(), operation) for method, operation in held.items())


def _add_layers(keys: Keys, scope: Scope, operation: dict[str, Any]) -> None:
    """What the layers around an endpoint ask for and answer, the same for all."""
    needed = keys.needed(scope)
    operation["security"] = [*([] if needed else [{}]), *_WITH_KEY]
    kinds = [] if is_open(scope) else [problems.KEY_NEEDED, problems.TOO_MANY]
    if needed == "write":
        kinds += [problems.KEY_FORBIDS, problems.WRITING_OFF]
    if "parameters" in operation:
        kinds.append(problems.LONG_ADDRESS)
    if "requestBody" in operation:
        kinds += [problems.UNREADABLE_BODY, problems.TOO_SLOW, problems.TOO_LARGE, problems.NOT_JSON]
    ours = {str(status): held for status, held in documented(kinds).items()}
    operation["responses"] = dict(sorted({**ours, **operation["responses"]}.items()))


def _parameters(made: dict[str, Any]) -> list[dict[str, Any]]:
    return [parameter for *_, operation in _operations(made) for parameter in operation.get("parameters", ())]
