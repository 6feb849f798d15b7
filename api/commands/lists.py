"""Commands that take reading lists in and out of the store: read, ingest, forget."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api import progress, render
from api.commands.base import Session, command
from api.output import INPUT_FAILED, Output
from graph.errors import BadRequest, UnreadableSource
from graph.models import Document

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.resources.abc import Traversable

commands = typer.Typer()

STDIN = "-"


@command(commands, "warpath read my-list.md", "curl -s https://example.org/list.md | warpath read - | jq -r .url")
def read(
    session: Session,
    paths: Annotated[list[str], typer.Argument(metavar="FILE...", help="Reading lists; - reads standard input.")],
) -> None:
    """Read lists into lines of JSON, one a mention; store nothing.

    A file that cannot be read is told on stderr; the others are read all the same.
    """
    reading = Reading(session.out)
    for document in reading.each(paths):
        for mention in document.mentions:
            session.out.record(mention)
    reading.finish()


@command(
    commands,
    "warpath ingest",
    "warpath ingest my-list.md devlog.txt",
    "curl -s https://example.org/list.md | warpath ingest - --name example.md",
)
def ingest(
    session: Session,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="Reading lists or devlogs; - reads standard input; none: the starter corpus.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the list, if it is one file.", metavar="NAME")] = None,
) -> None:
    """Read lists into the graph and index what changed.

    A list is known by its file name: ingesting it again brings the graph up to date with it.
    """
    from api.bootstrap import open_stores
    from ingest import pipeline

    if name and len(paths or ()) != 1:
        raise BadRequest("--name is for one file.", hint="Ingest the files one by one to name them.")
    _refuse_namesakes(paths or ())
    reading = Reading(session.out)
    documents = tuple(reading.each(paths, name) if paths else reading.starter())
    if documents:
        with progress.shown(session.out) as told:
            report = pipeline.ingest(documents, open_stores(session.settings), session.ontology, told)
        session.out.one(report, render.ingest_report)
    reading.finish()


@command(
    commands,
    "warpath forget my-list.md",
    "warpath sources --json | jq -r .source | xargs -n 1 warpath forget",
)
def forget(
    session: Session,
    source: Annotated[str, typer.Argument(help="The name of a list, as `warpath sources` shows it.")],
) -> None:
    """Take a list out of the graph, with everything only it spoke of."""
    from api.bootstrap import open_stores
    from ingest import pipeline

    with progress.shown(session.out) as told:
        report = pipeline.forget(source, open_stores(session.settings), session.ontology, told)
    session.out.one(report, render.ingest_report)


class Reading:
    """Reads files one by one; what cannot be read is told and remembered."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._failed = False

    def each(self, paths: Sequence[str], name: str | None = None) -> Iterator[Document]:
        """The documents of files that can be read."""
        for path in dict.fromkeys(paths):
            yield from self._document(path, name)

    def starter(self) -> Iterator[Document]:
        """The documents of the corpus that comes with warpath."""
        from ingest.readers import read_text

        for entry in starter_lists():
            yield read_text(entry.name, entry.read_bytes())

    def finish(self) -> None:
        """Ends with the exit code for input that failed, if any did."""
        if self._failed:
            raise typer.Exit(INPUT_FAILED)

    def _document(self, path: str, name: str | None) -> Iterator[Document]:
        try:
            document = load_document(path, name)
        except UnreadableSource as error:
            self._out.fail(error)
            self._failed = True
            return
        if not document.mentions and not document.entries:
            self._out.warn(f"No resource found in “{path}”.")
        yield document


def load_document(path: str, name: str | None = None) -> Document:
    """Reads one file, or standard input."""
    from ingest.readers import read_text
    from ingest.readers.decode import MAX_BYTES, load

    if path == STDIN:
        return read_text(name or "stdin", sys.stdin.buffer.read(MAX_BYTES + 1))
    file = Path(path)
    return read_text(name or file.name, load(file))


def starter_lists() -> list[Traversable]:
    """The files of the starter corpus, by name."""
    corpus = files("ingest").joinpath("corpus")
    return sorted((entry for entry in corpus.iterdir() if entry.is_file()), key=lambda entry: entry.name)


def _refuse_namesakes(paths: Sequence[str]) -> None:
    """Of two lists with one name the second would silently take the place of the first."""
    names = Counter(Path(path).name for path in dict.fromkeys(paths))
    double = [name for name, count in names.items() if count > 1]
    if double:
        raise BadRequest(f"Several files are called “{double[0]}”.", hint="Ingest them one by one, with --name.")
