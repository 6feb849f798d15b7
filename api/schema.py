"""The JSON Schema of a learning path, for docs/path.schema.json: `python -m api.schema > docs/path.schema.json`."""

from __future__ import annotations

import json
from typing import Any

from graph.models import LearningPath

PATH_SCHEMA = "/v1/schemas/path.json"


def path_schema() -> dict[str, Any]:
    """The schema (draft 2020-12)."""
    made = LearningPath.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": PATH_SCHEMA, **made}


if __name__ == "__main__":
    print(json.dumps(path_schema(), indent=2, ensure_ascii=False))
