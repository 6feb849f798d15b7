"""Reads topic, hardware and work files. Whatever is wrong in one is said with its file and line."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from graph.models import Annotation, Figure, Hardware, Topic
from graph.records import digest
from graph.urls import is_web_address
from ingest import annotate
from ingest.ontology.items import Entry, entries

SHIPPED = Path(__file__).parent
T = TypeVar("T", Topic, Hardware, Annotation)
Named = TypeVar("Named", Topic, Hardware)
Entries = dict[str, tuple[Entry, T]]


@dataclass(frozen=True)
class Ontology:
    """All topics and hardware by slug, and what is known of works by their key (see `ingest.annotate`)."""

    topics: Mapping[str, Topic]
    hardware: Mapping[str, Hardware]
    works: Mapping[str, Annotation] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Changes when anything in it changes."""
        values = [*self.topics.values(), *self.hardware.values(), *self.works.values()]
        return digest([value.model_dump(mode="json") for value in values])


def load_ontology(extra: Sequence[Path] = (), *, shipped: Path = SHIPPED) -> Ontology:
    """The shipped ontology with a user's own folders on top; what is defined again replaces the former.

    Raises:
        BadOntology: a folder with none of topics/, hardware/ and works/, bad YAML, an unknown field or slug, an alias
            of two topics, a work that stands twice.
    """
    topics: Entries[Topic] = {}
    hardware: Entries[Hardware] = {}
    works: Entries[Annotation] = {}
    for folder in (shipped, *extra):
        topics |= _unique(_topics(folder), attrgetter("slug"))
        hardware |= _unique(_hardware(folder), attrgetter("slug"))
        works |= _unique(_works(folder), annotate.key)
    _check_references(topics, hardware, works)
    return Ontology(_values(topics), _values(hardware), _values(works))


def _topics(folder: Path) -> Iterator[tuple[Entry, Topic]]:
    yield from _own_aliases((e, _value(e, Topic, _reasons(_named(e)))) for e in entries(folder, "topics"))


def _hardware(folder: Path) -> Iterator[tuple[Entry, Hardware]]:
    yield from _own_aliases((e, _value(e, Hardware, _figures(e))) for e in entries(folder, "hardware"))


def _works(folder: Path) -> Iterator[tuple[Entry, Annotation]]:
    for entry in entries(folder, "works"):
        place = {"source": f"works/{entry.file.name}", "line": entry.line}
        work = _value(entry, Annotation, entry.fields | place)
        if work.url and not is_web_address(work.url):
            raise entry.fault(f"{work.title}: url: “{work.url}” is no web address.")
        yield entry, work


def _named(entry: Entry) -> dict[str, Any]:
    """The fields of an item that may go by its slug."""
    return {"name": str(entry.fields.get("slug", "")).replace("-", " "), **entry.fields}


def _value(entry: Entry, model: type[T], fields: dict[str, Any]) -> T:
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise entry.fault(f"{fields.get('slug') or fields.get('title', '?')}: {where}: {first['msg']}.") from error


def _reasons(fields: dict[str, Any]) -> dict[str, Any]:
    """Prerequisites may be a plain list; then they come without a reason."""
    given = {name: fields.get(name) for name in ("requires", "helps", "corequisites")}
    lists = {name: slugs for name, slugs in given.items() if isinstance(slugs, list)}
    return fields | {name: dict.fromkeys(map(str, slugs), "") for name, slugs in lists.items()}


def _figures(entry: Entry) -> dict[str, Any]:
    """`memory`, `bandwidth` and `matrix` as a person writes them become figures with unit and source."""
    fields = _named(entry)
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


def _unique(pairs: Iterable[tuple[Entry, T]], key: Callable[[T], str]) -> Entries[T]:
    """Values by key; refuses a key that two items of one folder claim."""
    found: Entries[T] = {}
    for entry, value in pairs:
        if (name := key(value)) in found:
            first, _ = found[name]
            raise entry.fault(f"{name} stands already in {first.file.name}:{first.line}.")
        found[name] = entry, value
    return found


def _own_aliases(pairs: Iterable[tuple[Entry, Named]]) -> Iterator[tuple[Entry, Named]]:
    """Refuses an alias that two items of one folder claim."""
    aliases: dict[str, str] = {}
    for entry, value in pairs:
        for alias in value.aliases:
            owner = aliases.setdefault(alias.casefold().replace("-", " "), value.slug)
            if owner != value.slug:
                raise entry.fault(f"“{alias}” is an alias of {owner} already.")
        yield entry, value


def _values(entries: Entries[T]) -> dict[str, T]:
    return {name: value for name, (_, value) in entries.items()}


def _check_references(topics: Entries[Topic], hardware: Entries[Hardware], works: Entries[Annotation]) -> None:
    for entry, topic in topics.values():
        _known(entry, topic.slug, "requires", topic.requires, topics)
        _known(entry, topic.slug, "helps", topic.helps, topics)
        _known(entry, topic.slug, "corequisites", topic.corequisites, topics)
        _known(entry, topic.slug, "parent", [topic.parent] if topic.parent else [], topics)
        _known(entry, topic.slug, "hardware", topic.hardware, hardware)
    for entry, node in hardware.values():
        _known(entry, node.slug, "parents", node.parents, hardware)
        _known(entry, node.slug, "vendor", [node.vendor] if node.vendor else [], hardware)
        _known(entry, node.slug, "features", node.features, topics)
        _known(entry, node.slug, "topics", node.topics, topics)
    for entry, work in works.values():
        _known(entry, work.title, "teaches", work.teaches, topics)
        _known(entry, work.title, "touches", work.touches, topics)


def _known(entry: Entry, owner: str, field: str, slugs: Iterable[str], all: Mapping[str, Any]) -> None:
    for slug in slugs:
        if slug not in all:
            near = difflib.get_close_matches(slug, all, n=3)
            hint = f" (did you mean {', '.join(near)}?)" if near else ""
            raise entry.fault(f"{owner}: {field}: no item has the slug “{slug}”{hint}.")
