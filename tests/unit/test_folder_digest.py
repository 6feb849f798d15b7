"""The fingerprint of a folder: whatever could mislead who reads its files changes it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graph.stores.folder_digest import folder_digest

CHANGES: dict[str, Callable[[Path], object]] = {
    "a letter": lambda folder: (folder / "part" / "data").write_bytes(b"abd"),
    "one byte more": lambda folder: (folder / "part" / "data").write_bytes(b"abcd"),
    "a file more": lambda folder: (folder / "more").touch(),
    "a file less": lambda folder: (folder / "part" / "data").unlink(),
    "another name": lambda folder: (folder / "part" / "data").rename(folder / "part" / "date"),
    "a value in JSON": lambda folder: (folder / "a.json").write_text('{"one": 1, "two": 3}'),
    "JSON that is none": lambda folder: (folder / "a.json").write_text('{"one": 1, "two": 2['),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of bytes and one of JSON."""
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "data").write_bytes(b"abc")
    (tmp_path / "a.json").write_text('{"one": 1, "two": 2}')
    return tmp_path


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_a_folder_changes_its_digest(folder: Path, change: str) -> None:
    before = folder_digest(folder)
    CHANGES[change](folder)

    assert folder_digest(folder) != before


def test_the_same_files_have_the_same_digest(folder: Path) -> None:
    before = folder_digest(folder)
    (folder / "part" / "data").write_bytes(b"abc")

    assert folder_digest(folder) == before


def test_the_order_of_keys_in_json_is_no_change(folder: Path) -> None:
    before = folder_digest(folder)
    (folder / "a.json").write_text('{"two": 2, "one": 1}')

    assert folder_digest(folder) == before
