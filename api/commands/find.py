"""Commands that answer a question: search, path, show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from api import render
from api.commands.base import Session, checked, command
from graph.errors import UnknownName
from graph.models import Hardware, Kind, PathRequest, Resource, SearchRequest, Status, TopicPage

if TYPE_CHECKING:
    from graph.library import Library

commands = typer.Typer()

ForHardware = Annotated[
    str | None,
    typer.Option(help="Leave out what is made for other hardware.", metavar="NAME", show_default=False),
]
MaxTier = Annotated[int | None, typer.Option(min=1, help="The highest tier of a list that counts.", show_default=False)]
# Typer takes no lists of literals; SearchRequest checks the words.
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        help=f"Only this kind; repeatable: {', '.join(get_args(Kind))}.",
        metavar="KIND",
        autocompletion=lambda: list(get_args(Kind)),
    ),
]
Statuses = Annotated[
    list[str] | None,
    typer.Option(
        "--status",
        help=f"Only what a list marks so; repeatable: {', '.join(get_args(Status))}.",
        metavar="STATUS",
        autocompletion=lambda: list(get_args(Status)),
    ),
]


@command(
    commands,
    'warpath search "shared memory bank conflicts"',
    "warpath search grouped gemm --hardware hopper --kind blog --kind repo",
    "warpath search attention --max-tier 1 --json | jq .hits[].url",
)
def search(
    session: Session,
    query: Annotated[list[str], typer.Argument(help="What to look for; several words need no quotes.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=100, help="How many hits at most.")] = 10,
    kind: Kinds = None,
    hardware: ForHardware = None,
    max_tier: MaxTier = None,
    topic: Annotated[list[str] | None, typer.Option(help="Only this topic; repeatable.", metavar="SLUG")] = None,
    author: Annotated[list[str] | None, typer.Option(help="Only this author; repeatable.", metavar="NAME")] = None,
    source: Annotated[list[str] | None, typer.Option(help="Only this list; repeatable.", metavar="SOURCE")] = None,
    status: Statuses = None,
) -> None:
    """Find resources by meaning and by word, best first.

    A query that nothing answers gives no hits, and says so.
    """
    request = checked(
        SearchRequest,
        query=" ".join(query),
        limit=limit,
        kind=tuple(kind or ()),
        hardware=hardware,
        max_tier=max_tier,
        topic=tuple(topic or ()),
        author=tuple(author or ()),
        source=tuple(source or ()),
        status=tuple(status or ()),
    )
    with session.library() as library:
        session.out.one(library.search(request), render.search_answer)


@command(
    commands,
    "warpath path flash-attention",
    'warpath path "write a fast matmul for Hopper" --know cuda-basics,warps --hours 20',
    "warpath path tensor-cores --hardware mi300x --json",
)
def path(
    session: Session,
    goal: Annotated[list[str], typer.Argument(help="A topic, or a goal in words.")],
    know: Annotated[
        list[str] | None,
        typer.Option(help="Topics known already: commas between, or repeated.", metavar="TOPICS"),
    ] = None,
    hardware: ForHardware = None,
    max_tier: MaxTier = None,
    hours: Annotated[
        float | None,
        typer.Option(min=0, help="The time there is; the path is cut to fit.", show_default=False),
    ] = None,
) -> None:
    """Plan a learning path to a goal, with reasons."""
    request = checked(
        PathRequest,
        goal=" ".join(goal),
        know=tuple(_split(know or ())),
        hardware=hardware,
        max_tier=max_tier,
        hours=hours,
    )
    with session.library() as library:
        session.out.one(library.plan(request), render.learning_path)


@command(
    commands,
    "warpath show flash-attention",
    "warpath show h100",
    "warpath show https://arxiv.org/abs/2205.14135 --json",
)
def show(
    session: Session,
    name: Annotated[list[str], typer.Argument(help="A topic, hardware, or a resource's id, URL or title.")],
) -> None:
    """Show one topic, piece of hardware or resource.

    A name that fits several is taken as a topic first, then as hardware, then as a resource.
    """
    with session.library() as library:
        session.out.one(_find(library, " ".join(name)), render.anything)


def _split(names: Iterable[str]) -> list[str]:
    return [name.strip() for given in names for name in given.split(",") if name.strip()]


def _find(library: Library, name: str) -> TopicPage | Hardware | Resource:
    """The first thing of that name; the names nearest to it, of whatever sort, if there is none."""
    nearest: list[str] = []
    for look_up in (library.topic, lambda name: _hardware(library, name), library.resource):
        try:
            return look_up(name)
        except UnknownName as error:
            nearest += error.nearest
    raise UnknownName("topic, hardware or resource", name, list(dict.fromkeys(nearest)))


def _hardware(library: Library, name: str) -> Hardware:
    wanted = name.casefold()
    for thing in library.hardware():
        if wanted in (known.casefold() for known in (thing.slug, thing.name, *thing.aliases)):
            return thing
    raise UnknownName("hardware", name)
