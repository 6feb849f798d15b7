"""From where to where `warpath copy` copies, with the secrets of each side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from api.settings import Settings, is_server
from graph.errors import BadRequest

TARGET = "WARPATH_TO_"  # variables that stand for the target alone


def places(settings: Settings, source: str | None, to: str, vectors: str | None) -> tuple[Settings, Settings]:
    """The settings of both sides.

    Raises:
        BadRequest: an address is wrong, the index's is missing, or both sides are the same.
    """
    if vectors is None and is_server(to):
        raise BadRequest("The index needs a place too.", hint="Name one with --vectors http://host:6333, or a folder.")
    here = _with(settings, {"graph": source} if source else {})
    there = _with(settings, {**_of_target(), "graph": to, "vectors": vectors or to})
    if _key(here) == _key(there):
        raise BadRequest(f"{to} would be copied to itself.", hint="Name another place with --to or --from.")
    return here, there


def _with(settings: Settings, changes: dict[str, Any]) -> Settings:
    """Settings with other values, which are checked as all are."""
    try:
        return settings.model_validate(settings.model_dump() | changes)
    except ValidationError as error:
        raise BadRequest(f"{error.errors()[0]['msg']}.", hint="See `warpath copy --help`.") from error


def _of_target() -> dict[str, Any]:
    """What WARPATH_TO_... variables say."""
    given = Settings(_env_prefix=TARGET)  # type: ignore[call-arg]
    return {name: getattr(given, name) for name in given.model_fields_set}


def _key(settings: Settings) -> tuple[str, str]:
    """What tells two graphs apart."""
    if is_server(settings.graph):
        return str(settings.graph), settings.graph_database
    return str(Path(settings.graph or settings.data).resolve()), ""
