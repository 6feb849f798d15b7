"""A learning path as JSON: the whole of it, and the only form that can be read back."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from graph.errors import BadRequest
from graph.models import LearningPath, Pace

SCHEMA_ID = "/v1/schemas/path.json"


def write(path: LearningPath, _: Pace) -> bytes:
    """The path; `read` gives it back."""
    return path.model_dump_json(indent=2).encode() + b"\n"


def read(text: str | bytes) -> LearningPath:
    """The path that was written.

    Raises:
        BadRequest: the text holds no path.
    """
    try:
        return LearningPath.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the text"
        raise BadRequest(
            f"This is no learning path: {place}: {first['msg']}.",
            hint="`warpath path GOAL --format json --output FILE` writes one.",
        ) from error


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `write` gives."""
    made = LearningPath.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID, **made}
