"""How things are named in the stores: slugs and node ids."""

from __future__ import annotations

import re

from graph.models import Label


def slug(name: str) -> str:
    """`Simon Boehm`, `simon boehm` and `@simon_boehm` are one."""
    return "-".join(re.findall(r"[^\W_]+", name.casefold())) or "unnamed"


def node_id(label: Label, name: str) -> str:
    """Id of everything but resources, which have a UUID made of their canonical key."""
    return f"{label.lower()}:{name}"


def slug_of(id: str) -> str:
    """The name behind an id that `node_id` made."""
    return id.split(":", 1)[1]
