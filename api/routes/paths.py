"""Learning paths: GET with a query string, or POST with the same request as JSON."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response

from api import examples
from api.routes.base import SEARCH_ERRORS, STORE_ERRORS, Shared, answers
from api.schema import PATH_SCHEMA, path_schema
from graph.errors import BudgetTooSmall, NothingCovered, UnknownName
from graph.exports import EXPORTS
from graph.models import ExportRequest, LearningPath, PathRequest, Verdict

router = APIRouter(tags=["paths"])
_ANSWERS = answers(examples.LEARNING_PATH, (UnknownName, NothingCovered, BudgetTooSmall, *SEARCH_ERRORS))
_FILE = {"schema": {"type": "string", "format": "binary"}}
_AS_FILES = {export.media_type.split(";")[0]: _FILE for name, export in EXPORTS.items() if name != "json"}
_EXPORTS = {**_ANSWERS, 200: {**_ANSWERS[200], "content": {**_ANSWERS[200]["content"], **_AS_FILES}}}


@router.get("/v1/paths", responses=_ANSWERS)
def plan_path(request: Annotated[PathRequest, Query()], library: Shared) -> LearningPath:
    """Plan the way to a goal: what to read, in which order, and why.

    `goal` is a topic or words; `know` may be repeated and leaves out what you know already.
    """
    return library.plan(request)


@router.post("/v1/paths", responses=_ANSWERS)
def plan_path_by_body(
    request: Annotated[PathRequest, Body(examples=[examples.PATH_REQUEST.model_dump(mode="json")])], library: Shared
) -> LearningPath:
    """Plan a learning path; the same as GET, for those who know a lot."""
    return library.plan(request)


@router.get("/v1/paths/export", response_class=Response, responses=_EXPORTS)
def export_path(request: Annotated[ExportRequest, Query()], library: Shared) -> Response:
    """Plan a learning path and give it as a file: a checklist, a calendar, a graph, a table, cards.

    `format` is one of json, markdown, mermaid, graphml, csv, ics and anki. The pace is for the calendar.
    """
    export, path = EXPORTS[request.format], library.plan(_path_request(request))
    name = f"path-{path.id}{export.suffix}"
    return Response(
        export.write(path, request),
        media_type=export.media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.post("/v1/paths/export", response_class=Response, responses=_EXPORTS)
def export_path_by_body(
    request: Annotated[ExportRequest, Body(examples=[examples.EXPORT_REQUEST.model_dump(mode="json")])],
    library: Shared,
) -> Response:
    """Give a learning path as a file; the same as GET, for those who know a lot or have done a lot."""
    return export_path(request, library)


@router.get("/v1/schemas/path.json", responses=answers({"$id": PATH_SCHEMA, "type": "object"}, takes_values=False))
def get_path_schema() -> dict[str, Any]:
    """The JSON Schema of a learning path."""
    return path_schema()


@router.post("/v1/paths/validate", responses=answers(examples.VERDICT, STORE_ERRORS))
def validate_path(
    path: Annotated[LearningPath, Body(examples=[examples.LEARNING_PATH.model_dump(mode="json")])], library: Shared
) -> Verdict:
    """Check a learning path, whoever made it, by its certificate and the graph alone.

    Every fault is named with its step or topic.
    """
    faults = library.validate(path)
    return Verdict(valid=not faults, faults=tuple(faults))


def _path_request(request: ExportRequest) -> PathRequest:
    return PathRequest.model_validate(request.model_dump(include=set(PathRequest.model_fields)))
