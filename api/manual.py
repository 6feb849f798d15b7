"""docs/cli.md, made from --help: `python -m api.manual > docs/cli.md`."""

from __future__ import annotations

from typing import Any

import typer.main

from api.cli import app

_INTRODUCTION = """# The command line

This page is `--help` of every command; `python -m api.manual > docs/cli.md` writes it anew, and a test keeps it fresh.

Data goes to stdout, talk to stderr. With `--json` every command gives JSON lines (one object a line), and warnings
and errors are objects as well: `{"error": {"message", "hint", "type", "exit_code"}}`. Off a terminal text is plain and
tables are rows with tabs; `NO_COLOR` is honoured. `--data`, `--ontology`, `--model` and `--json` stand before or after
the command; environment variables `WARPATH_*` set the same for good. `warpath --install-completion` teaches the shell
to complete commands and options.
"""


def commands() -> dict[str, Any]:
    """Every command by name; one of a group has the group's name in front."""
    found: dict[str, Any] = {}
    for name, command in vars(typer.main.get_command(app))["commands"].items():
        group = vars(command).get("commands", {})
        found |= {f"{name} {sub}": one for sub, one in group.items()} or {name: command}
    return found


def manual() -> str:
    """The whole page."""
    group: Any = typer.main.get_command(app)
    top = group.make_context("warpath", [], resilient_parsing=True, terminal_width=100)
    sections = [_section("warpath", top.get_help())]
    for name, command in commands().items():
        context = command.make_context(name, [], parent=top, resilient_parsing=True)
        sections.append(_section(f"warpath {name}", context.get_help()))
    return "\n".join((_INTRODUCTION, *sections))


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n```text\n{text.rstrip()}\n```\n"


if __name__ == "__main__":
    print(manual(), end="")
