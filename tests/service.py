"""The service as users meet it: behind a real server on the loopback."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from api.app import server
from api.settings import Settings
from graph.library import Library


def settings(**given: object) -> Settings:
    """Settings as given, whatever the environment says."""
    return Settings(_env_file=None, **given)  # type: ignore[arg-type, call-arg]


@contextmanager
def running(library: Library, settings: Settings | None = None, port: int = 0) -> Iterator[tuple[uvicorn.Server, int]]:
    """A server for a library and its port, a free one unless it is given; stopped at the end."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        served = server(library, settings)
        thread = threading.Thread(target=served.run, kwargs={"sockets": [listener]})
        thread.start()
        while not served.started and thread.is_alive():
            time.sleep(0.01)
        try:
            yield served, listener.getsockname()[1]
        finally:
            served.should_exit = True
            thread.join()
