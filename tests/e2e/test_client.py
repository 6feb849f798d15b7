"""The client against a real service, and against servers that misbehave."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from api.client import Client, NoAnswer, ProblemError
from graph.chat.models import ChatAnswer, Sentence
from graph.exports import EXPORTS
from graph.library import Library
from graph.models import Pace, PathRequest, SearchAnswerWithPath, SearchRequest, SimilarRequest
from tests import fakes, service

GOAL = PathRequest(goal="flash attention", know=("CUDA",), hours=20)
PROBLEM = b'{"type": "/problems/store-busy", "title": "The store is busy", "status": 503, "detail": "Ask again."}'


@pytest.fixture(scope="module")
def client(starter: Library) -> Iterator[Client]:
    with service.running(starter) as (_, port), Client(f"http://127.0.0.1:{port}", timeout=60) as client:
        yield client


def test_every_method_gives_what_the_library_gives(client: Client, starter: Library) -> None:
    """The same values, of the same types."""
    path = starter.plan(GOAL)
    hit = next(hit for hit in starter.search(SearchRequest(query="flash attention")).hits if hit.url)

    assert client.search("flash attention", limit=3, kind=("paper",)) == starter.search(
        SearchRequest(query="flash attention", limit=3, kind=("paper",))
    )
    assert isinstance(client.search("flash attention", path=True), SearchAnswerWithPath)
    assert client.path("flash attention", know=("CUDA",), hours=20) == client.path(GOAL) == path
    assert client.validate(path).valid
    assert client.export("flash attention", "markdown", know=("CUDA",), hours=20) == EXPORTS["markdown"].write(
        path, Pace()
    )
    assert client.resource(hit.id) == starter.resource(hit.id)
    assert client.resource(str(hit.url)) == starter.resource(hit.id)
    assert client.similar(hit.id, limit=3) == starter.similar(hit.id, SimilarRequest(limit=3))
    assert client.topics() == starter.topics()
    assert client.topic("MLA") == starter.topic("MLA")
    assert client.hardware() == starter.hardware()
    assert client.kernels() == starter.kernels()
    assert client.kernel("vector-add") == starter.kernel("vector-add")
    assert client.sources() == starter.sources()


def test_an_answer_is_read_sentence_by_sentence_or_at_once(client: Client) -> None:
    whole = client.chat("What is MLA?", hardware="h100")
    *sentences, answer = client.chat_stream("What is MLA?", hardware="h100")

    assert isinstance(whole, ChatAnswer)
    assert answer == whole
    assert sentences == list(whole.sentences)
    assert all(isinstance(sentence, Sentence) for sentence in sentences)


def test_a_problem_is_an_exception_with_all_that_the_service_said(client: Client) -> None:
    with pytest.raises(ProblemError) as told:
        client.topic("flash-atention-9")

    assert (told.value.type, told.value.status, told.value.title) == ("/problems/unknown-name", 404, "Unknown name")
    assert "flash-atention-9" in told.value.detail
    assert told.value.nearest
    assert told.value.request_id


def test_too_few_hours_say_how_many_would_do(client: Client) -> None:
    with pytest.raises(ProblemError) as told:
        client.path("flash attention", hours=0.1)

    assert told.value.minimum_hours
    assert client.path("flash attention", hours=told.value.minimum_hours).steps


def test_a_problem_before_a_stream_is_an_exception(client: Client) -> None:
    with pytest.raises(ProblemError, match="toaster"):
        next(client.chat_stream("MLA", hardware="toaster"))


def test_a_keyed_service_wants_the_key(starter: Library) -> None:
    key = "a-key-of-a-reader-0123456789"
    with service.running(starter, service.settings(read_keys=key)) as (_, port):
        url = f"http://127.0.0.1:{port}"
        with Client(url, key=key) as known, Client(url) as stranger:
            assert known.topics() == starter.topics()
            with pytest.raises(ProblemError) as told:
                stranger.topics()
    assert told.value.status == 401


def test_a_service_that_is_restarted_is_asked_again(starter_folder: Path) -> None:
    """The next question waits until it is back, over a new connection."""
    with service.running(fakes.library(starter_folder)) as (_, port):
        client = Client(f"http://127.0.0.1:{port}", retries=10, timeout=60)
        before = client.topics()
    back, stop = threading.Event(), threading.Event()
    thread = threading.Thread(target=_serve_later, args=(fakes.library(starter_folder), port, back, stop))
    thread.start()
    try:
        with client:
            assert client.topics() == before
        assert back.is_set()
    finally:
        stop.set()
        thread.join()


def _serve_later(library: Library, port: int, back: threading.Event, stop: threading.Event) -> None:
    """Serves at a port that has been free for a while."""
    stop.wait(0.4)
    with service.running(library, port=port):
        back.set()
        stop.wait()


@contextmanager
def answering(*answers: tuple[int, dict[str, str], bytes]) -> Iterator[tuple[str, list[str]]]:
    """A server that gives one answer after another, the last one for good; with the requests that it got."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.command} {self.path}")
            self.rfile.read(int(self.headers.get("content-length", 0)))
            status, headers, body = answers[min(len(asked), len(answers)) - 1]
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


