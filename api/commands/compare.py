"""The command that compares two learning paths: path-diff."""

from __future__ import annotations

from typing import Annotated

import typer

from api import render
from api.commands.base import Session, command
from api.commands.find import load_path

commands = typer.Typer()


@command(
    commands,
    "warpath path-diff before.json after.json",
    "warpath path matmul --json | warpath path-diff before.json -",
)
def path_diff(
    session: Session,
    before: Annotated[str, typer.Argument(help="A path that --json gave; - reads standard input.")],
    after: Annotated[str, typer.Argument(help="Another; - reads standard input.")],
) -> None:
    """Tell two learning paths apart: topics, resources, order, time."""
    from graph.path_diff import diff

    session.out.one(diff(load_path(before), load_path(after)), render.path_diff)
