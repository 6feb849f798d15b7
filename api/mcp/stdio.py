"""The MCP server over stdin and stdout, for a client that starts it as its own process."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterable, Awaitable, Callable
from types import FrameType

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from api.mcp import unreadable
from api.mcp.server import mcp_server
from graph.library import Library


def serve(library: Library, version: str) -> None:
    """Serves one client until it closes stdin. stdout is the protocol's alone; what else is printed goes to stderr."""
    _leave_on_signals(library)
    try:
        anyio.run(_serve, library, version)
    except* BrokenPipeError:  # the client has gone without waiting for its answer
        pass


def _leave_on_signals(library: Library) -> None:
    """Makes the process end at once: the thread that reads stdin cannot be told to stop."""

    def leave(number: int, frame: FrameType | None) -> None:
        library.close()
        os._exit(128 + number)

    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, leave)


async def _serve(library: Library, version: str) -> None:
    server = mcp_server(library, version)
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
        readable, messages = anyio.create_memory_object_stream[SessionMessage | Exception]()
        tasks.start_soon(_sift, incoming, readable, outgoing.send)
        await server.run(messages, outgoing, server.create_initialization_options())


async def _sift(
    incoming: AsyncIterable[SessionMessage | Exception],
    readable: MemoryObjectSendStream[SessionMessage | Exception],
    answer: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Hands on what can be read, and answers what cannot, which the SDK would drop."""
    async with readable:
        async for item in incoming:
            if isinstance(item, Exception):
                await answer(SessionMessage(unreadable.answer_to(item)))
            else:
                await readable.send(item)
