"""Ingest: lists in by REST. They come as text in the request: the service opens no file and no address for a caller."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from pydantic import Field, field_validator

from api import examples
from api.routes.base import STORE_ERRORS, Writing, answers
from graph.errors import BadOntology, ModelError, StoreChanged, UnreadableSource
from graph.models import IngestReport, Value

router = APIRouter(tags=["sources"])
_ANSWERS = answers(examples.INGEST_REPORT, (UnreadableSource, BadOntology, ModelError, StoreChanged, *STORE_ERRORS))


class SourceText(Value):
    """One list or devlog: what to call it, and its text."""

    name: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*\S[^\x00-\x1f\x7f]*$")]
    text: str


class IngestRequest(Value):
    """Lists to take in. One with a name that is stored already takes the place of the former."""

    sources: Annotated[tuple[SourceText, ...], Field(min_length=1, max_length=1000)]

    @field_validator("sources")
    @classmethod
    def _differ(cls, value: tuple[SourceText, ...]) -> tuple[SourceText, ...]:
        """Of two lists with one name the second would silently take the place of the first."""
        if len({source.name for source in value}) < len(value):
            raise ValueError("two sources have the same name")
        return value


@router.post("/v1/ingest", responses=_ANSWERS)
def ingest(
    request: Annotated[IngestRequest, Body(examples=[examples.INGEST_REQUEST])], writer: Writing
) -> IngestReport:
    """Read lists into the graph and index what changed: all of them, or none if one cannot be read.

    It needs a key that may write, runs to its end even if the caller goes away, and one at a time.
    """
    from ingest.readers import read_text  # a second that services without writing do not pay

    documents = [read_text(source.name, source.text.encode()) for source in request.sources]
    return writer.ingest(documents)
