"""A client of the service: the answers of REST as the values that a library gives, in the calling program's terms.

from api.client import Client

with Client("http://127.0.0.1:8000") as warpath:
    for hit in warpath.search("shared memory bank conflicts", kind=("blog",)).hits:
        print(hit.title, hit.url)
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from graph.chat.models import ChatAnswer, ChatRequest, Sentence
from graph.models import (
    ExportRequest,
    Format,
    Hardware,
    KernelLine,
    KernelPage,
    LearningPath,
    PathRequest,
    Resource,
    SearchAnswer,
    SearchAnswerWithPath,
    SearchRequest,
    SimilarAnswer,
    SimilarRequest,
    SourceLine,
    TopicLine,
    TopicPage,
    Verdict,
)

FIRST_WAIT = 0.25  # seconds before asking again; each time twice as long
LONGEST_WAIT = 30.0  # seconds: who is told to wait longer is told so instead
_TRY_AGAIN = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})

Answer = TypeVar("Answer")


class ClientError(Exception):
    """What the service cannot give. `ProblemError` says why in its words, `NoAnswer` that there are none."""


class NoAnswer(ClientError):
    """The service cannot be reached, takes too long, breaks off, or gives what is no answer of this version."""


class ProblemError(ClientError):
    """A problem of RFC 9457 that the service gave; `type` is /problems/{slug}, where the service explains it."""

    def __init__(self, problem: dict[str, Any], status: int) -> None:
        self.status = status
        self.type = str(problem.get("type", "about:blank"))
        self.title = str(problem.get("title", HTTPStatus(status).phrase))
        self.detail = str(problem.get("detail", ""))
        self.hint = str(problem.get("hint") or "")
        self.request_id = str(problem.get("request_id", ""))
        self.nearest = tuple(map(str, problem.get("nearest") or ()))
        self.minimum_hours: float | None = problem.get("minimum_hours")
        super().__init__(" ".join(filter(None, (self.detail or self.title, self.hint))))


class Client:
    """Asks a service. Safe to share among threads.

    What only reads or plans is asked again, up to `retries` times, while the service cannot be reached or says 429 or
    503, in ever longer intervals or as its Retry-After says. Every method raises `ProblemError` and `NoAnswer`.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        *,
        key: str | None = None,
        timeout: float = 30,
        retries: int = 3,
    ) -> None:
        """`key` is needed where reading is; `timeout` is in seconds, to connect and for each piece of an answer."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=timeout)
        self._retries = retries

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def search(self, query: str | SearchRequest, **conditions: Any) -> SearchAnswer:
        """What answers a query; `conditions` are the other fields of `SearchRequest`."""
        request = query if isinstance(query, SearchRequest) else SearchRequest(query=query, **conditions)
        return self._post("/v1/search", request, SearchAnswerWithPath if request.path else SearchAnswer)

    def path(self, goal: str | PathRequest, **learner: Any) -> LearningPath:
        """The path to a goal; `learner` are the other fields of `PathRequest`."""
        request = goal if isinstance(goal, PathRequest) else PathRequest(goal=goal, **learner)
        return self._post("/v1/paths", request, LearningPath)

    def export(self, goal: str, format: Format, **fields: Any) -> bytes:
        """The path to a goal as a file; `fields` are the other fields of `ExportRequest`."""
        request = ExportRequest(goal=goal, format=format, **fields)
        return self._ask("POST", "/v1/paths/export", request).content

    def validate(self, path: LearningPath) -> Verdict:
        """Whether a path is right, and what is wrong with it."""
        return self._post("/v1/paths/validate", path, Verdict)

    def resource(self, name: str) -> Resource:
        """A resource by id, address or exact title."""
        return self._get(f"/v1/resources/{_segment(name)}", Resource)

    def similar(self, name: str, **conditions: Any) -> SimilarAnswer:
        """What is like a resource; `conditions` are the fields of `SimilarRequest`."""
        request = SimilarRequest(**conditions)
        return self._get(f"/v1/resources/{_segment(name)}/similar", SimilarAnswer, request)

    def topics(self) -> list[TopicLine]:
        """All topics."""
        return self._get("/v1/topics", list[TopicLine])

    def topic(self, name: str) -> TopicPage:
        """A topic by slug, name or alias."""
        return self._get(f"/v1/topics/{_segment(name)}", TopicPage)

    def hardware(self) -> list[Hardware]:
        """All hardware."""
        return self._get("/v1/hardware", list[Hardware])

    def kernels(self) -> list[KernelLine]:
        """All reference kernels."""
        return self._get("/v1/kernels", list[KernelLine])

    def kernel(self, name: str) -> KernelPage:
        """A reference kernel by slug, title or alias."""
        return self._get(f"/v1/kernels/{_segment(name)}", KernelPage)

    def sources(self) -> list[SourceLine]:
        """The lists that were read."""
        return self._get("/v1/sources", list[SourceLine])

    def chat(self, message: str | ChatRequest, **fields: Any) -> ChatAnswer:
        """The answer to a message; `fields` are the other fields of `ChatRequest`. It is asked for once only."""
        return _read(self._ask("POST", "/v1/chat", _chat(message, fields), again=False).content, ChatAnswer)

    def chat_stream(self, message: str | ChatRequest, **fields: Any) -> Iterator[Sentence | ChatAnswer]:
        """The sentences of an answer as they come, then the whole answer."""
        body = {**_chat(message, fields).model_dump(mode="json"), "stream": True}
        try:
            with self._http.stream("POST", "/v1/chat", json=body) as response:
                if response.is_error:
                    response.read()
                    raise _problem(response)
                yield from _events(response.iter_lines())
        except httpx.HTTPError as error:
            raise _no_answer(error) from error

    def _get(self, path: str, kind: type[Answer], query: BaseModel | None = None) -> Answer:
        return _read(self._ask("GET", path, query).content, kind)

    def _post(self, path: str, body: BaseModel, kind: type[Answer]) -> Answer:
        return _read(self._ask("POST", path, body).content, kind)

    def _ask(self, method: str, path: str, value: BaseModel | None = None, *, again: bool = True) -> httpx.Response:
        """The answer to one request, asked for again while there is hope."""
        held = value.model_dump(mode="json", exclude_defaults=True) if value else None
        sent: dict[str, Any] = {"params": held} if method == "GET" else {"json": held}
        for attempt in range(self._retries + 1):
            last = attempt == self._retries or not again
            try:
                response = self._http.request(method, path, **sent)
            except httpx.TransportError as error:
                if last or isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout):
                    raise _no_answer(error) from error
                time.sleep(_wait(attempt))
                continue
            if not response.is_error:
                return response
            wait = _wait(attempt, response.headers.get("retry-after"))
            if last or response.status_code not in _TRY_AGAIN or wait > LONGEST_WAIT:
                raise _problem(response)
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")


def _segment(name: str) -> str:
    """A name as one segment of a path."""
    return quote(name, safe="")


def _chat(message: str | ChatRequest, fields: dict[str, Any]) -> ChatRequest:
    return message if isinstance(message, ChatRequest) else ChatRequest(message=message, **fields)


def _wait(attempt: int, told: str | None = None) -> float:
    """Seconds to wait: as told, in seconds or until a date (RFC 9110, 10.2.3), else twice as long each time."""
    if told and told.isdecimal():
        return float(told)
    if told:
        try:
            return max((parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds(), 0.0)
        except (TypeError, ValueError):
            pass
    return float(FIRST_WAIT * 2**attempt * random.uniform(0.75, 1.25))  # noqa: S311  # not all at the same moment


def _events(lines: Iterable[str]) -> Iterator[Sentence | ChatAnswer]:
    """The values of a stream of server-sent events, whose last is the whole answer."""
    name = ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield _read(value, Sentence) if name == "sentence" else _read(value, ChatAnswer)
            if name == "answer":
                return
    raise NoAnswer("The service broke off before the answer was whole.")


def _read(held: str | bytes, kind: type[Answer]) -> Answer:
    """A value from JSON. Fields that a newer service has besides are passed over."""
    try:
        return TypeAdapter(kind).validate_json(held, extra="ignore")
    except ValidationError as error:
        raise NoAnswer(f"What came is no {getattr(kind, '__name__', kind)} of this version of warpath.") from error


def _problem(response: httpx.Response) -> ProblemError:
    try:
        held = response.json()
    except ValueError:
        held = {}
    return ProblemError(held if isinstance(held, dict) else {}, response.status_code)


def _no_answer(error: httpx.HTTPError) -> NoAnswer:
    return NoAnswer(f"The service gives no answer: {str(error) or type(error).__name__}")
