"""Commands that keep what a learner is done with: done, undone, progress."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api import render
from api.commands.base import Session, command
from graph.errors import UnknownName

if TYPE_CHECKING:
    from api.progress_file import Progress

commands = typer.Typer()

ProgressFile = Annotated[
    Path | None,
    typer.Option("--progress", help="File of what you are done with.  [env: WARPATH_PROGRESS]", metavar="FILE"),
]
Names = Annotated[list[str], typer.Argument(help="Topics, or resources by id, URL or title; quote those with blanks.")]


@command(
    commands,
    "warpath done tiling shared-memory",
    'warpath done https://arxiv.org/abs/2205.14135 "CUDA C++ Programming Guide"',
)
def done(session: Session, names: Names, file: ProgressFile = None) -> None:
    """Note that you are done with topics or resources: `path` leaves them out from then on.

    A resource counts for the topics that a path would teach with it.
    """
    from api import progress_file

    with session.library() as library:
        finished = [library.finished(name) for name in names]
    changed = progress_file.change(progress_path(session, file), lambda progress: progress.with_(finished))
    session.out.one(changed, render.progress)


@command(commands, "warpath undone tiling", "warpath progress --json | jq -r .done[].id | xargs warpath undone")
def undone(session: Session, names: Names, file: ProgressFile = None) -> None:
    """Take back that you are done with topics or resources."""
    from api import progress_file

    def take_back(progress: Progress) -> Progress:
        return progress.without([_held(session, progress, name) for name in names])

    session.out.one(progress_file.change(progress_path(session, file), take_back), render.progress)


@command(commands, "warpath progress", "warpath progress --json > progress.json")
def progress(session: Session, file: ProgressFile = None) -> None:
    """Show what you are done with.

    The file is JSON and means the same everywhere: copy it to go on at another machine.
    """
    from api import progress_file

    session.out.one(progress_file.load(progress_path(session, file)), render.progress)


def progress_path(session: Session, file: Path | None) -> Path:
    """The file named, or that of the settings, or the one in the data folder."""
    return file or session.settings.progress or session.settings.data / "progress.json"


def _held(session: Session, progress: Progress, name: str) -> str:
    """The id of something done; the library knows more names than the file, which is asked first."""
    ids = {word.casefold(): one.id for one in progress.done for word in (one.title, one.id)}
    if name.casefold() in ids:
        return ids[name.casefold()]
    with session.library() as library:
        id = library.finished(name).id
    if id in ids.values():
        return id
    raise UnknownName("finished topic or resource", name, [one.title for one in progress.done[:3]])
