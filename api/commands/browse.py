"""Commands that show what is stored: topics, hardware, sources, devlog, status, export."""

from __future__ import annotations

from typing import Annotated

import typer

from api import render
from api.commands.base import Session, command

commands = typer.Typer()


@command(commands, "warpath topics", "warpath topics --all", "warpath topics --json | jq -r .slug")
def topics(
    session: Session,
    every: Annotated[bool, typer.Option("--all", help="Also topics that no resource covers.")] = False,
) -> None:
    """List the topics as a tree, with counts.

    With --json all topics are given, each with its parent.
    """
    with session.library() as library:
        session.out.many(library.topics(), lambda lines: render.topic_tree(lines, every=every))


@command(commands, "warpath hardware", "warpath hardware --json | jq .compute_capability")
def hardware(session: Session) -> None:
    """List vendors, architectures and devices."""
    with session.library() as library:
        session.out.many(library.hardware(), render.hardware_table)


@command(commands, "warpath sources", "warpath sources --json | jq -r .digest")
def sources(session: Session) -> None:
    """List the reading lists and devlogs that were ingested."""
    with session.library() as library:
        session.out.many(library.sources(), render.source_table)


@command(commands, "warpath devlog", "warpath devlog --json | jq -r .text")
def devlog(session: Session) -> None:
    """Show the posts of all devlogs with what they speak of."""
    with session.library() as library:
        session.out.many(library.devlog(), render.devlog_posts)


@command(commands, "warpath status", "warpath status --json | jq .nodes.Resource")
def status(session: Session) -> None:
    """Count what is stored, and say with which model."""
    with session.library() as library:
        session.out.one(library.status(), render.store_status)


@command(commands, "warpath export > resources.jsonl", "warpath export | jq -r .url | head")
def export(session: Session) -> None:
    """Give every resource as a line of JSON."""
    from api.export import exported

    with session.library() as library:
        for resource in library.export():
            session.out.record(exported(resource))
