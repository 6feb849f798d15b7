"""The log of the service: one line a request, on standard error, as text or as JSON.

A line tells the address by its template and not what was asked, unless the operator wants it; never a key.
"""

from __future__ import annotations

import logging
from typing import Any

from pythonjsonlogger.core import RESERVED_ATTRS

from api.middleware.account import Handled
from api.settings import Settings

_log = logging.getLogger("warpath.requests")
_TEXT = {"format": "%(asctime)s %(levelname)s %(message)s"}
_JSON = {
    "()": "pythonjsonlogger.json.JsonFormatter",
    "fmt": "{levelname}{name}{message}",
    "style": "{",
    "rename_fields": {"levelname": "level", "name": "logger"},
    "timestamp": "time",
    "reserved_attrs": [*RESERVED_ATTRS, "color_message"],  # uvicorn's copy of its message for terminals
}


def config(settings: Settings) -> dict[str, Any]:
    """The logging configuration, as `logging.config.dictConfig` takes it."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": _JSON if settings.log == "json" else _TEXT},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "loggers": {
            "warpath": {"handlers": ["stderr"], "level": "INFO"},
            "uvicorn": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        },
    }


class RequestLog:
    """Writes a line for every request."""

    def __init__(self, settings: Settings) -> None:
        self._queries = settings.log_queries

    def __call__(self, handled: Handled) -> None:
        """Writes the line of one request."""
        fields = {
            "request_id": handled.request_id,
            "method": handled.method,
            "route": handled.route,
            "status": handled.status,
            "ms": round(handled.seconds * 1000, 1),
            "caller": handled.caller,
        }
        if self._queries:
            fields["query"] = handled.query
        level = logging.ERROR if handled.status >= 500 else logging.INFO
        _log.log(level, "%(method)s %(route)s %(status)s %(ms)s ms %(request_id)s", fields, extra=fields)
