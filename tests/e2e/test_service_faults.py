"""Clients that no library would be: broken, slow, gone. Each gets its answer or is let go, and the service goes on."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import NamedTuple

import pytest
import uvicorn

from graph.library import Library
from tests.service import running, settings

PATIENCE = 1.0  # seconds that the service waits for a client
LONG = 60.0  # seconds until a test gives up


class Served(NamedTuple):
    """A running service."""

    server: uvicorn.Server
    port: int

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=LONG)

    def ask(self, request: bytes) -> bytes:
        """All that comes back until the service closes the connection."""
        with closing(self.connect()) as client:
            client.sendall(request)
            return rest(client)

    def is_quiet(self) -> bool:
        """Whether no request is running and no connection is open."""
        state = self.server.server_state
        return not state.tasks and not state.connections

    def is_stuck(self) -> bool:
        """Whether some client does not read what was sent."""
        return any(one.flow and one.flow.write_paused for one in list(self.server.server_state.connections))


@pytest.fixture(scope="module")
def served(starter: Library) -> Iterator[Served]:
    with running(starter, settings(client_timeout=PATIENCE)) as (server, port):
        yield Served(server, port)


@pytest.fixture(autouse=True)
def _goes_on(served: Served) -> Iterator[None]:
    """After each test nothing is left over, and a plain question is answered."""
    yield
    assert eventually(served.is_quiet)
    assert status(served.ask(get("/v1/topics/tiling"))) == 200


def rest(client: socket.socket) -> bytes:
    """All that is still to come; a connection that is cut off has nothing more."""
    parts = []
    try:
        while part := client.recv(65536):
            parts.append(part)
    except ConnectionError:
        pass
    return b"".join(parts)


def get(target: str | bytes, *headers: str) -> bytes:
    target = target.encode() if isinstance(target, str) else target
    lines = "".join(f"{header}\r\n" for header in ("Host: warpath", "Connection: close", *headers))
    return b"GET " + target + b" HTTP/1.1\r\n" + lines.encode() + b"\r\n"


def post(*headers: str, body: bytes = b"") -> bytes:
    lines = "".join(f"{h}\r\n" for h in ("Host: warpath", "Content-Type: application/json", *headers))
    return b"POST /v1/search HTTP/1.1\r\n" + lines.encode() + b"\r\n" + body


def status(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.1 "), answer[:200]
    return int(answer.split(b" ", 2)[1])


def eventually(holds: object) -> bool:
    """Whether something comes true before a test gives up."""
    assert callable(holds)
    deadline = time.monotonic() + LONG
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(holds())


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /v1/topics/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /v1/to pics HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX\x00Y: 1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        post("Content-Length: 3", "Content-Length: 30", body=b"{}"),
        post("Content-Length: 3", "Transfer-Encoding: chunked", body=b"0\r\n\r\n"),
        post("Content-Length: -1"),
        post("Content-Length: 1e3"),
        post("Transfer-Encoding: chunked", body=b"zz\r\n{}\r\n0\r\n\r\n"),
        b"CONNECT evil.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=[
        "TLS", "no HTTP", "version", "bytes that are no UTF-8", "space", "null", "space before colon", "two lengths",
        "length and chunks", "negative length", "length no number", "chunk no number", "CONNECT",
    ],
)  # fmt: skip
def test_what_is_no_http_is_a_bad_request(served: Served, request_bytes: bytes) -> None:
    """And the connection is closed: what follows could be smuggled."""
    assert status(served.ask(request_bytes)) in (400, 413)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/v1/topics/%ff%fe", 404),
        ("/v1/topics/%00", 404),
        ("/v1/topics/%zz", 404),
        ("/v1/topics/..%2f..%2f..%2fetc%2fpasswd", 404),
        ("/../../etc/passwd", 404),
        ("//v1/topics", 404),
        ("/v1/search?q=%ff", 200),
        ("/v1/search?q=%ED%A0%80", 200),
        ("/v1/search?%", 422),
        ("/v1/search?q=x&limit=%E2%91%A0", 422),
        ("http://elsewhere/v1/topics/tiling", 200),
        ("*", 404),
    ],
)
def test_odd_addresses_have_a_plain_answer(served: Served, target: str, expected: int) -> None:
    assert status(served.ask(get(target))) == expected


def test_a_question_in_http_1_0_is_answered(served: Served) -> None:
    assert status(served.ask(b"GET /v1/topics/tiling HTTP/1.0\r\n\r\n")) == 200


def test_a_websocket_is_not_opened(served: Served) -> None:
    headers = ("Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
    asked = get("/v1/topics/tiling", *headers).replace(b"Connection: close", b"Connection: upgrade, close")

    assert status(served.ask(asked)) == 200


@pytest.mark.parametrize(
    "sent", [b"", b"GET /v1/topics HTTP/1.1\r\nHost: x\r\nX-Slow: "], ids=["silent", "half a head"]
)
def test_a_head_that_does_not_come_is_not_waited_for(served: Served, sent: bytes) -> None:
    with closing(served.connect()) as client:
        client.sendall(sent)

        assert rest(client) == b""


def test_a_head_without_end_is_not_read_on(served: Served) -> None:
    with closing(served.connect()) as client:
        client.sendall(b"GET / HTTP/1.1\r\nX-Long: ")
        with pytest.raises(ConnectionError):
            client.sendall(b"x" * 100_000_000)


@pytest.mark.parametrize("arrived", [b"", b'{"query": '])
def test_a_body_that_does_not_come_is_not_waited_for(served: Served, arrived: bytes) -> None:
    answer = served.ask(post("Content-Length: 100", body=arrived))

    assert status(answer) == 408
    assert b"/problems/request-timeout" in answer


def test_a_body_that_drips_is_not_waited_for(served: Served) -> None:
    """Each byte comes in time, but all of them would not."""
    with closing(served.connect()) as client:
        client.sendall(post("Content-Length: 100000"))
        dripping = threading.Event()

        def drip() -> None:
            try:
                while not dripping.wait(0.1):
                    client.sendall(b" ")
            except OSError:
                pass

        thread = threading.Thread(target=drip)
        thread.start()
        answer = client.recv(65536)
        dripping.set()
        thread.join()

    assert status(answer) == 408


@pytest.mark.parametrize(
    "request_bytes",
    [
        post("Content-Length: 100", body=b'{"query": "x"'),
        post("Transfer-Encoding: chunked", body=b'5\r\n{"que'),
        get("/v1/search?q=x")[:-2],
    ],
    ids=["body", "chunk", "head"],
)
def test_a_client_that_vanishes_half_way_leaves_nothing(served: Served, request_bytes: bytes) -> None:
    for _ in range(20):
        with closing(served.connect()) as client:
            client.sendall(request_bytes)


def test_clients_that_do_not_wait_for_the_answer_leave_no_threads(served: Served) -> None:
    for _ in range(2):
        for _ in range(60):
            with closing(served.connect()) as client:
                client.sendall(get("/v1/search?q=paged+attention&path=true"))
        assert eventually(served.is_quiet)

    assert threading.active_count() < 60  # a pool of 40, and this test


def test_a_reader_of_a_stream_may_go_away_at_any_time(served: Served) -> None:
    asked = b'{"message": "why is decode memory bound", "stream": true}'
    for read in (0, 15, 2000):
        for _ in range(5):
            with closing(served.connect()) as client:
                client.sendall(post(f"Content-Length: {len(asked)}", body=asked).replace(b"/v1/search", b"/v1/chat"))
                if read:
                    assert status(client.recv(read)) == 200


def test_a_reader_that_does_not_read_is_let_go(served: Served) -> None:
    """Far more is asked for than the buffers between take."""
    with closing(socket.socket()) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(LONG)
        client.connect(("127.0.0.1", served.port))
        asked = get("/openapi.json").replace(b"Connection: close\r\n", b"")
        client.sendall(asked * 500)

        assert eventually(served.is_stuck)
        assert eventually(served.is_quiet)


def test_chunks_over_the_limit_are_refused(served: Served) -> None:
    chunk = b"186a0\r\n" + b" " * 100_000 + b"\r\n"

    with closing(served.connect()) as client:
        client.sendall(post("Transfer-Encoding: chunked"))
        try:
            for _ in range(11):
                client.sendall(chunk)
        except ConnectionError:
            pass

        assert status(client.recv(65536)) == 413


def test_a_client_that_asks_first_sends_nothing_in_vain(served: Served) -> None:
    refused = served.ask(post("Expect: 100-continue", "Content-Length: 99999999", "Connection: close"))
    assert status(refused) == 413

    with closing(served.connect()) as client:
        client.sendall(post("Expect: 100-continue", "Content-Length: 14", "Connection: close"))
        assert status(client.recv(65536)) == 100
        client.sendall(b'{"query": "x"}')
        assert status(rest(client)) == 200


def test_more_connections_than_allowed_are_sent_away(starter: Library) -> None:
    with running(starter, settings(connections=2)) as (server, port):
        served = Served(server, port)
        with closing(served.connect()), closing(served.connect()):
            assert eventually(lambda: len(server.server_state.connections) == 2)
            assert status(served.ask(get("/healthz"))) == 503
        assert eventually(served.is_quiet)
        assert status(served.ask(get("/healthz"))) == 200


def test_a_service_that_is_told_to_stop_answers_first(starter: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, finish, answers = threading.Event(), threading.Event(), list[bytes]()

    def slow_topics() -> list[object]:
        begun.set()
        finish.wait(LONG)
        return []

    monkeypatch.setattr(starter, "topics", slow_topics)
    with running(starter) as (server, port):
        asking = threading.Thread(target=lambda: answers.append(Served(server, port).ask(get("/v1/topics"))))
        asking.start()
        begun.wait(LONG)
        server.should_exit = True
        finish.set()
    asking.join()

    assert status(answers[0]) == 200
