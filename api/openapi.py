"""The OpenAPI document: what FastAPI derives from the code, with words for every field and the shape of problems."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from api.problems import Problem

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
}

# A field of this name means the same in a query string and in a body.
_FIELDS = {
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
    "goal": "A topic, or what you want to learn in words.",
    "know": "Topics that you know already.",
    "hours": "The hours that you have.",
    "done": "Topics and resources that you are done with: slugs, ids, addresses. Only what is left is planned.",
    "format": "The form of the file.",
    "hours_per_week": "How fast a calendar goes on.",
    "start": "When a calendar begins; today if not given.",
    "id": "An id, the first 8 or more characters of it, a URL, or an exact title.",
    "slug": "A slug; for topics and kernels a name or an alias too.",
}
_REQUESTS = ("SearchRequest", "PathRequest", "ExportRequest")


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an app."""
    tags = [{"name": name, "description": words} for name, words in TAGS.items()]
    made = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes, tags=tags)
    schemas = made["components"]["schemas"]
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= {**problem.pop("$defs"), "Problem": problem}
    for parameter in _parameters(made):
        parameter["description"] = _FIELDS[parameter["name"]]
    for name in _REQUESTS:
        for field, schema in schemas[name]["properties"].items():
            schema["description"] = _FIELDS[field]
    return made


def _parameters(made: dict[str, Any]) -> list[dict[str, Any]]:
    operations = (operation for path in made["paths"].values() for operation in path.values())
    return [parameter for operation in operations for parameter in operation.get("parameters", ())]
