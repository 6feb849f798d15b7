"""Where a command speaks: data on stdout, talk on stderr, and never a stack trace.

With --json both are JSON lines. Text for people is drawn by rich on a terminal only; elsewhere it is plain.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import typer
from pydantic import BaseModel

from api.page import Page, clean, draw
from graph.errors import (
    BadOntology,
    BadRequest,
    BudgetTooSmall,
    ModelError,
    NothingCovered,
    StoreError,
    UnknownName,
    UnreadableSource,
    WarpathError,
)

INPUT_FAILED = 1
STORE_FAILED = 3
FAULT = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # 128 + SIGINT
PIPE_CLOSED = 141  # 128 + SIGPIPE, what a shell shows for `warpath export | head`

# The first family that an error belongs to gives the exit code.
_EXIT_CODES: tuple[tuple[type[WarpathError], int], ...] = (
    (UnknownName, 4),
    (NothingCovered, 4),
    (BudgetTooSmall, 5),
    (BadRequest, 2),
    (UnreadableSource, INPUT_FAILED),
    (BadOntology, INPUT_FAILED),
    (StoreError, STORE_FAILED),
    (ModelError, STORE_FAILED),
)

EXIT_CODES: Mapping[int, str] = {
    0: "done",
    1: "a file cannot be read or does not hold together; the others are done",
    2: "the command line or a value in it is wrong",
    3: "the store or the embedding model cannot be used",
    4: "a name is unknown, or nothing covers the goal",
    5: "the hours given do not suffice",
    FAULT: "a fault of warpath itself",
    INTERRUPTED: "interrupted with Ctrl-C",
    PIPE_CLOSED: "the reader of the output has gone",
}

Shown = TypeVar("Shown", bound=BaseModel)


def exit_code(error: WarpathError) -> int:
    """The exit code that stands for an error."""
    return next((code for family, code in _EXIT_CODES if isinstance(error, family)), FAULT)


class Output:
    """The two streams of one command."""

    def __init__(self, *, as_json: bool = False) -> None:
        self.as_json = as_json

    def one(self, value: Shown, page: Callable[[Shown], Page]) -> None:
        """Gives one value: a line of JSON, or the page that people read."""
        if self.as_json:
            self.record(value)
        else:
            draw(page(value))

    def many(self, values: Iterable[Shown], page: Callable[[list[Shown]], Page]) -> None:
        """Gives a list of values: JSON lines, or one page."""
        if self.as_json:
            for value in values:
                self.record(value)
        else:
            draw(page(list(values)))

    def record(self, value: BaseModel | Mapping[str, Any]) -> None:
        """Gives one value as a line of JSON."""
        print(_json(value.model_dump(mode="json") if isinstance(value, BaseModel) else value))

    def say(self, text: str) -> None:
        """Tells a person how it goes; programs, which asked for JSON, are spared."""
        if not self.as_json:
            print(clean(text), file=sys.stderr)

    def warn(self, text: str) -> None:
        """Tells what a user should know, though the work goes on."""
        self._complain("warning", text, "", {})

    def fail(self, error: WarpathError) -> int:
        """Tells what went wrong and what to do; gives the exit code."""
        code = exit_code(error)
        extra = {name: getattr(error, name) for name in ("nearest", "minimum_hours") if hasattr(error, name)}
        self._complain("error", error.message, error.hint, {"type": type(error).__name__, "exit_code": code, **extra})
        return code

    def fault(self, error: Exception) -> int:
        """Tells that warpath itself is at fault; gives the exit code."""
        message = f"warpath failed with {type(error).__name__}: {error}"
        hint = "Set WARPATH_DEBUG=1 to see where, and please report it."
        self._complain("error", message, hint, {"type": "Fault", "exit_code": FAULT})
        return FAULT

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Turns whatever ends a command early into words on stderr and an exit code."""
        try:
            yield
            sys.stdout.flush()
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except WarpathError as error:
            raise typer.Exit(self.fail(error)) from error
        except BrokenPipeError as error:
            _silence_stdout()
            raise typer.Exit(PIPE_CLOSED) from error
        except Exception as error:
            if os.environ.get("WARPATH_DEBUG"):
                raise
            raise typer.Exit(self.fault(error)) from error

    def _complain(self, kind: str, message: str, hint: str, facts: Mapping[str, Any]) -> None:
        if self.as_json:
            print(_json({kind: {"message": message, "hint": hint, **facts}}), file=sys.stderr)
            return
        print(f"{kind.capitalize()}: {clean(message)}", file=sys.stderr)
        if hint:
            print(f"  {clean(hint)}", file=sys.stderr)


def _json(value: Mapping[str, Any]) -> str:
    """One line. ASCII, so no terminal or encoding can make anything of a list's text but the text."""
    return json.dumps(value, separators=(", ", ": "))


def _silence_stdout() -> None:
    """What is still in the buffer goes nowhere, so that Python's own flush at exit has nothing to report."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
