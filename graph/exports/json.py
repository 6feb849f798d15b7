"""A learning path as JSON: the whole of it, and the only form that can be read back."""

from __future__ import annotations

from graph.models import LearningPath, Pace


def write(path: LearningPath, _: Pace) -> bytes:
    """The path; `LearningPath.model_validate_json` gives it back."""
    return path.model_dump_json(indent=2).encode() + b"\n"
