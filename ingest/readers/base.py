"""What every reader of a list format takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from graph.models import DevlogEntry, Mention


@dataclass(frozen=True)
class Text:
    """A decoded source. `lines` have no line ends and count from 0; a mention's `line` counts from 1."""

    source: str
    lines: tuple[str, ...]
    digest: str


@dataclass(frozen=True)
class Reading:
    """What a reader found in a text, in the order of the text."""

    mentions: tuple[Mention, ...] = ()
    entries: tuple[DevlogEntry, ...] = ()


class Reader(Protocol):
    """One list format. `name` is the format's name in a `Document`."""

    name: str

    def recognise(self, text: Text) -> float:
        """How sure it is that the text has this format, 0 to 1. Looks at the text, never at the source's name."""
        ...

    def read(self, text: Text) -> Reading:
        """Finds the resources. Never fails: what it does not understand it leaves out."""
        ...
