"""Whether an author's name is a person's or an organisation's, as far as the name itself tells."""

from __future__ import annotations

import re
from typing import Literal

_ORGANISATION_WORDS = frozenset(
    "ai academy association blog community company conference corp docs documentation engineering "
    "foundation group inc institute lab labs library magazine news organization org press project "
    "projects research school science sciences society studio systems tech technologies team university "
    "computing weekly intelligence cloud networks".split()
)


def author_label(name: str) -> Literal["Person", "Organisation"]:
    """A handle or two to four capitalised words is a person; a known word of organisations or a lone word is not."""
    words = re.findall(r"[^\W\d_]+", name)
    if name.startswith("@"):
        return "Person"
    if any(word.casefold() in _ORGANISATION_WORDS for word in words) or any(w.isupper() and len(w) > 2 for w in words):
        return "Organisation"
    return "Person" if 2 <= len(words) <= 4 and all(w[0].isupper() or len(w) <= 3 for w in words) else "Organisation"
