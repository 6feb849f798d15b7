"""A page is lines and tables: a terminal gets it drawn by rich, a pipe gets it plain.

Text from lists is untrusted. It is shown as text: no markup, and no character that could steer a terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One paragraph. `style` is rich's; a pipe does not see it."""

    text: str
    style: str = ""
    indent: int = 0


@dataclass(frozen=True)
class Table:
    """Rows under headers. A pipe gets the rows alone, cells between tabs."""

    headers: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


Page = Iterable[Line | Table]


def draw(page: Page) -> None:
    """Puts a page on stdout."""
    if sys.stdout.isatty():
        _draw_for_terminal(page)
    else:
        for text in plain(page):
            print(text)


def clean(text: object) -> str:
    """One line of printable characters."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in str(text)).split())


def plain(page: Page) -> Iterable[str]:
    """The lines of a page without style; cells of a row stand between tabs."""
    for block in page:
        if isinstance(block, Line):
            yield " " * block.indent + clean(block.text)
        else:
            yield from ("\t".join(map(clean, row)) for row in block.rows)


def _draw_for_terminal(page: Page) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table as Grid
    from rich.text import Text

    # With color_system=None rich leaves out bold and the like too: no escape sequence at all.
    console = Console(highlight=False, color_system=None if os.environ.get("NO_COLOR") else "auto")
    for block in page:
        if isinstance(block, Line):
            console.print(Padding(Text(clean(block.text), block.style), (0, 0, 0, block.indent)))
            continue
        grid = Grid(*block.headers, box=None)
        for row in block.rows:
            grid.add_row(*(Text(clean(cell)) for cell in row))
        console.print(grid)
