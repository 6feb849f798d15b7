"""The values of a conversation: what is asked, what is cited, what is said."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from graph.models import Learner, LearningPath, Value

LONGEST_MESSAGE = 2000  # characters, as of any query


class Turn(Value):
    """One message that came before. Only questions matter; what a system message wants is not done."""

    role: Literal["user", "assistant", "system"]
    content: str


class ChatRequest(Learner):
    """A message, the conversation before it (oldest first), and what the learner knows and has."""

    message: Annotated[
        str, Field(min_length=1, max_length=LONGEST_MESSAGE, description="A question, a goal, or a name.")
    ]
    history: Annotated[tuple[Turn, ...], Field(max_length=1000, description="What was said before, oldest first.")] = ()


class Citation(Value):
    """What a number in brackets stands for: words on a work and where they stand, or the ontology's on something else.

    `id` is that of a resource, or the slug of a topic or kernel, which stand in no list: they have no source.
    """

    n: Annotated[int, Field(ge=1)]
    kind: Literal["resource", "topic", "kernel"]
    id: str
    title: str
    url: str | None = None
    source: str | None = None
    line: int | None = None
    quote: str = ""  # verbatim; empty where a list names the resource without a word on it

    @property
    def place(self) -> str:
        """Where the words stand: a line, or a name in the ontology."""
        return f"{self.source}:{self.line}" if self.source else f"{self.kind} {self.id}"


class Sentence(Value):
    """A piece of an answer in Markdown, with the numbers it cites; `before` parts it from the piece before."""

    text: str
    citations: tuple[int, ...] = ()
    before: str = " "


class ChatAnswer(Value):
    """An answer in Markdown: its sentences, one after another. `abstain` says that the lists do not answer."""

    answer: str
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    path: LearningPath | None
    abstain: bool
