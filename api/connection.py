"""A connection that does not wait for ever: a client that stops half-way is let go.

uvicorn waits without end for a head that does not come and for a reader that does not read; see
https://github.com/Kludex/uvicorn/tree/main/uvicorn/protocols/http for what this builds on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MOST_HEAD = 65_536  # bytes of a head that has no end yet


class Connection(HttpToolsProtocol):
    """uvicorn's protocol, with `seconds` for a head to arrive and for a reader to go on."""

    def __init__(self, *given: Any, seconds: float, **named: Any) -> None:
        super().__init__(*given, **named)
        self._seconds = seconds
        self._head_left: int | None = MOST_HEAD  # none while no head is arriving
        self._timer: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._answering: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come: it has to say what it wants."""
        super().connection_made(transport)
        self._timer = self.loop.call_later(self._seconds, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone, and so is what waited for it."""
        _cancel(self._timer)
        _cancel(self._stalled)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A head that does not end is not read on, nor waited for while there is nothing to answer."""
        super().data_received(data)
        if self._head_left is None:
            return
        self._head_left -= len(data)
        if self._head_left < 0:
            self._give_up()
        elif not self._timer and (not self.cycle or self.cycle.response_complete):
            self._timer = self.loop.call_later(self._seconds, self._give_up)

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._head_left = MOST_HEAD

    def on_headers_complete(self) -> None:
        """The head is whole."""
        _cancel(self._timer)
        self._head_left = self._timer = None
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """The client does not read what was sent."""
        super().pause_writing()
        self._stalled = self.loop.call_later(self._seconds, self._give_up)

    def resume_writing(self) -> None:
        """The client reads on."""
        _cancel(self._stalled)
        super().resume_writing()

    def _give_up(self) -> None:
        """Lets the client go, and keeps what still answers it from writing."""
        if self._answering:
            self._answering.disconnected = True
        self.transport.abort()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        """Remembers what is answered: uvicorn's `cycle` is the last request that came, which may wait behind it."""
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _unsupported_upgrade_warning(self) -> None:
        """Nothing: the service has no WebSockets, and needs none."""


def connections(seconds: float) -> Callable[..., Connection]:
    """What makes connections with this patience, as uvicorn's setting `http` takes it."""
    return partial(Connection, seconds=seconds)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()
