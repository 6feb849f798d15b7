"""Reads topic and hardware files. Whatever is wrong in one is said with its file and line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

from graph.errors import BadOntology
from graph.models import Figure, Hardware, Topic
from graph.records import digest

SHIPPED = Path(__file__).parent
T = TypeVar("T", Topic, Hardware)
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Ontology:
    """All topics and hardware by slug."""

    topics: Mapping[str, Topic]
    hardware: Mapping[str, Hardware]

    @cached_property
    def digest(self) -> str:
        """Changes when anything in it changes."""
        values = [*self.topics.values(), *self.hardware.values()]
        return digest([value.model_dump(mode="json") for value in values])


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of a file, with the place it stands."""

    file: Path
    line: int
    fields: dict[str, Any]

    def fault(self, what: str) -> BadOntology:
        return BadOntology(f"{self.file}:{self.line}: {what}", hint="Mend that line; nothing was stored.")


def load_ontology(extra: Sequence[Path] = (), *, shipped: Path = SHIPPED) -> Ontology:
    """The shipped ontology with a user's own folders on top; a slug defined again replaces the former.

    Raises:
        BadOntology: a folder without topics/ and hardware/, bad YAML, an unknown field or slug, an alias of two topics.
    """
    topics: dict[str, tuple[Entry, Topic]] = {}
    hardware: dict[str, tuple[Entry, Hardware]] = {}
    for folder in (shipped, *extra):
        topics |= {topic.slug: (entry, topic) for entry, topic in _topics(folder)}
        hardware |= {node.slug: (entry, node) for entry, node in _hardware(folder)}
    _check_references(topics, hardware)
    return Ontology({s: t for s, (_, t) in topics.items()}, {s: h for s, (_, h) in hardware.items()})


def _topics(folder: Path) -> Iterator[tuple[Entry, Topic]]:
    yield from _unique((entry, _value(entry, Topic, _reasons(entry.fields))) for entry in _entries(folder, "topics"))


def _hardware(folder: Path) -> Iterator[tuple[Entry, Hardware]]:
    yield from _unique((entry, _value(entry, Hardware, _figures(entry))) for entry in _entries(folder, "hardware"))


def _entries(folder: Path, kind: str) -> Iterator[Entry]:
    if not (folder / "topics").is_dir() and not (folder / "hardware").is_dir():
        raise BadOntology(
            f"{folder} holds neither a folder topics/ nor hardware/.",
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
        raise BadOntology(f"{file}:1: the file must be a list of items that begin with `- slug:`.")
    for item in root.value:
        entry = Entry(file, item.start_mark.line + 1, {})
        try:
            fields = _Loader("").construct_document(item)
        except yaml.YAMLError as error:
            raise entry.fault(f"an item must hold plain texts, numbers and lists: {error}.") from error
        if not isinstance(fields, dict) or not fields:
            raise entry.fault("an item must be fields such as `slug:` and `name:`.")
        yield Entry(file, entry.line, {str(name): value for name, value in fields.items()})


def _value(entry: Entry, model: type[T], fields: dict[str, Any]) -> T:
    try:
        return model.model_validate({"name": str(fields.get("slug", "")).replace("-", " "), **fields})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise entry.fault(f"{fields.get('slug', '?')}: {where}: {first['msg']}.") from error


def _reasons(fields: dict[str, Any]) -> dict[str, Any]:
    """Prerequisites may be a plain list; then they come without a reason."""
    given = {name: fields.get(name) for name in ("requires", "corequisites")}
    lists = {name: slugs for name, slugs in given.items() if isinstance(slugs, list)}
    return fields | {name: dict.fromkeys(map(str, slugs), "") for name, slugs in lists.items()}


def _figures(entry: Entry) -> dict[str, Any]:
    """`memory`, `bandwidth` and `matrix` as a person writes them become figures with unit and source."""
    fields = dict(entry.fields)
    given = {"memory": fields.pop("memory", None), "bandwidth": fields.pop("bandwidth", None)}
    matrix = fields.pop("matrix", None) or {}
    if not isinstance(matrix, dict):
        raise entry.fault("matrix: rates stand by their format, such as `fp16: {tflops: ..., source: ...}`.")
    given |= {f"matrix_{name}": rate for name, rate in matrix.items()}
    figures = {name: _figure(entry, name, figure) for name, figure in given.items() if figure}
    return fields | {"figures": figures}


_UNITS = {"gb": "GB", "tbs": "TB/s", "tflops": "TFLOP/s", "tops": "TOP/s"}


def _figure(entry: Entry, name: str, figure: Any) -> Figure:
    unit = next((unit for unit in _UNITS if isinstance(figure, dict) and unit in figure), None)
    if unit is None or not str(figure.get("source", "")).startswith("https://"):
        raise entry.fault(f"{name}: a figure needs one of {', '.join(_UNITS)} and the https source it comes from.")
    try:
        return Figure(value=figure[unit], unit=_UNITS[unit], source=figure["source"])
    except ValidationError as error:
        raise entry.fault(f"{name}: {figure[unit]!r} is not a number.") from error


def _unique(pairs: Iterable[tuple[Entry, T]]) -> Iterator[tuple[Entry, T]]:
    """Refuses a slug or an alias that two items of one folder claim."""
    slugs: dict[str, Entry] = {}
    aliases: dict[str, str] = {}
    for entry, value in pairs:
        if value.slug in slugs:
            first = slugs[value.slug]
            raise entry.fault(f"{value.slug} stands already in {first.file.name}:{first.line}.")
        slugs[value.slug] = entry
        for alias in value.aliases:
            owner = aliases.setdefault(alias.casefold().replace("-", " "), value.slug)
            if owner != value.slug:
                raise entry.fault(f"“{alias}” is an alias of {owner} already.")
        yield entry, value


def _check_references(
    topics: Mapping[str, tuple[Entry, Topic]], hardware: Mapping[str, tuple[Entry, Hardware]]
) -> None:
    for entry, topic in topics.values():
        _known(entry, topic.slug, "requires", topic.requires, topics)
        _known(entry, topic.slug, "corequisites", topic.corequisites, topics)
        _known(entry, topic.slug, "parent", [topic.parent] if topic.parent else [], topics)
        _known(entry, topic.slug, "hardware", topic.hardware, hardware)
    for entry, node in hardware.values():
        _known(entry, node.slug, "parents", node.parents, hardware)
        _known(entry, node.slug, "vendor", [node.vendor] if node.vendor else [], hardware)
        _known(entry, node.slug, "features", node.features, topics)
        _known(entry, node.slug, "topics", node.topics, topics)


def _known(entry: Entry, owner: str, field: str, slugs: Iterable[str], all: Mapping[str, Any]) -> None:
    for slug in slugs:
        if slug not in all:
            near = difflib.get_close_matches(slug, all, n=3)
            hint = f" (did you mean {', '.join(near)}?)" if near else ""
            raise entry.fault(f"{owner}: {field}: no item has the slug “{slug}”{hint}.")
