"""A language model behind the API that OpenAI's made common: `POST {url}/chat/completions`, streamed.

https://platform.openai.com/docs/api-reference/chat-streaming; vLLM, SGLang, llama.cpp, Ollama and others speak it.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

import httpx
from pydantic import SecretStr

from graph.chat.language_model import LanguageModelError, Message

AT_ONCE = 16  # conversations: each holds a thread of the service while it waits
MOST_RECEIVED = 10_000_000  # characters of one answer, with all that wraps it and a model's thoughts
MOST_TEXT = 20_000  # characters of its text
DONE = "[DONE]"

_ENDLESS = "went on without end"
_log = logging.getLogger("warpath.llm")


class OpenAICompatible:
    """A language model that any number of threads may ask. Its key stands in one header and in no message."""

    def __init__(self, url: str, model: str, key: SecretStr | None = None, timeout: float = 60) -> None:
        """`url` ends before /chat/completions; `timeout` is in seconds, for the whole answer."""
        headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
        self._http = httpx.Client(headers=headers, timeout=timeout)
        self._url, self._model, self._timeout = url.rstrip("/"), model, timeout
        self._slots = threading.BoundedSemaphore(AT_ONCE)

    def write(self, messages: Sequence[Message]) -> Generator[str]:
        """The answer in pieces as they come; closing the generator closes the connection.

        Raises:
            LanguageModelError: it does not answer in time, breaks off, or gives what is no answer.
        """
        asked = {"model": self._model, "messages": list(messages), "stream": True}
        written = 0
        with self._guard(), self._http.stream("POST", f"{self._url}/chat/completions", json=asked) as response:
            if response.status_code != httpx.codes.OK:
                raise LanguageModelError(f"answered with status {response.status_code}")
            for line in self._lines(response):
                if line.startswith("data:"):
                    data = line.removeprefix("data:").strip()
                    if data == DONE:
                        return
                    piece = _piece(data)
                    written += len(piece)
                    if written > MOST_TEXT:
                        raise LanguageModelError(_ENDLESS)
                    yield piece
            raise LanguageModelError("broke off")

    def _lines(self, response: httpx.Response) -> Iterator[str]:
        """The lines of a stream that ends in time and is not endless."""
        end, held, received = time.monotonic() + self._timeout, "", 0
        for text in response.iter_text():
            received += len(text)
            if received > MOST_RECEIVED:
                raise LanguageModelError(_ENDLESS)
            if time.monotonic() > end:
                raise LanguageModelError(f"was not done in {self._timeout:g} seconds")
            *lines, held = (held + text).split("\n")
            yield from lines
        yield held

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """A place among those who ask, and words for whatever goes wrong."""
        if not self._slots.acquire(blocking=False):
            raise LanguageModelError("is busy")
        try:
            yield
        except LanguageModelError as error:
            _log.warning("The language model %s", error)
            raise
        except httpx.HTTPError as error:
            _log.warning("The language model fails: %s", type(error).__name__)
            raise LanguageModelError(self._reason(error)) from error
        finally:
            self._slots.release()

    def _reason(self, error: httpx.HTTPError) -> str:
        if isinstance(error, httpx.TimeoutException):
            return f"gave nothing for {self._timeout:g} seconds"
        return "cannot be reached" if isinstance(error, httpx.ConnectError) else "broke off"


def _piece(data: str) -> str:
    """The text of one chunk; some chunks have none."""
    try:
        choices = json.loads(data)["choices"]
        text = choices[0]["delta"].get("content") if choices else None
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise LanguageModelError("gave something that is no answer") from error
    if not isinstance(text, str | None):
        raise LanguageModelError("gave something that is no answer")
    return text or ""
