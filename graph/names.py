"""How things are named in the stores: slugs and node ids."""

from __future__ import annotations

import re
import unicodedata
import uuid

from graph.models import Label

_RESOURCES = uuid.UUID("c0f6a1de-7c1d-5c6e-9a56-1f4f0f0a7d2b")


def slug(name: str) -> str:
    """`Simon Böhm`, `simon bohm` and `@simon_bohm` are one."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(sign))
    return "-".join(re.findall(r"[^\W_]+", plain)) or "unnamed"


def resource_id(key: str) -> str:
    """Id of the resource with a canonical key: a UUIDv5, the same in every store."""
    return str(uuid.uuid5(_RESOURCES, key))


def node_id(label: Label, name: str) -> str:
    """Id of everything but resources, which have a UUID made of their canonical key."""
    return f"{label.lower()}:{name}"


def slug_of(id: str) -> str:
    """The name behind an id that `node_id` made."""
    return id.split(":", 1)[1]
