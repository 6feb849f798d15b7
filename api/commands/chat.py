"""The command that answers in cited sentences."""

from __future__ import annotations

from typing import Annotated

import typer

from api import render
from api.commands.base import Session, checked, command
from api.commands.find import ForHardware, MaxTier
from graph.chat.models import ChatRequest

commands = typer.Typer()


@command(
    commands,
    'warpath chat "why is decode memory bound"',
    "warpath chat what is MLA --json | jq .citations",
    'warpath chat "how do I learn FlashAttention with 10 hours on an H100"',
)
def chat(
    session: Session,
    message: Annotated[list[str], typer.Argument(help="A question, a goal or a name; words need no quotes.")],
    know: Annotated[
        list[str] | None, typer.Option(help="Topics known already: commas between, or repeated.", metavar="TOPICS")
    ] = None,
    hardware: ForHardware = None,
    max_tier: MaxTier = None,
    hours: Annotated[float | None, typer.Option(min=0, help="The time there is.", show_default=False)] = None,
) -> None:
    """Answer a message in sentences that cite their sources.

    Hours, hardware and what you know are also read from the message. A language model, if one is set with
    WARPATH_LLM_URL, words the answer; without one it is made of the curators' words.
    """
    from api.bootstrap import open_language_model
    from graph.chat.ground import ground
    from graph.chat.speaking import answer, speak

    request = checked(
        ChatRequest,
        message=" ".join(message),
        know=tuple(know or ()),
        hardware=hardware,
        max_tier=max_tier,
        hours=hours,
    )
    with session.library() as library:
        found = ground(library, request)
        said = answer(found, speak(found, open_language_model(session.settings)))
        session.out.one(said, render.chat_answer)
