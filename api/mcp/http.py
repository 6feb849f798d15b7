"""The MCP server at one address of the REST service: Streamable HTTP, every request on its own.

https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from fastapi import Request, Response
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST, ErrorData, JSONRPCError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from api import problems
from api.mcp import unreadable
from api.mcp.server import mcp_server
from api.middleware import MOST_BYTES
from graph.library import Library

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_WRONG_ORIGIN = JSONRPCError(
    jsonrpc="2.0", id=None, error=ErrorData(code=INVALID_REQUEST, message="Pages of this origin may not ask here.")
)


class McpEndpoint:
    """The ASGI app at `/mcp`. No session is kept, so that the next request may reach another replica."""

    def __init__(self, library: Library, version: str, origins: Sequence[str] = ()) -> None:
        """`origins` are those whose pages may ask beside pages of this machine; * stands for all."""
        self._library, self._version, self._origins = library, version, frozenset(origins)
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serves requests within; part of the service's lifespan."""
        server = mcp_server(self._library, self._version)
        manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=MOST_BYTES
        )
        async with manager.run():
            self._manager = manager
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection."""
        request = Request(scope, receive)
        if not self._may_ask(request.headers.get("origin")):
            await _refusal(_WRONG_ORIGIN, 403)(scope, receive, send)
        elif request.method != "POST":  # there is no stream to listen to and no session to end
            await _only_post(request)(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _body(Request(scope, receive))
        if fault := unreadable.fault_of(body):
            await _refusal(fault, 400)(scope, receive, send)
            return
        assert self._manager, "the service has started"
        await self._manager.handle_request(scope, _again(body, receive), send)

    def _may_ask(self, origin: str | None) -> bool:
        """Whether a page of this origin may ask; clients that are no browser name none.

        A page that has its own name resolve to this machine (DNS rebinding) is found out so: browsers name the page.
        """
        return origin is None or not self._origins.isdisjoint({origin, "*"}) or _is_local(origin)


def _is_local(origin: str) -> bool:
    try:
        return urlsplit(origin).hostname in _LOOPBACK
    except ValueError:  # a bracket without its other half
        return False


def _only_post(request: Request) -> Response:
    answer = problems.response(request, problems.METHOD, f"{request.url.path} does not take {request.method}.")
    answer.headers["Allow"] = "POST"
    return answer


async def _body(request: Request) -> bytes:
    try:
        return await request.body()
    except ClientDisconnect as gone:  # no fault of ours
        raise HTTPException(problems.UNREADABLE_BODY.status) from gone


def _refusal(error: JSONRPCError, status: int) -> Response:
    return Response(error.model_dump_json(by_alias=True, exclude_unset=True), status, media_type="application/json")


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more; what follows it comes from the client."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again
