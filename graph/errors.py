"""Everything that can go wrong, as one family. Each message is a sentence for a person: what happened, what to do.

WarpathError
├── BadRequest                what was asked for cannot be done as asked
│   ├── UnknownName           a topic, hardware, resource or source that is not there; carries the nearest names
│   ├── BadCursor             a cursor of a page that is no cursor, or of another search or an older store
│   ├── NothingCovered        a goal that the graph does not cover; carries the nearest topics
│   └── BudgetTooSmall        the hours do not suffice; carries the least hours needed
├── UnreadableSource          a file that is missing, binary, too large, not UTF-8, ...
├── BadOntology               a topic or hardware file that does not hold together; names file and line
├── StoreError                the stores
│   ├── StoreBusy             another process writes at this moment
│   ├── StoreChanged          another process has written since the store was read
│   ├── StoreEmpty            nothing has been ingested yet
│   ├── StoreOutdated         written by another version or another embedding model; names `warpath reindex`
│   └── StoreUnavailable      a server does not answer, or a file cannot be opened
└── ModelError                the embedding model is missing or broken
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class WarpathError(Exception):
    """Base of all errors that warpath raises on purpose. `hint` says what to do next."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class BadRequest(WarpathError):
    """What was asked for cannot be done as asked."""


class UnknownName(BadRequest):
    """A name that the graph does not hold. `nearest` are names that it does hold."""

    def __init__(self, what: str, name: str, nearest: Sequence[str] = ()) -> None:
        hint = f"Did you mean {', '.join(nearest)}?" if nearest else ""
        super().__init__(f"There is no {what} called “{_short(name)}”.", hint=hint)
        self.name = name
        self.nearest = tuple(nearest)


class BadCursor(BadRequest):
    """A cursor that leads to no page: of another search, of a store that has changed since, or none at all."""


class NothingCovered(BadRequest):
    """A goal that no topic of the graph covers. `nearest` are topics that come closest."""

    def __init__(self, goal: str, nearest: Sequence[str] = ()) -> None:
        hint = f"The nearest topics are {', '.join(nearest)}." if nearest else "`warpath topics` lists what is covered."
        super().__init__(f"Nothing in the graph covers “{_short(goal)}”.", hint=hint)
        self.nearest = tuple(nearest)


class BudgetTooSmall(BadRequest):
    """The hours given do not suffice for the goal. `minimum_hours` would; `savings` are minutes that a topic would
    save if it were known, by its name."""

    def __init__(self, hours: float, minimum_hours: float, savings: Mapping[str, int] | None = None) -> None:
        saved = ", ".join(f"{topic} ({minutes / 60:.1f} h)" for topic, minutes in (savings or {}).items() if minutes)
        super().__init__(
            f"The goal needs at least {minimum_hours:g} hours; {hours:g} were given.",
            hint=f"Give --hours {minimum_hours:g}, or say with --know what you know already."
            + (f" Knowing these would save most: {saved}." if saved else ""),
        )
        self.minimum_hours = minimum_hours
        self.savings = dict(savings or {})


class UnreadableSource(WarpathError):
    """A source that cannot be read as text."""


class BadOntology(WarpathError):
    """A topic or hardware file that does not hold together."""


class StoreError(WarpathError):
    """Something about the stores."""


class StoreBusy(StoreError):
    """Another process writes at this moment."""


class StoreChanged(StoreError):
    """Another process has written since the store was read."""


class StoreEmpty(StoreError):
    """Nothing has been ingested yet."""


class StoreOutdated(StoreError):
    """Written by another version of warpath or with another embedding model."""


class StoreUnavailable(StoreError):
    """A server that does not answer, or a file that cannot be opened."""


class ModelError(WarpathError):
    """The embedding model is missing or broken."""


def _short(text: str, most: int = 120) -> str:
    """Quotes of user input stay short, whatever was sent."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
