"""What is answered to a message that is no JSON-RPC: https://www.jsonrpc.org/specification#error_object."""

from __future__ import annotations

from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

_NOT_JSON = ErrorData(code=PARSE_ERROR, message="This is not JSON.")
_NO_MESSAGE = ErrorData(code=INVALID_REQUEST, message="This is not one JSON-RPC message; batches are not taken.")


def answer_to(fault: Exception) -> JSONRPCError:
    """The answer to what could not be read; the SDK's own would quote pydantic, or not come at all."""
    broken = not isinstance(fault, ValidationError) or fault.errors()[0]["type"] == "json_invalid"
    return JSONRPCError(jsonrpc="2.0", id=None, error=_NOT_JSON if broken else _NO_MESSAGE)


def fault_of(body: bytes) -> JSONRPCError | None:
    """The answer to a body that is no message, none to one that is."""
    try:
        jsonrpc_message_adapter.validate_json(body, by_name=False)
    except ValidationError as fault:
        return answer_to(fault)
    return None
