"""The query language: what a query says beside its words. docs/search.md explains it to people.

    kind:video tier:<=2 hardware:hopper topic:mla author:"Simon Boehm" source:guide status:to_read "exact phrase" -word

A condition is the name of a filter, a colon and a value with no blank between; a minus before it turns it round. A name
that is none of a filter, nor nearly so, is prose (`std::vector`, `https://...`, `12:30`), and so is one with nothing
behind its colon. A quote that is never closed is a sign like any other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz.distance import DamerauLevenshtein

from graph.errors import BadRequest, UnknownName
from graph.lexical import phrase

NAMES = {
    "kind": "kind",
    "tier": "tier",
    "hardware": "hardware",
    "hw": "hardware",
    "topic": "topic",
    "author": "author",
    "by": "author",
    "source": "source",
    "status": "status",
}
MOST = 50  # conditions of a query
PHRASE = "phrase"  # the name of a condition that a quote or an excluded word is
SLIPS = 1  # letters wrong, missing, too many or swapped in a name that is meant for a filter's
SHORTEST = 3  # letters of a name that may be a slip

_ENDINGS = ",;.!?)"  # of a sentence, not of a value
_QUOTES = str.maketrans("“”„«»", '"""""')
# A run of signs and whole quotes; a quote that is not closed begins no quote.
_TOKEN = re.compile(r'(?:"[^"]*"|[^\s"])+|"')
_FILTER = re.compile(r'(?P<minus>-?)(?P<name>[A-Za-z]+):(?![:/])(?:"(?P<quoted>[^"]+)"|(?P<bare>[^\s"]+))')
_PHRASE = re.compile(r'(?P<minus>-?)"(?P<quoted>[^"]+)"[^\w"]*')
_WITHOUT = re.compile(r"-(?P<word>[^\W\d_][\w.+#/-]*)")


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: a filter's name with a value as it was given, or a phrase; `wanted` or not."""

    name: str
    value: str
    wanted: bool = True

    def __str__(self) -> str:
        """As the query language has it."""
        sign = "" if self.wanted else "-"
        if self.name == PHRASE:
            return f"{sign}{self.value}" if not self.wanted and " " not in self.value else f'{sign}"{self.value}"'
        value = f'"{self.value}"' if re.search(r"\s", self.value) else self.value
        return f"{sign}{self.name}:{value}"


@dataclass(frozen=True, slots=True)
class Query:
    """A query that was read: its words and conditions in the order they stand."""

    parts: tuple[str | Condition, ...]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return tuple(part for part in self.parts if isinstance(part, Condition))

    @property
    def words(self) -> str:
        """The words to search for, those of wanted phrases among them."""
        said = (part.value if isinstance(part, Condition) else part for part in self.parts if _is_said(part))
        return " ".join(said)


def parse(text: str) -> Query:
    """Reads a query, in time that grows with its length alone.

    Raises:
        UnknownName: a filter's name is written wrongly.
        BadRequest: there are too many conditions.
    """
    query = Query(tuple(_condition(token) or token for token in _TOKEN.findall(text.translate(_QUOTES))))
    if len(query.conditions) > MOST:
        raise BadRequest(f"A query takes at most {MOST} conditions.", hint="Leave some out.")
    return query


def _is_said(part: str | Condition) -> bool:
    return isinstance(part, str) or (part.name == PHRASE and part.wanted)


def _condition(token: str) -> Condition | None:
    """The condition that a token is, None for a word."""
    if found := _FILTER.fullmatch(token):
        name = _name(found["name"])
        value = found["quoted"] or found["bare"].rstrip(_ENDINGS)
        return Condition(name, value, not found["minus"]) if name and value else None
    if (found := _PHRASE.fullmatch(token)) and phrase(found["quoted"]):
        return Condition(PHRASE, found["quoted"], not found["minus"])
    if found := _WITHOUT.fullmatch(token):
        return Condition(PHRASE, found["word"], wanted=False)
    return None


def _name(written: str) -> str | None:
    """The filter that is meant; None where the word is no filter's name."""
    name = written.casefold()
    if name in NAMES or len(name) < SHORTEST:
        return NAMES.get(name)
    near = [one for one in NAMES if one[0] == name[0] and DamerauLevenshtein.distance(one, name) <= SLIPS]
    if near:
        raise UnknownName("filter", written, near)
    return None
