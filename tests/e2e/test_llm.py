"""The door to a language model: what it is given, and what is kept from it and from the logs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import SecretStr, ValidationError

from api.bootstrap import open_language_model
from api.llm import AT_ONCE, OpenAICompatible
from graph.chat.language_model import LanguageModelError, Message
from tests import service
from tests.llm_server import LanguageModelServer, chunk, language_model, saying

QUESTION: list[Message] = [{"role": "user", "content": "?"}]


@pytest.fixture(scope="module")
def server() -> Iterator[LanguageModelServer]:
    with language_model() as server:
        yield server


def test_without_an_address_there_is_none() -> None:
    assert open_language_model(service.settings()) is None


def test_a_key_in_the_address_is_refused_without_telling_it() -> None:
    with pytest.raises(ValidationError) as told:
        service.settings(llm_url="http://user:secret@host/v1")

    assert "secret" not in str([fault["msg"] for fault in told.value.errors()])


def test_a_key_is_not_shown() -> None:
    assert "sk-secret" not in repr(service.settings(llm_key="sk-secret"))


def test_pieces_come_as_they_are_written(server: LanguageModelServer) -> None:
    """Chunks without text and lines that are no data are passed over."""
    role = 'data: {"choices": [{"delta": {"role": "assistant"}}]}\n\n'
    usage = 'data: {"choices": [], "usage": {"total_tokens": 3}}\n\n'
    server.says(": still here\n\n", role, *saying("He", "llo")[:2], usage, "data: [DONE]\n\n")

    assert "".join(OpenAICompatible(server.url + "/", "m").write(QUESTION)) == "Hello"
    assert server.keys[-1] is None


def test_no_more_are_asked_at_once_than_threads_can_be_spared(server: LanguageModelServer) -> None:
    """Who comes then is told so; a place is free again when its answer is dropped."""

    def waiting() -> Iterator[str]:
        yield chunk("Wait")
        server.released.wait(30)

    server.status, server.reply = 200, waiting
    model = OpenAICompatible(server.url, "m", SecretStr("k"))
    held = [model.write(QUESTION) for _ in range(AT_ONCE)]
    assert {next(one) for one in held} == {"Wait"}
    with pytest.raises(LanguageModelError, match="is busy"):
        next(model.write(QUESTION))
    held.pop().close()
    assert next(model.write(QUESTION)) == "Wait"
    for one in held:
        one.close()
    server.released.set()
