"""A fingerprint of all files of a folder: tells whether they are as they were left.

Of JSON the content counts: the search engine writes its own anew whenever it is opened, with the keys in any order.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

BLOCK = 65_536  # bytes that are read at once


def folder_digest(folder: Path) -> str:
    """Digest of the names, sizes and contents of all files below a folder."""
    found = hashlib.blake2b(digest_size=16)
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            found.update(f"{file.relative_to(folder)} {file.stat().st_size}\n".encode())
            for at, block in _json(file) or _blocks(file):
                found.update(at.to_bytes(8) + block)
    return found.hexdigest()


def _json(file: Path) -> list[tuple[int, bytes]]:
    """The content of a JSON file as one block; none if it is none."""
    if file.suffix != ".json":
        return []
    try:
        return [(0, json.dumps(json.loads(file.read_bytes()), sort_keys=True).encode())]
    except ValueError:  # a broken one counts as it is
        return []


def _blocks(file: Path) -> Iterator[tuple[int, bytes]]:
    """The blocks of a file that hold anything, with their places; files of databases are holes for the most part."""
    at = 0
    with suppress(OSError), file.open("rb", buffering=0) as opened:  # to seek data beyond the last is an error
        while block := _block(opened, at := _next_data(opened, at)):
            if block.count(0) < len(block):
                yield at, block
            at += BLOCK


def _next_data(opened: io.FileIO, at: int) -> int:
    """The first block from a place on that is no hole, where the system can tell."""
    seek_data = getattr(os, "SEEK_DATA", os.SEEK_SET)
    return os.lseek(opened.fileno(), at, seek_data) // BLOCK * BLOCK


def _block(opened: io.FileIO, at: int) -> bytes:
    opened.seek(at)
    return opened.read(BLOCK)
