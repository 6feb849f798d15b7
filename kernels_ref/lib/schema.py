"""A validator for the part of JSON Schema 2020-12 that kernel.schema.json uses; standard library only.

A keyword this file does not know is an error, so the schema can never promise a check that nobody makes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Schema = Any  # an object of keywords, or true or false
Problem = tuple[str, str]  # where, what

_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
_LIMITS: dict[str, tuple[str, Callable[[Any, Any], bool], str]] = {  # type it speaks of, test, words
    "minimum": ("number", lambda value, limit: value >= limit, "must be at least {}"),
    "maximum": ("number", lambda value, limit: value <= limit, "must be at most {}"),
    "minLength": ("string", lambda value, limit: len(value) >= limit, "needs at least {} characters"),
    "maxLength": ("string", lambda value, limit: len(value) <= limit, "has more than {} characters"),
    "pattern": ("string", lambda value, limit: re.search(limit, value) is not None, "must match {}"),
    "minItems": ("array", lambda value, limit: len(value) >= limit, "needs at least {} entries"),
    "minProperties": ("object", lambda value, limit: len(value) >= limit, "needs at least {} fields"),
    "uniqueItems": ("array", lambda value, _: all(v not in value[:i] for i, v in enumerate(value)), "repeats itself"),
}
_SILENT = frozenset(["$schema", "$id", "$defs", "title", "description", "then", "else"])


def problems(value: Any, schema: Mapping[str, Any]) -> list[Problem]:
    """Every fault of a value, as (field path, words)."""
    return list(_check(value, schema, "", schema))


def _check(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    if schema is True:
        return
    if schema is False:
        yield where, "is not allowed here"
        return
    for keyword in schema:
        if keyword in _SILENT:
            continue
        if keyword in _LIMITS:
            yield from _limit(value, keyword, schema[keyword], where)
        else:
            yield from _KEYWORDS[keyword](value, schema, where, root)


def _limit(value: Any, keyword: str, limit: Any, where: str) -> Iterator[Problem]:
    kind, test, words = _LIMITS[keyword]
    if _TYPES[kind](value) and not test(value, limit):
        yield where, words.format(limit)


def _ref(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    yield from _check(value, root["$defs"][schema["$ref"].rpartition("/")[2]], where, root)


def _type(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    if not any(_TYPES[kind](value) for kind in kinds):
        yield where, f"must be {' or '.join(kinds)}, not {value!r}"


def _enum(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    if value not in schema["enum"]:
        yield where, f"must be one of {', '.join(map(str, schema['enum']))}; not {value!r}"


def _const(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    if value != schema["const"]:
        yield where, f"must be {schema['const']!r}, not {value!r}"


def _required(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    if isinstance(value, dict):
        yield from ((_join(where, name), "is missing") for name in schema["required"] if name not in value)


def _properties(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    for name, rule in schema["properties"].items() if isinstance(value, dict) else ():
        if name in value:
            yield from _check(value[name], rule, _join(where, name), root)


def _additional(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    for name in value if isinstance(value, dict) else ():
        if name not in schema.get("properties", {}):
            yield from _check(value[name], schema["additionalProperties"], _join(where, name), root)


def _property_names(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    for name in value if isinstance(value, dict) else ():
        yield from _check(name, schema["propertyNames"], _join(where, name), root)


def _items(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    for index, item in enumerate(value if isinstance(value, list) else ()):
        yield from _check(item, schema["items"], f"{where}[{index}]", root)


def _one_of(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    fits = sum(not list(_check(value, form, where, root)) for form in schema["oneOf"])
    if fits != 1:
        yield where, f"must fit one of the {len(schema['oneOf'])} forms allowed, and fits {fits}"


def _if(value: Any, schema: Schema, where: str, root: Schema) -> Iterator[Problem]:
    branch = "else" if list(_check(value, schema["if"], where, root)) else "then"
    yield from _check(value, schema.get(branch, True), where, root)


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


_KEYWORDS: dict[str, Callable[[Any, Schema, str, Schema], Iterator[Problem]]] = {
    "$ref": _ref,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _property_names,
    "items": _items,
    "oneOf": _one_of,
    "if": _if,
}
