"""An answer sentence by sentence: a language model's words where there is one and it keeps to the quotes, else ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

from graph.chat.checking import checked
from graph.chat.ground import Ground
from graph.chat.language_model import LanguageModel, LanguageModelError
from graph.chat.models import ChatAnswer, Sentence
from graph.chat.prompt import prompt


def speak(ground: Ground, model: LanguageModel | None) -> Iterator[Sentence]:
    """The sentences of an answer as they come.

    What the lists do not answer no model is asked. One that fails is followed by the answer that needs none.
    """
    if model is None or ground.abstain:
        yield from ground.sentences
        return
    said, reason = False, "cited nothing that exists"
    try:
        with closing(model.write(prompt(ground))) as pieces:
            for sentence in checked(pieces, ground.citations):
                yield sentence
                said = True
        if said:
            return
    except LanguageModelError as error:
        reason = str(error)
    note = f"(The language model {reason}. From the lists alone:)"
    yield Sentence(text=note, before="\n\n" if said else "")
    first, *others = ground.sentences
    yield first.model_copy(update={"before": "\n\n"})
    yield from others


def answer(ground: Ground, sentences: Iterable[Sentence]) -> ChatAnswer:
    """The whole answer."""
    held = tuple(sentences)
    return ChatAnswer(
        answer="".join(sentence.before + sentence.text for sentence in held),
        sentences=held,
        citations=ground.citations,
        path=ground.path,
        abstain=ground.abstain,
    )
