"""The command that serves agents: mcp."""

from __future__ import annotations

import typer

from api.commands.base import Session, command

commands = typer.Typer()


@command(commands, "warpath mcp", "npx @modelcontextprotocol/inspector --cli warpath mcp --method tools/list")
def mcp(session: Session) -> None:
    """Serve an MCP client over stdin and stdout until it hangs up.

    A client starts this itself; docs/mcp.md has its configuration. A running `warpath serve` has the same at /mcp.
    """
    from api.cli import version
    from api.mcp.stdio import serve  # the SDK takes a second to load

    with session.library() as library:
        serve(library, version())
