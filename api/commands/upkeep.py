"""Commands that keep warpath running: serve, reindex, copy, doctor."""

from __future__ import annotations

from typing import Annotated

import typer

from api import progress, render
from api.commands.base import Session, command
from api.output import STORE_FAILED
from graph.errors import BadRequest

commands = typer.Typer()


@command(commands, "warpath serve", "warpath serve --host 0.0.0.0 --port 8080")
def serve(
    session: Session,
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on.  [env: WARPATH_HOST; default: 127.0.0.1]", metavar="ADDRESS"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="Port; 0 takes a free one.  [env: WARPATH_PORT; default: 8000]",
            metavar="PORT",
        ),
    ] = None,
) -> None:
    """Serve the REST API and the web page until Ctrl-C."""
    from api.app import server
    from api.bootstrap import open_library

    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = session.settings.model_copy(update=given)
    try:
        server(open_library(settings), settings).run()
    except SystemExit as error:  # uvicorn has said why
        place = f"{settings.host}:{settings.port}"
        raise BadRequest(f"Cannot listen on {place}.", hint="Choose another --host or --port.") from error


@command(commands, "warpath reindex", "warpath reindex --model BAAI/bge-small-en-v1.5")
def reindex(session: Session) -> None:
    """Embed everything anew, and build the search index from the graph.

    Needed after a change of the embedding model; never harmful.
    """
    from api.bootstrap import open_stores
    from ingest import pipeline

    with progress.shown(session.out) as told:
        report = pipeline.reindex(open_stores(session.settings), session.ontology, told)
    session.out.one(report, render.ingest_report)


@command(
    commands,
    "warpath copy --to neo4j://db.example.org:7687 --vectors https://search.example.org:6333",
    "warpath copy --from neo4j://db.example.org:7687 --to backup",
)
def copy(
    session: Session,
    to: Annotated[str, typer.Option(help="Graph to copy to: a folder or neo4j://host:7687.", metavar="PLACE")],
    vectors: Annotated[
        str | None,
        typer.Option(
            help="Index to copy to: a folder or http://host:6333; needed with a graph server.", metavar="PLACE"
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", help="Graph to copy from.  [default: the configured one]", metavar="PLACE"),
    ] = None,
) -> None:
    """Copy graph, vectors and index to other stores, and compare what has arrived.

    The target becomes what the source is. Users, passwords and keys are those of the settings; where the target has
    others, WARPATH_TO_GRAPH_PASSWORD, WARPATH_TO_VECTORS_KEY and their like name them.
    """
    from api.bootstrap import open_graph, open_index
    from api.copying import places
    from ingest.copy import copy as copied

    here, there = places(session.settings, source, to, vectors)
    with progress.shown(session.out) as told:
        report = copied(open_graph(here), open_graph(there), lambda dimension: open_index(there, dimension), told)
    session.out.one(report, render.copy_report)


@command(commands, "warpath doctor", "warpath doctor --json | jq .ok")
def doctor(session: Session) -> None:
    """Check folder, ontology, stores and model; say what to do.

    An index that does not hold what the graph says is built anew.
    """
    from api.doctor import diagnose

    diagnosis = diagnose(session.settings)
    session.out.one(diagnosis, render.diagnosis)
    if not diagnosis.ok:
        raise typer.Exit(STORE_FAILED)
