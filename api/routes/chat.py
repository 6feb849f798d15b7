"""Chat: a message in, cited sentences out, at once or as they come."""

from __future__ import annotations

from collections.abc import Generator
from typing import Annotated

from fastapi import APIRouter, Body, Depends, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask

from api import examples
from api.routes.base import SEARCH_ERRORS, Shared, answers
from graph.chat.ground import Ground, ground
from graph.chat.language_model import LanguageModel
from graph.chat.models import ChatAnswer, ChatRequest
from graph.chat.speaking import answer, speak
from graph.errors import BadRequest, UnknownName

EVENT_STREAM = "text/event-stream"
AS_EVENTS = {"itemSchema": {"type": "object", "properties": {"event": {"type": "string"}, "data": {"type": "string"}}}}
_NOT_KEPT = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # no proxy holds a stream back

router = APIRouter(tags=["chat"])
_ANSWERS = answers(examples.CHAT_ANSWER, (BadRequest, UnknownName, *SEARCH_ERRORS))
_ANSWERS[200]["content"][EVENT_STREAM] = AS_EVENTS


class ChatMessage(ChatRequest):
    """A message and how to answer it."""

    stream: Annotated[bool, Field(description="Give the sentences as they come, as server-sent events.")] = False


def _language_model(request: Request) -> LanguageModel | None:
    model: LanguageModel | None = request.app.state.language_model
    return model


Model = Annotated[LanguageModel | None, Depends(_language_model)]


@router.post("/v1/chat", response_model=ChatAnswer, responses=_ANSWERS)
def chat(
    request: Annotated[ChatMessage, Body(examples=[examples.CHAT_REQUEST.model_dump(mode="json")])],
    library: Shared,
    model: Model,
) -> ChatAnswer | StreamingResponse:
    """Answer a message in cited sentences.

    Numbers in brackets stand for `citations`: a curator's words and where they stand, or a topic. With `stream` come
    server-sent events: a `sentence` each, then the whole `answer`.
    """
    found = ground(library, ChatRequest.model_validate(request.model_dump(exclude={"stream"})))
    if request.stream:
        return streamed(_events(found, model))
    return answer(found, speak(found, model))


def streamed(events: Generator[str]) -> StreamingResponse:
    """A response that is sent as it is made; the making ends when the client has gone."""
    return StreamingResponse(
        events, media_type=EVENT_STREAM, headers=_NOT_KEPT, background=BackgroundTask(events.close)
    )


def _events(found: Ground, model: LanguageModel | None) -> Generator[str]:
    said = []
    for sentence in speak(found, model):
        said.append(sentence)
        yield _event("sentence", sentence)
    yield _event("answer", answer(found, said))


def _event(name: str, value: BaseModel) -> str:
    return f"event: {name}\ndata: {value.model_dump_json()}\n\n"
