"""Chat for front ends that speak OpenAI's API: `base_url` is this service's /v1, the model is called warpath.

https://platform.openai.com/docs/api-reference/chat. Of a request the messages count; settings of sampling, tools and
the like are accepted and mean nothing here. Problems have a member `error` in OpenAI's form.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Generator, Iterator
from typing import Annotated, Any, Literal
from uuid import uuid4

from fastapi import APIRouter, Body, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from api import examples
from api.routes.base import SEARCH_ERRORS, Shared, answers
from api.routes.chat import AS_EVENTS, EVENT_STREAM, Model, streamed
from graph.chat.ground import Ground, ground
from graph.chat.markdown import escape, link
from graph.chat.models import LONGEST_MESSAGE, ChatRequest, Citation, Sentence, Turn
from graph.chat.speaking import speak
from graph.errors import BadRequest, UnknownName

MODEL = "warpath"
MOST_MESSAGES = 1000

_TOKEN = re.compile(r"\w+|[^\w\s]")


class TextPart(BaseModel):
    """A piece of a message; pictures and sound cannot be read."""

    type: Literal["text"]
    text: str


class CompletionMessage(BaseModel):
    """One message. Those of the user are questions; what `system` or `developer` wants is not done."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """The message in one piece."""
        return "\n".join(part.text for part in self.content) if isinstance(self.content, list) else self.content or ""


class StreamOptions(BaseModel):
    """What a stream holds besides."""

    include_usage: bool | None = None


class CompletionRequest(BaseModel):
    """The fields that count; all others of OpenAI's API are accepted."""

    model_config = ConfigDict(extra="allow")

    model: Annotated[str, Field(max_length=200, examples=[MODEL])]
    messages: Annotated[list[CompletionMessage], Field(min_length=1, max_length=MOST_MESSAGES)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None


router = APIRouter(tags=["chat"])
_QUESTION = {"model": MODEL, "messages": [{"role": "user", "content": "What is MLA?"}]}
_MODELS = {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": MODEL}]}
_ANSWERS = answers(examples.COMPLETION, (BadRequest, UnknownName, *SEARCH_ERRORS))
_ANSWERS[200]["content"][EVENT_STREAM] = AS_EVENTS


@router.get("/v1/models", responses=answers(_MODELS, takes_values=False))
def list_models() -> dict[str, Any]:
    """The one model, in OpenAI's form."""
    return _MODELS


@router.post("/v1/chat/completions", responses=_ANSWERS)
def complete_chat(
    request: Annotated[CompletionRequest, Body(examples=[_QUESTION])], library: Shared, model: Model
) -> Response:
    """Answer a conversation as OpenAI's API does; the sources stand at the end of the answer."""
    found = ground(library, _chat_request(request))
    texts = _texts(found, speak(found, model))
    asked = sum(_tokens(message.text) for message in request.messages)
    if request.stream:
        with_usage = request.stream_options and request.stream_options.include_usage
        return streamed(_events(texts, asked if with_usage else None))
    return JSONResponse(_completion("".join(texts), asked))


def _chat_request(request: CompletionRequest) -> ChatRequest:
    """The last message as the question, those before it as the conversation."""
    if request.model != MODEL:
        raise UnknownName("model", request.model, [MODEL])
    *before, last = request.messages
    if last.role != "user" or not last.text.strip():
        raise BadRequest("The last message must be the user's, with words in it.")
    if len(last.text) > LONGEST_MESSAGE:
        raise BadRequest(f"A message takes at most {LONGEST_MESSAGE} characters.")
    history = [Turn(role=said.role, content=said.text) for said in before if said.role in ("user", "assistant")]
    return ChatRequest(message=last.text, history=tuple(history))


def _texts(found: Ground, sentences: Iterator[Sentence]) -> Iterator[str]:
    """The answer in pieces, with the sources that it cites at the end: a front end shows nothing but the text."""
    cited: set[int] = set()
    for sentence in sentences:
        cited.update(sentence.citations)
        yield sentence.before + sentence.text
    if cited:
        yield "\n\nSources:"
        yield from (f"\n- {_source(one)}" for one in found.citations if one.n in cited)


def _source(cited: Citation) -> str:
    return f"[{cited.n}] {link(cited.title, cited.url)} ({escape(cited.place)})"


def _completion(text: str, asked: int) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop", "logprobs": None}
    return {**_head("chat.completion"), "choices": [choice], "usage": _usage(asked, text)}


def _events(texts: Iterator[str], asked: int | None) -> Generator[str]:
    """The chunks of a stream; with a last one for usage if it is known how much was asked."""
    head, said = _head("chat.completion.chunk"), ""
    yield _chunk(head, {"role": "assistant", "content": ""})
    for text in texts:
        said += text
        yield _chunk(head, {"content": text})
    yield _chunk(head, {}, "stop")
    if asked is not None:
        yield _data({**head, "choices": [], "usage": _usage(asked, said)})
    yield "data: [DONE]\n\n"


def _chunk(head: dict[str, Any], delta: dict[str, str], finish: str | None = None) -> str:
    return _data({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}]})


def _data(value: dict[str, Any]) -> str:
    return f"data: {json.dumps(value)}\n\n"


def _head(kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{uuid4().hex}", "object": kind, "created": int(time.time()), "model": MODEL}


def _usage(asked: int, text: str) -> dict[str, int]:
    """Counts in words and signs: which tokens a model would see is not known here."""
    said = _tokens(text)
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def _tokens(text: str) -> int:
    return sum(1 for _ in _TOKEN.finditer(text))
