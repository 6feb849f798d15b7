"""Items of YAML files, each with the place it stands: what topics, hardware and works are written as."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from graph.errors import BadOntology

FOLDERS = ("topics", "hardware", "works")
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a file, with the place it stands."""

    file: Path
    line: int
    fields: dict[str, Any]

    def fault(self, what: str) -> BadOntology:
        return BadOntology(f"{self.file}:{self.line}: {what}", hint="Mend that line; nothing was stored.")


def entries(folder: Path, kind: str) -> Iterator[Entry]:
    """The items of one kind, one of `FOLDERS`, in the order of files and lines.

    Raises:
        BadOntology: it is no folder of an ontology, or a file of it is no list of items.
    """
    if not any((folder / name).is_dir() for name in FOLDERS):
        raise BadOntology(
            f"{folder} holds none of the folders {', '.join(f'{name}/' for name in FOLDERS)}.",
            hint="Put your topic files into topics/*.yaml; docs/ontology.md shows the format.",
        )
    for file in sorted((folder / kind).glob("*.y*ml")):
        yield from _file_entries(file)


def _file_entries(file: Path) -> Iterator[Entry]:
    try:
        root = yaml.compose(file.read_text(encoding="utf-8"), Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadOntology(
            f"{file}:{line}: not YAML: {error.problem}.", hint="Mend that line; nothing was stored."
        ) from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadOntology(f"{file}: cannot be read: {error}.") from error
    if root is None:
        return
    if not isinstance(root, yaml.SequenceNode):
        raise BadOntology(f"{file}:1: the file must be a list of items that begin with `- slug:` or `- title:`.")
    for item in root.value:
        entry = Entry(file, item.start_mark.line + 1, {})
        try:
            fields = _Loader("").construct_document(item)
        except yaml.YAMLError as error:
            raise entry.fault(f"an item must hold plain texts, numbers and lists: {error}.") from error
        if not isinstance(fields, dict) or not fields:
            raise entry.fault("an item must be fields such as `slug:` and `name:`.")
        yield Entry(file, entry.line, {str(name): value for name, value in fields.items()})
