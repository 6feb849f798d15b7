"""The port for a language model: what puts quotes into better words, if there is one."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Literal, Protocol, TypedDict


class Message(TypedDict):
    """One message to a language model."""

    role: Literal["system", "user", "assistant"]
    content: str


class LanguageModelError(Exception):
    """A language model that does not answer as it should. The message says why, in the middle of a sentence."""


class LanguageModel(Protocol):
    """Continues a conversation. Shared among threads."""

    def write(self, messages: Sequence[Message]) -> Generator[str]:
        """The answer in pieces as they come; closing the generator ends the writing.

        Raises:
            LanguageModelError: it does not answer, or breaks off.
        """
        ...
