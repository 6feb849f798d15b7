"""Reading lists in, `Document`s out. One format, one file; the text says which format it has."""

from __future__ import annotations

from pathlib import Path

from graph.models import Document
from ingest.readers.acts import ActsReader
from ingest.readers.base import Reader, Text
from ingest.readers.decode import decode, load
from ingest.readers.devlog import DevlogReader
from ingest.readers.markdown_guide import MarkdownGuideReader
from ingest.readers.plain_list import PlainListReader

__all__ = ["READERS", "read_file", "read_text"]

# Of readers that are equally sure, the first one reads.
READERS: tuple[Reader, ...] = (MarkdownGuideReader(), ActsReader(), DevlogReader(), PlainListReader())


def read_file(path: Path) -> Document:
    """Reads a list from a file; mentions carry the file's name as their source."""
    return read_text(path.name, load(path))


def read_text(source: str, data: bytes) -> Document:
    """Reads a list. A text without any resource gives a document without mentions; `UnreadableSource` if no text."""
    text = decode(_one_line(source), data)
    reader = max(READERS, key=lambda candidate: candidate.recognise(text))
    reading = reader.read(text)
    return Document(
        source=text.source,
        title=_title(text),
        format=reader.name,
        digest=text.digest,
        mentions=reading.mentions,
        entries=reading.entries,
    )


def _one_line(name: str) -> str:
    """A file's name as text: it may hold line ends, tabs and bytes that are no letters."""
    return " ".join(name.encode("utf-8", "replace").decode("utf-8").split()) or "unnamed"


def _title(text: Text) -> str:
    """The first line that says something, without a heading's marks and badges."""
    words = (line.partition("[![")[0].strip("#*_ \t") for line in text.lines)
    return next((line for line in words if line), text.source)
