"""Judged sets: queries and goals with what a person says answers them, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from graph.errors import UnreadableSource
from graph.models import Kind

UNANSWERABLE = "none"  # style of a query that nothing answers
_HINT = "docs/evaluation.md shows what a line holds."


class _Judged(BaseModel):
    """Base of what is judged. Further fields of a file are notes for people."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


class JudgedWork(_Judged):
    """One place of a work that was judged. Places with one `rid` are one work; `source` may be the start of a name."""

    rid: str = ""
    source: Annotated[str, Field(validation_alias=AliasChoices("source", "seed"))] = ""
    line: int | None = None
    title: str = ""
    url: str | None = None
    aliases: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _from_title(cls, given: object) -> object:
        return {"title": given} if isinstance(given, str) else given


class RelevantWork(JudgedWork):
    """A work that answers a query: 3 is what one hopes for, 2 answers, 1 helps."""

    rid: str
    grade: Literal[1, 2, 3]


class JudgedFilters(_Judged):
    """What the hits of a query must meet."""

    kind: tuple[Kind, ...] = ()
    hardware: str | None = None
    max_tier: int | None = None

    @field_validator("kind", mode="before")
    @classmethod
    def _one_or_many(cls, given: object) -> object:
        return (given,) if isinstance(given, str) else given or ()


class JudgedQuery(_Judged):
    """A query with all works that answer it."""

    id: str
    query: Annotated[str, Field(min_length=1)]
    style: str
    filters: JudgedFilters = JudgedFilters()
    relevant: tuple[RelevantWork, ...] = ()

    @field_validator("filters", mode="before")
    @classmethod
    def _maybe_none(cls, given: object) -> object:
        return given or {}

    @model_validator(mode="after")
    def _style_fits(self) -> JudgedQuery:
        if (self.style == UNANSWERABLE) == bool(self.relevant):
            raise ValueError(f"style “{UNANSWERABLE}” and an empty list of relevant works go together")
        return self


class Concept(_Judged):
    """Other names of a concept, and works that teach it."""

    aliases: tuple[str, ...] = ()
    resources: tuple[JudgedWork, ...] = ()


class Unwanted(JudgedWork, Concept):
    """What a path must not hold: a concept by name, or a work."""

    concept: str = ""


class JudgedGoal(_Judged):
    """A goal with what a good path to it holds, in which order, and what not."""

    id: str
    goal: Annotated[str, Field(min_length=1)]
    hardware: str | None = None
    known: tuple[str, ...] = ()
    budget_hours: float | None = None
    must_cover: tuple[str, ...]
    order: tuple[tuple[str, str], ...] = ()
    good_resources: tuple[JudgedWork, ...] = ()
    must_not: tuple[Unwanted, ...] = ()
    kernels: tuple[str, ...] = ()
    concepts: dict[str, Concept] = {}


Line = TypeVar("Line", JudgedQuery, JudgedGoal)


def read_queries(file: Path) -> list[JudgedQuery]:
    """The queries of a file.

    Raises:
        UnreadableSource: the file or a line of it does not hold together; names the line.
    """
    return _read(file, JudgedQuery)


def read_goals(file: Path) -> list[JudgedGoal]:
    """The goals of a file.

    Raises:
        UnreadableSource: the file or a line of it does not hold together; names the line.
    """
    return _read(file, JudgedGoal)


def _read(file: Path, model: type[Line]) -> list[Line]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UnreadableSource(f"Cannot read “{file}”: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UnreadableSource(f"“{file}” is no text in UTF-8.", hint=_HINT) from error
    found = [(number, _line(file, number, line, model)) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise UnreadableSource(f"“{file}” is empty.", hint=_HINT)
    _check_ids(file, found)
    return [one for _, one in found]


def _line(file: Path, number: int, line: str, model: type[Line]) -> Line:
    try:
        return model.model_validate(json.loads(line))
    except json.JSONDecodeError as error:
        raise _fault(file, number, f"this is no JSON: {error.msg}, column {error.colno}") from error
    except ValidationError as error:
        raise _fault(file, number, _in_words(error.errors()[0])) from error


def _check_ids(file: Path, found: Sequence[tuple[int, Any]]) -> None:
    first: dict[str, int] = {}
    for number, one in found:
        if first.setdefault(one.id, number) != number:
            raise _fault(file, number, f"the id “{one.id}” stands in line {first[one.id]} already")


def _in_words(error: Any) -> str:
    place = ".".join(map(str, error["loc"]))
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _fault(file: Path, number: int, what: str) -> UnreadableSource:
    return UnreadableSource(f"{file}, line {number}: {what}.", hint=_HINT)
