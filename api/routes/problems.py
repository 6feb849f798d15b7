"""Pages for the `type` of every problem: HTML for a browser, JSON for everyone else."""

from __future__ import annotations

from html import escape
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse

from api.problems import ALL_TYPES, INTERNAL, NOT_FOUND, ProblemType
from api.routes.base import answers
from graph.errors import UnknownName

router = APIRouter(tags=["problems"])


@router.get("/problems", responses=answers([INTERNAL, NOT_FOUND], takes_values=False))
def list_problems() -> list[ProblemType]:
    """Every kind of problem that the service gives."""
    return list(ALL_TYPES.values())


@router.get("/problems/{slug}", response_model=ProblemType, responses=answers(NOT_FOUND, (UnknownName,)))
def get_problem(
    slug: Annotated[str, Path(max_length=100, examples=[NOT_FOUND.slug])], request: Request
) -> ProblemType | Response:
    """What a kind of problem means and what to do about it."""
    if slug not in ALL_TYPES:
        raise UnknownName("kind of problem", slug)
    wants_html = "text/html" in request.headers.get("accept", "")
    return HTMLResponse(_page(ALL_TYPES[slug])) if wants_html else ALL_TYPES[slug]


def _page(kind: ProblemType) -> str:
    title, advice = escape(kind.title), escape(kind.advice)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<h1>{title}</h1><p>Status {kind.status}, <code>{kind.uri}</code></p><p>{advice}</p></html>"
    )
