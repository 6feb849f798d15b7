"""Every error that REST gives, as a problem of RFC 9457: one table from class to status, one shape of answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from graph.errors import (
    BadCursor,
    BadOntology,
    BadRequest,
    BudgetTooSmall,
    ModelError,
    NothingCovered,
    StoreBusy,
    StoreChanged,
    StoreEmpty,
    StoreError,
    StoreOutdated,
    StoreUnavailable,
    UnknownName,
    UnreadableSource,
    WarpathError,
)

MEDIA_TYPE = "application/problem+json"
OPENAI_ADDRESSES = frozenset({"/v1/chat/completions", "/v1/models"})
MOST_FAULTS = 20  # of one request; a body can hold a hundred thousand


@dataclass(frozen=True)
class ProblemType:
    """One kind of problem: its page is /problems/{slug}. `advice` says what a caller can do."""

    slug: str
    status: int
    title: str
    advice: str
    retry_after: int | None = None

    @property
    def uri(self) -> str:
        """What the member `type` holds: a reference that this service answers."""
        return f"/problems/{self.slug}"


class WrongValue(BaseModel):
    """One wrong value of a request: a query parameter's name, or a JSON pointer into the body."""

    detail: str
    parameter: str | None = None
    pointer: str | None = None


class OpenAIError(BaseModel):
    """An error as clients of OpenAI's API read it."""

    message: str
    type: Literal["invalid_request_error", "server_error"]
    param: str | None = None
    code: str


