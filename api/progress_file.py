"""What a learner is done with: a small JSON file that can be carried to another machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from graph.errors import UnreadableSource
from graph.models import Finished, Value


class Progress(Value):
    """Everything that is done, in the order it was. Ids are the same in every store."""

    version: Literal[1] = 1
    done: tuple[Finished, ...] = ()

    def with_(self, finished: Iterable[Finished]) -> Progress:
        """With more; what is there already stays where it stands."""
        return self._of((*self.done, *finished))

    def without(self, ids: Iterable[str]) -> Progress:
        """With less."""
        gone = set(ids)
        return self._of(one for one in self.done if one.id not in gone)

    def _of(self, finished: Iterable[Finished]) -> Progress:
        by_id: dict[str, Finished] = {}
        for one in finished:
            by_id.setdefault(one.id, one)
        return self.model_copy(update={"done": tuple(by_id.values())})


def load(file: Path) -> Progress:
    """What a file holds; nothing is done where there is none.

    Raises:
        UnreadableSource: it cannot be read, or holds something else.
    """
    try:
        return Progress.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return Progress()
    except OSError as error:
        raise UnreadableSource(f"Cannot read “{file}”: {error.strerror}.") from error
    except ValidationError as error:
        hint = "Mend it, move it away, or name another file with --progress."
        raise UnreadableSource(f"“{file}” holds no progress.", hint=hint) from error


def change(file: Path, how: Callable[[Progress], Progress]) -> Progress:
    """Changes a file: whole or not at all, and one process after the other.

    Raises:
        UnreadableSource: it cannot be read or written, or holds something else.
    """
    from filelock import FileLock  # loads slowly, and only writing needs it

    draft = file.with_name(f"{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(file.with_name(f"{file.name}.lock")):
            progress = how(load(file))
            draft.write_text(progress.model_dump_json(indent=2) + "\n", encoding="utf-8")
            os.replace(draft, file)
    except OSError as error:
        raise UnreadableSource(f"Cannot write “{file}”: {error.strerror}.") from error
    return progress
