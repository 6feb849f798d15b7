"""A language model over real HTTP, in OpenAI's form, that says what a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DONE = "data: [DONE]\n\n"


def chunk(text: str) -> str:
    """One event of a streamed answer."""
    return f"data: {json.dumps({'choices': [{'index': 0, 'delta': {'content': text}}]})}\n\n"


def saying(*texts: str) -> list[str]:
    """A whole answer in pieces."""
    return [*map(chunk, texts), DONE]


class LanguageModelServer(ThreadingHTTPServer):
    """Answers every request with `status` and the pieces of `reply`; keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        self.status = 200
        self.reply: Callable[[], Iterable[str]] = lambda: saying("Nothing.")
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.deserted = threading.Event()  # whoever asked has gone before the end
        self.released = threading.Event()  # a reply that waits for this goes on

    def says(self, *pieces: str) -> None:
        """Sets what is answered from now on."""
        self.status, self.reply = 200, lambda: pieces

    @property
    def prompt(self) -> str:
        """The last message of the last request."""
        return str(self.asked[-1]["messages"][-1]["content"])


@contextmanager
def language_model() -> Iterator[LanguageModelServer]:
    """A language model that runs until the end."""
    with LanguageModelServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.released.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: LanguageModelServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.asked.append({"path": self.path, **json.loads(body)})
        self.server.keys.append(self.headers["authorization"])
        self.send_response(self.server.status)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        try:
            for piece in self.server.reply():
                self.wfile.write(piece.encode())
                self.wfile.flush()
        except OSError:
            self.server.deserted.set()

    def log_message(self, format: str, *args: Any) -> None:
        pass