class Problem(BaseModel):
    """An error as application/problem+json (RFC 9457). Members that do not apply are left out."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    request_id: str
    hint: str | None = None
    nearest: tuple[str, ...] | None = None
    minimum_hours: float | None = None
    errors: tuple[WrongValue, ...] | None = None
    error: OpenAIError | None = None  # where OpenAI's API is spoken


NOT_FOUND = ProblemType("not-found", 404, "No such address", "GET /openapi.json lists every address of the service.")
METHOD = ProblemType(
    "method-not-allowed", 405, "Method not allowed", "The header Allow names the methods that work here."
)
UNREADABLE_BODY = ProblemType("unreadable-body", 400, "The body cannot be read", "Send one JSON object in UTF-8.")
TOO_LARGE = ProblemType(
    "content-too-large", 413, "The body is too large", "A request takes at most 1 MB, an ingest 20 MB."
)
TOO_SLOW = ProblemType("request-timeout", 408, "The body did not arrive in time", "Send the request again, faster.")
LONG_ADDRESS = ProblemType("address-too-long", 414, "The address is too long", "Ask with POST and a body instead.")
LARGE_HEADERS = ProblemType("headers-too-large", 431, "The headers are too large", "Send fewer or shorter headers.")
NOT_JSON = ProblemType(
    "unsupported-media-type", 415, "The body is not declared as JSON", "Send JSON with Content-Type: application/json."
)
KEY_NEEDED = ProblemType(
    "key-needed",
    401,
    "A key is needed",
    "Send a key that the operator gave you as Authorization: Bearer KEY, or as X-API-Key: KEY.",
)
KEY_FORBIDS = ProblemType("key-forbids", 403, "This key may not write", "Ask the operator for a key that may write.")
WRITING_OFF = ProblemType(
    "writing-off", 403, "Nobody may write here", "The operator sets WARPATH_WRITE_KEYS, or uses `warpath ingest`."
)
TOO_MANY = ProblemType(
    "too-many-requests", 429, "Too many requests", "Wait as long as Retry-After says; RateLimit tells what is left."
)
INVALID = ProblemType(
    "invalid-request",
    422,
    "A value does not fit",
    "The member errors names each wrong value; /docs shows what is allowed.",
)
INTERNAL = ProblemType(
    "internal-error", 500, "The service failed", "The fault is not in the request. Report it with the request id."
)

# The class of an error, or the nearest of its bases that stands here, says what the caller sees. A store or model that
# cannot be used is 503 throughout, the empty store too: no change to the request would help (so not 409), the operator
# can mend it, and /readyz says the same. Only where waiting alone may help is there a Retry-After.
BY_ERROR: Mapping[type[WarpathError], ProblemType] = {
    BadRequest: ProblemType("bad-request", 400, "Cannot be done as asked", "Change the request as the detail says."),
    UnknownName: ProblemType(
        "unknown-name",
        404,
        "Unknown name",
        "The member nearest holds names that exist; /v1/topics and its like list all.",
    ),
    NothingCovered: ProblemType(
        "nothing-covered", 404, "Goal not covered", "Ask for a topic named in nearest; /v1/topics lists all."
    ),
    BadCursor: ProblemType("bad-cursor", 422, "The cursor leads to no page", "Search anew without a cursor."),
    BudgetTooSmall: ProblemType(
        "budget-too-small", 422, "Too few hours", "Give at least minimum_hours, or name in know what you know already."
    ),
    UnreadableSource: ProblemType("unreadable-source", 422, "Unreadable source", "Send a text in UTF-8."),
    BadOntology: ProblemType(
        "bad-ontology",
        503,
        "Topics or hardware do not hold together",
        "The operator mends the file that the detail names.",
    ),
    StoreError: ProblemType("store-error", 503, "The store cannot be used", "The operator runs `warpath doctor`."),
    StoreBusy: ProblemType("store-busy", 503, "The store is busy", "Ask again in a moment.", retry_after=2),
    StoreChanged: ProblemType("store-changed", 503, "The store has just changed", "Ask again.", retry_after=1),
    StoreEmpty: ProblemType("store-empty", 503, "Nothing ingested yet", "The operator runs `warpath ingest`."),
    StoreOutdated: ProblemType("store-outdated", 503, "The store is outdated", "The operator runs `warpath reindex`."),
    StoreUnavailable: ProblemType(
        "store-unavailable", 503, "A store does not answer", "Ask again later; the operator runs `warpath doctor`.", 10
    ),
    ModelError: ProblemType(
        "model-error", 503, "The embedding model cannot be used", "The operator runs `warpath doctor`."
    ),
    WarpathError: INTERNAL,
}
_BY_STATUS = {
    kind.status: kind for kind in (UNREADABLE_BODY, NOT_FOUND, METHOD, TOO_SLOW, TOO_LARGE, INVALID, INTERNAL)
}
_BEFORE_ENDPOINTS = (LONG_ADDRESS, LARGE_HEADERS, NOT_JSON, KEY_NEEDED, KEY_FORBIDS, WRITING_OFF, TOO_MANY)
ALL_TYPES: Mapping[str, ProblemType] = {
    kind.slug: kind
    for kind in sorted({*BY_ERROR.values(), *_BY_STATUS.values(), *_BEFORE_ENDPOINTS}, key=lambda kind: kind.slug)
}


def type_of(error: type[WarpathError]) -> ProblemType:
    """The problem that stands for a class of errors."""
    return next(BY_ERROR[base] for base in error.__mro__ if base in BY_ERROR)


def install(app: FastAPI) -> None:
    """Makes an app answer its errors with problems."""
    app.add_exception_handler(WarpathError, _on_warpath_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_exception)


def response(request: Request, kind: ProblemType, detail: str, **members: Any) -> Response:
    """The answer for a problem; `members` are the optional ones of `Problem`."""
    problem = Problem(
        type=kind.uri,
        title=kind.title,
        status=kind.status,
        detail=detail,
        instance=quote(request.url.path),
        request_id=request.state.request_id,
        **members,
    )
    headers = {"Retry-After": str(kind.retry_after)} if kind.retry_after else None
    if request.url.path in OPENAI_ADDRESSES:
        problem.error = _for_openai(kind, problem)
    # ASCII: whatever a request held can be quoted, half of a surrogate pair too.
    text = json.dumps(problem.model_dump(exclude_none=True))
    return Response(text, kind.status, headers, media_type=MEDIA_TYPE)


def _for_openai(kind: ProblemType, problem: Problem) -> OpenAIError:
    return OpenAIError(
        message=" ".join(filter(None, (problem.detail, problem.hint))),
        type="invalid_request_error" if kind.status < 500 else "server_error",
        param=problem.errors[0].pointer if problem.errors else None,
        code=kind.slug,
    )


def refusal(request: Request, kind: ProblemType, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to a request that no endpoint sees."""
    answer = response(request, kind, f"{kind.title}.", hint=kind.advice)
    answer.headers.update(headers or {})
    return answer


