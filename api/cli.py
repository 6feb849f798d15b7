"""`warpath` on the command line: every command, and how the process ends."""

from __future__ import annotations

import sys
from importlib import metadata
from typing import Annotated

import typer

from api.commands import browse, chat, compare, evaluate, find, kernels, lists, mcp, progress, upkeep
from api.commands.base import Data, Json, Model, Ontology, Shared, listing
from api.output import EXIT_CODES

_EPILOG = "\n\n".join(
    (
        listing("Examples", ("warpath ingest", "warpath search tiled matmul", "warpath path flash-attention")),
        listing("Exit codes", tuple(f"{code:>3}  {meaning}" for code, meaning in EXIT_CODES.items())),
    )
)

# Plain help: it loads in a tenth of a second, and its text is the same in a terminal, a pipe and docs/cli.md.
app = typer.Typer(
    name="warpath",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)
for _group in (lists, find, chat, kernels, compare, evaluate, progress, browse, upkeep, mcp):
    app.add_typer(_group.commands)


def version() -> str:
    """The version that is installed."""
    try:
        return metadata.version("warpath")
    except metadata.PackageNotFoundError:
        return "unknown (not installed)"


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"warpath {version()}")
        raise typer.Exit


@app.callback()
def shared(
    context: typer.Context,
    data: Data = None,
    ontology: Ontology = None,
    model: Model = None,
    as_json: Json = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Reading lists about GPU programming in; a knowledge graph, search and learning paths out.

    Data goes to stdout, talk to stderr. --data, --ontology, --model and --json stand before or after the command.
    """
    context.obj = Shared(data=data, ontology=ontology, model=model, json=as_json)


def main() -> None:
    """Runs the command line; the console script `warpath`."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a letter that the terminal does not know must not end a command
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="warpath")


if __name__ == "__main__":
    main()
