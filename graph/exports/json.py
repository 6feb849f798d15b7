"""A learning path as JSON: the whole of it, and the only form that can be read back."""

from __future__ import annotations

import json
from typing import Any

from graph.models import LearningPath, Pace

SCHEMA_ID = "/v1/schemas/path.json"


def write(path: LearningPath, _: Pace) -> bytes:
    """The path; `LearningPath.model_validate_json` gives it back."""
    return path.model_dump_json(indent=2).encode() + b"\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `write` gives."""
    made = LearningPath.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID, **made}


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2, ensure_ascii=False))
