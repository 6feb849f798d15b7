"""Conditions of a query or a request in the index's terms: every value is one that is there, or told to be none."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, get_args

from rapidfuzz import process

from graph import models
from graph.curriculum import Curriculum
from graph.errors import BadRequest, UnknownName
from graph.goals import find_hardware, find_topic
from graph.lexical import phrase
from graph.names import slug
from graph.ports import Filters
from graph.query import PHRASE, Condition

NEAREST = 3
ALIKE = 60.0  # percent of likeness from which a name may be meant
_TIERS = re.compile(r"(?P<sign>[<>]=?|=)?(?P<one>\d{1,3})|(?P<least>\d{1,3})(?:-|\.\.)(?P<most>\d{1,3})")
_COUNTED = ("min_tier", "max_tier")


class Names:
    """What values may be: topics and hardware of the curriculum, authors and sources of the index.

    Without `values`, which gives those of a field, authors and sources are taken as they are given.
    """

    def __init__(self, curriculum: Curriculum, values: Callable[[str], Sequence[str]] | None = None) -> None:
        self.curriculum, self._values = curriculum, values
        self._known: dict[str, dict[str, str]] = {}

    def known(self, field: str) -> Mapping[str, str] | None:
        """The values of a field by their slug, looked up once; None where any will do."""
        if self._values and field not in self._known:
            self._known[field] = {slug(one): one for one in self._values(field)}
        return self._known.get(field)


def of_request(request: models.Conditions) -> list[Condition]:
    """The conditions of a request's own fields."""
    found = [
        Condition(name, value)
        for name in ("kind", "topic", "author", "source", "status")
        for value in getattr(request, name)
    ]
    found += [Condition("hardware", request.hardware)] if request.hardware else []
    return found + ([Condition("tier", f"<={request.max_tier}")] if request.max_tier is not None else [])


def settle(conditions: Iterable[Condition], names: Names) -> list[Condition]:
    """The conditions with their values as the stores have them, each once.

    Raises:
        UnknownName: a value names nothing; with the nearest that do.
        BadRequest: a tier is no number.
    """
    return list(dict.fromkeys(replace(one, value=_SETTLE[one.name](one.value, names)) for one in conditions))


def filters(settled: Iterable[Condition], curriculum: Curriculum) -> Filters:
    """What the index must meet. Values of one name are alternatives; of tiers, all hold."""
    wanted, without = Filters(), []
    for condition in settled:
        one = _filter(condition, curriculum)
        if condition.wanted:
            wanted = _joined(wanted, one)
        else:
            without.append(one)
    return replace(wanted, without=tuple(without))


def _filter(condition: Condition, curriculum: Curriculum) -> Filters:
    name, value = condition.name, condition.value
    if name == "tier":
        least, most = _range(value)
        return Filters(min_tier=least, max_tier=most)
    if name == "topic":
        return Filters(topic=tuple(sorted(_with_children(curriculum, value))))
    if name == "hardware" and condition.wanted:
        return Filters(hardware=tuple(sorted(curriculum.compatible(value))))
    if name == "hardware":
        return Filters(made_for=tuple(sorted(one for one in curriculum.hardware if value in curriculum.lineage(one))))
    held: dict[str, Any] = {"phrases" if name == PHRASE else name: (phrase(value) if name == PHRASE else value,)}
    return Filters(**held)


def _joined(one: Filters, other: Filters) -> Filters:
    """Both: values together, tiers as narrow as either says."""
    values = {f.name: getattr(one, f.name) + getattr(other, f.name) for f in fields(Filters) if f.name not in _COUNTED}
    least = max((f.min_tier for f in (one, other) if f.min_tier is not None), default=None)
    most = min((f.max_tier for f in (one, other) if f.max_tier is not None), default=None)
    return Filters(**values, min_tier=least, max_tier=most)


def _literal(what: str, allowed: Sequence[str], value: str, names: Names) -> str:
    low = value.casefold().replace("-", "_")
    for form in (low, low.removesuffix("s")):
        if form in allowed:
            return form
    raise UnknownName(what, value, difflib.get_close_matches(low, allowed, NEAREST) or allowed)


def _tier(value: str, names: Names) -> str:
    least, most = _range(value)
    if least is None or least == most:
        return f"<={most}" if least is None else str(most)
    return f">={least}" if most is None else f"{least}-{most}"


def _range(value: str) -> tuple[int | None, int | None]:
    """The least and the most tier; None is open."""
    found = _TIERS.fullmatch(value)
    if not found:
        raise BadRequest(f"“tier:{value[:40]}” is no tier.", hint="Write tier:1, tier:<=2, tier:>1 or tier:1-2.")
    if found["most"]:
        return int(found["least"]), int(found["most"])
    number = int(found["one"])
    ranges = {"<": (None, number - 1), "<=": (None, number), ">": (number + 1, None), ">=": (number, None)}
    return ranges.get(found["sign"], (number, number))


def _known(field: str, value: str, names: Names) -> str:
    """The value that is called so, or the only one that has all words of the name: “boehm” is simon-boehm."""
    known, wanted = names.known(field), slug(value)
    if known is None:
        return wanted if field == "author" else value
    if wanted in known:
        return known[wanted]
    parts = set(wanted.split("-"))
    holding = sorted(one for name, one in known.items() if parts <= set(name.split("-")))
    if len(holding) == 1:
        return holding[0]
    near = process.extract(wanted, known.keys(), limit=NEAREST, score_cutoff=ALIKE)
    raise UnknownName(field, value, holding[:NEAREST] or [known[name] for name, *_ in near])


_SETTLE: dict[str, Callable[[str, Names], str]] = {
    "kind": partial(_literal, "kind", get_args(models.Kind)),
    "tier": _tier,
    "hardware": lambda value, names: find_hardware(names.curriculum, value),
    "topic": lambda value, names: find_topic(names.curriculum, value),
    "author": partial(_known, "author"),
    "source": partial(_known, "source"),
    "status": partial(_literal, "status", get_args(models.Status)),
    PHRASE: lambda value, _: value,
}


def _with_children(curriculum: Curriculum, topic: str) -> list[str]:
    found = [topic]
    for above in found:  # grows while it is walked
        found += [child for child in curriculum.children(above) if child not in found]
    return found
