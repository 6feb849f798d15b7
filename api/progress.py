"""How far a long step is: a bar on stderr if that is a terminal, else a line as each step begins."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from api.output import Output

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

    from ingest.pipeline import Progress

# Each step of the pipeline in words.
_WORDS = {
    "read": "Read the source",
    "model": "Load the embedding model",
    "embed": "Embed texts",
    "write": "Write graph and index",
    "graph": "Write the graph",
    "index": "Write the index",
    "verify": "Compare",
}


@contextmanager
def shown(out: Output) -> Iterator[Progress]:
    """What the pipeline tells its progress to."""
    if out.as_json or not sys.stderr.isatty():
        yield _Lines(out)
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(stderr=True)) as bars:
        yield _Bar(bars)


class _Lines:
    def __init__(self, out: Output) -> None:
        self._out = out
        self._begun: set[str] = set()

    def __call__(self, step: str, done: int, total: int) -> None:
        if step not in self._begun:
            self._begun.add(step)
            self._out.say(f"{_WORDS.get(step, step)} …")


class _Bar:
    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._begun = {step: bars.add_task(words, total=None, visible=False) for step, words in _WORDS.items()}

    def __call__(self, step: str, done: int, total: int) -> None:
        if step not in self._begun:
            self._begun[step] = self._bars.add_task(step)
        self._bars.update(self._begun[step], completed=done, total=total, visible=True)