def internal(request: Request) -> Response:
    """The answer when warpath itself is at fault: nothing of the fault leaves the server but the request's id."""
    return response(request, INTERNAL, "Something went wrong inside warpath.", hint=INTERNAL.advice)


async def _on_warpath_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, WarpathError)
    facts = {name: getattr(error, name) for name in ("nearest", "minimum_hours") if hasattr(error, name)}
    return response(request, type_of(type(error)), error.message, hint=hint(error), **facts)


def hint(error: WarpathError) -> str | None:
    """The error's own hint, unless it speaks of the command line and the table says it for REST."""
    if isinstance(error, BudgetTooSmall) or (isinstance(error, NothingCovered) and not error.nearest):
        return type_of(type(error)).advice
    return error.hint or None


async def _on_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    faults = tuple(_wrong_value(one["loc"], one["msg"]) for one in error.errors()[:MOST_FAULTS])
    more = "" if len(error.errors()) <= MOST_FAULTS else f" The first {MOST_FAULTS} of {len(error.errors())} faults."
    first = faults[0]
    place = first.parameter or first.pointer or "The request"
    return response(request, INVALID, f"{place}: {first.detail}.{more}", hint=INVALID.advice, errors=faults)


def _wrong_value(place: tuple[str | int, ...], message: str) -> WrongValue:
    """Pydantic's place becomes a parameter's name, or a pointer (RFC 6901) into the body."""
    origin, *names = (_printable(str(name)) for name in place)
    if origin != "body":
        return WrongValue(detail=_printable(message), parameter=".".join(names))
    if message == "JSON decode error":
        return WrongValue(detail=f"Not JSON from character {names[0]} on", pointer="#")
    parts = [name.replace("~", "~0").replace("/", "~1") for name in names]
    return WrongValue(detail=_printable(message), pointer="/".join(["#", *parts]))


def _printable(text: str) -> str:
    """A short text that UTF-8 can hold."""
    return text[:200].encode("utf-8", "replace").decode()


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    kind = _BY_STATUS.get(error.status_code)
    if kind is None:  # a status without a page of its own: RFC 9457 calls that type about:blank
        return _plain(request, HTTPStatus(error.status_code), error)
    answer = response(request, kind, _sentence(request, kind), hint=kind.advice)
    answer.headers.update(error.headers or {})
    if kind is METHOD:
        answer.headers["Allow"] = _allowed(request, answer.headers.get("Allow", ""))
    return answer


def _allowed(request: Request, by_route: str) -> str:
    """All methods of an address; the framework names those of one endpoint only. Where GET works, HEAD does."""
    documented = request.app.openapi()["paths"].get(request.scope["route"].path_format, {})
    methods = {method.upper() for method in documented} or set(by_route.split(", "))
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods))


def _sentence(request: Request, kind: ProblemType) -> str:
    """What happened to this request; the framework's own words are a title at most."""
    path = _printable(request.url.path)
    sentences = {404: f"There is nothing at {path}.", 405: f"{path} does not take {request.method}."}
    return sentences.get(kind.status, f"{kind.title}.")


def _plain(request: Request, status: HTTPStatus, error: HTTPException) -> Response:
    members = {"type": "about:blank", "title": status.phrase, "status": int(status), "detail": status.description}
    text = json.dumps({**members, "instance": quote(request.url.path)})
    return Response(text, status, error.headers, media_type=MEDIA_TYPE)
