"""From bytes to text, or to a sentence that says why not."""

from __future__ import annotations

import hashlib
from pathlib import Path

from graph.errors import UnreadableSource
from ingest.readers.base import Text

MAX_BYTES = 20_000_000
MAX_LINE = 1_000_000

# Why a file cannot be opened, and what to do; the first that fits is told.
_OPEN_FAULTS: tuple[tuple[type[OSError], str, str], ...] = (
    (FileNotFoundError, "does not exist", "Check the path."),
    (IsADirectoryError, "is a directory", "Name the files in it one by one."),
    (PermissionError, "may not be read by you", "Change its permissions, or copy it to a place of yours."),
    (OSError, "cannot be opened", "Check the path and the disk."),
)


def load(path: Path) -> bytes:
    """The bytes of a file; of a file that is too large no more than `decode` needs to refuse it."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        reason, advice = next((why, do) for kind, why, do in _OPEN_FAULTS if isinstance(error, kind))
        raise UnreadableSource(f"“{path}” {reason}.", hint=advice) from error


def decode(source: str, data: bytes) -> Text:
    """The text of `data`, split into lines as an editor would."""
    if len(data) > MAX_BYTES:
        raise _unreadable(source, f"is larger than {MAX_BYTES:,} bytes", "Split it into several lists.")
    if b"\0" in data:
        raise _unreadable(source, "is binary", "Give a text file in UTF-8.")
    text = _utf8(source, data)
    if not text.strip():
        raise _unreadable(source, "is empty", "Give a list with at least one resource.")
    # Not str.splitlines: it also splits at characters that no editor counts as a line end.
    lines = tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    longest = max(range(len(lines)), key=lambda number: len(lines[number]))
    if len(lines[longest]) > MAX_LINE:
        reason = f"has more than {MAX_LINE:,} characters in line {longest + 1}"
        raise _unreadable(source, reason, "Break that line, or leave it out.")
    return Text(source, lines, hashlib.sha256(data).hexdigest())


def _utf8(source: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"is not UTF-8 from byte {error.start} on"
        raise _unreadable(source, reason, "Convert it to UTF-8.") from error


def _unreadable(source: str, reason: str, advice: str) -> UnreadableSource:
    return UnreadableSource(f"“{source}” {reason}.", hint=advice)
