"""Search: GET with a query string, or POST with the same request as JSON."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response
from pydantic import Field

from api import examples
from api.routes.base import SEARCH_ERRORS, Shared, answers
from graph.errors import BadCursor, BadRequest, UnknownName
from graph.models import SearchAnswer, SearchAnswerWithPath, SearchRequest

router = APIRouter(tags=["search"])
_ANSWERS = answers(examples.SEARCH_ANSWER, (UnknownName, BadRequest, BadCursor, *SEARCH_ERRORS))

_ANSWER: Any = SearchAnswer | SearchAnswerWithPath


class SearchQuery(SearchRequest):
    """A search as a query string, where the query goes by its usual short name. Unknown parameters are refused."""

    query: Annotated[str, Field(alias="q", min_length=1, max_length=2000, examples=[examples.SEARCH_REQUEST.query])]


@router.get("/v1/search", response_model=_ANSWER, responses=_ANSWERS)
def search(request: Annotated[SearchQuery, Query()], library: Shared) -> Response:
    """Find resources by meaning and by word, best first.

    The query may hold conditions, phrases and words to leave out: `kind:video tier:<=2 -author:x "exact phrase" -word`;
    `understood` tells how it was read, `corrected` what was mended in it. `kind`, `topic`, `author`, `source` and
    `status` may be repeated; values of one parameter are alternatives. Each hit says in `why` and `highlights` what
    matched. `next` is the `cursor` of the next page, null on the last.

    A query that nothing answers gives `abstain: true`: its hits are only what comes nearest, `suggestions` are queries
    to try, `warnings` say what is wrong. With `path=true` the answer has a `path` to what the hits teach, null where
    there is none; without, it has no such field.
    """
    return _as_json(library.search(SearchRequest.model_validate(request.model_dump())))


@router.post("/v1/search", response_model=_ANSWER, responses=_ANSWERS)
def search_by_body(
    request: Annotated[SearchRequest, Body(examples=[examples.SEARCH_REQUEST.model_dump(mode="json")])], library: Shared
) -> Response:
    """Find resources; the same as GET, for queries that are long."""
    return _as_json(library.search(request))


def _as_json(answer: SearchAnswer) -> Response:
    """An answer as it is sent. FastAPI would validate it once more, and take another thread for that."""
    return Response(answer.model_dump_json(), media_type="application/json")