BUSY = (503, {"Retry-After": "0"}, PROBLEM)


@pytest.mark.parametrize(
    "refusal",
    [
        BUSY,
        (429, {"Retry-After": "0"}, b""),
        (503, {"Retry-After": formatdate(0, usegmt=True)}, b""),
        (503, {"Retry-After": "soon"}, b""),
        (503, {}, b""),
    ],
    ids=["busy", "too many", "until a date", "nonsense", "unsaid"],
)
def test_who_is_told_to_come_back_comes_back(refusal: tuple[int, dict[str, str], bytes]) -> None:
    with answering(refusal, refusal, (200, {}, b"[]")) as (url, asked), Client(url) as client:
        assert client.topics() == []
    assert asked == ["GET /v1/topics"] * 3


def test_hope_ends_after_so_many_times() -> None:
    with answering(BUSY) as (url, asked), Client(url, retries=2) as client, pytest.raises(ProblemError) as told:
        client.path("MLA")
    assert told.value.type == "/problems/store-busy"
    assert asked == ["POST /v1/paths"] * 3


@pytest.mark.parametrize(
    "answer",
    [(503, {"Retry-After": "3600"}, PROBLEM), (400, {}, PROBLEM), (500, {}, b"<html>"), (404, {}, b"[1]")],
    ids=["in an hour", "wrong", "broken", "no problem"],
)
def test_what_waiting_does_not_mend_is_told_at_once(answer: tuple[int, dict[str, str], bytes]) -> None:
    with answering(answer) as (url, asked), Client(url) as client, pytest.raises(ProblemError) as told:
        client.topics()
    assert told.value.status == answer[0]
    assert len(asked) == 1


def test_a_chat_is_asked_for_once() -> None:
    """A language model may already be at work on it."""
    with answering(BUSY) as (url, asked), Client(url) as client, pytest.raises(ProblemError):
        client.chat("MLA")
    assert asked == ["POST /v1/chat"]


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"a": 1}', b'[{"slug": 1}]'])
def test_what_is_no_answer_is_told_so(body: bytes) -> None:
    with answering((200, {}, body)) as (url, _), Client(url) as client, pytest.raises(NoAnswer):
        client.topics()


def test_a_field_of_a_newer_service_is_passed_over() -> None:
    line = b'[{"slug": "a", "name": "A", "level": 1, "parent": null, "resources": 2, "colour": "red"}]'
    with answering((200, {}, line)) as (url, _), Client(url) as client:
        assert [topic.slug for topic in client.topics()] == ["a"]


def test_a_stream_that_breaks_off_is_told_so() -> None:
    event = b'event: sentence\ndata: {"text": "A."}\n\n'
    with answering((200, {}, event)) as (url, _), Client(url) as client:
        given = client.chat_stream("MLA")
        assert next(given) == Sentence(text="A.")
        with pytest.raises(NoAnswer):
            next(given)


def test_nobody_there_is_told_so() -> None:
    with Client("http://127.0.0.1:9", retries=1) as client, pytest.raises(NoAnswer):
        client.topics()
