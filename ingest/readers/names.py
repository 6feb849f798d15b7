"""Who made a work, as far as the item says it: before the first full stop, after "by", or as an owner."""

from __future__ import annotations

import re

from ingest.readers.words import KINDS_OF_TEAM, NAME_PARTICLES, OWNED, PREPOSITIONS, TITLE_WORDS

_NOBODY = frozenset(("anonymous", "various", "various authors", "multiple authors", "unknown"))
# Where a work appeared is not who made it.
_VENUE = re.compile(
    r"(?:alpha|ar|bio|med)r?xiv|openreview|zenodo|medium|youtube|ssrn|wikipedia|hacker ?news|acl|aaai|asplos|atc|"
    r"cgo|colm|cvpr|emnlp|eurosys|fast|hotos|hpca|iccv|iclr|icml|isca|jmlr|micro|mlsys|naacl|neurips|nips|nsdi|osdi|"
    r"pldi|ppopp|sc|sigcomm|sigmod|sosp|tmlr|usenix|vldb|nature|science",
    re.IGNORECASE,
)
_SUFFIX = re.compile(r",? (?:et al\.?|tutorial)$", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
# A person is said to state something; what follows the name of a project describes it.
_SAYS = re.compile(r"\b(?:am|are|can|don['’]t|i|is|isn['’]t|must|should|was|we|why|you)\b", re.IGNORECASE)
_BY = re.compile(r"^\(?(?:by|from|via) ", re.IGNORECASE)
_MOST_PARTS = 8
_MOST_WORDS = 4


def split_author_slot(description: str) -> tuple[tuple[str, ...], str]:
    """Takes the authors from the front of "Jane Doe, Some Lab. What it is about"; none if it names none."""
    by = _BY.match(description)
    slot, note = _byline(description[by.end() :]) if by else _first_sentence(description)
    parts = _parts(slot)
    if not parts or len(parts) > _MOST_PARTS or not all(map(_is_name, parts)) or any(map(_is_venue, parts)):
        return (), description
    # Words that stand alone may as well be the note: they have to look like one name.
    alone = not note and (len(parts) > 1 or not parts[0][0].isupper())
    if (alone and not by) or (by and not all(part[0].isupper() or part[0] == "@" for part in parts)):
        return (), description
    return tuple(name for part in parts if (name := _cleaned(part))), note


def split_title_credit(title: str) -> tuple[str, tuple[str, ...]]:
    """Takes a person off a title: "Title by Jane Doe", "Title, Jane Doe", "Title (Jane Doe, 2021)", "Jane Doe: …"."""
    head, _, tail = title.partition(": ")
    if is_person(head) and _SAYS.search(tail):
        return tail, (head,)
    rest, _, name = title.rpartition(" (")
    person = name.rstrip("0123456789), ")
    if name.endswith(tuple(f"{digit})" for digit in range(10))) and is_person(person):
        return rest, (person,)
    for mark in (" by ", ", "):
        rest, _, person = title.rpartition(mark)
        if rest and is_person(person):
            return rest.strip('"“” '), (person,)
    return title, ()


def owner_or_maker(title: str, note: str) -> tuple[str, ...]:
    """Authors named in passing: "Jane Doe’s Title", or a note that opens with "Some Lab video on"."""
    return _owner(title) or _maker(note)


def is_person(text: str) -> bool:
    """Two or three words in mixed case that are not the vocabulary of titles."""
    words = text.split()
    return 2 <= len(words) <= 3 and all(_is_proper(word) and not word.isupper() for word in words)


def _owner(title: str) -> tuple[str, ...]:
    """The name in the possessive that opens a title: a person's, or anyone's right before "blog" or "notes"."""
    words = title.split()[: _MOST_WORDS + 1]
    for count, word in enumerate(words, start=1):
        bare = _POSSESSIVE.sub("", word)
        if not _is_proper(bare):
            return ()
        if bare != word:
            owner = " ".join([*words[: count - 1], bare])
            owns_series = " ".join(words[count : count + 1]).strip(".,;:").lower() in OWNED
            return (owner,) if is_person(owner) or owns_series else ()
    return ()


def _maker(note: str) -> tuple[str, ...]:
    """The names that open a note: "Some Lab post on …", "Jane Doe’s worklog"; two may be joined by a slash."""
    words = note.split()[: _MOST_WORDS + 3]
    end = next((at for at, word in enumerate(words) if not _is_proper(word.replace("/", ""))), len(words))
    if any(map(_POSSESSIVE.search, words[:end])):
        return _owner(note)
    made = len(words) > end + 1 and words[end].lower() in OWNED and words[end + 1] in PREPOSITIONS
    return tuple(" ".join(words[:end]).split("/")) if made and end else ()


def _byline(text: str) -> tuple[str, str]:
    """Cuts a line that starts with "by" after the names."""
    ends = [at for mark in (". ", " - ", " – ", " — ", ": ", ") ") if (at := text.find(mark)) > 0]
    end = min(ends, default=len(text))
    return text[:end].rstrip(".)"), text[end:].lstrip(".-–—:) ")


def _first_sentence(text: str) -> tuple[str, str]:
    """Cuts after the first full stop that does not follow an initial."""
    end = text.find(". ")
    while end > 0 and text[end - 1].isupper() and text[end - 2 : end - 1].isspace():
        end = text.find(". ", end + 1)
    return (text[:end], text[end + 2 :].strip()) if end > 0 else (text.removesuffix("."), "")


def _parts(slot: str) -> list[str]:
    text = slot.replace(" (", ", ").replace(")", "").replace(" / ", ", ").replace("; ", ", ")
    left, found, right = text.partition(" and ")
    if found and len(left.split()) > 1 and len(right.split()) > 1:
        text = f"{left}, {right}"
    return [part.removeprefix("and ").strip() for part in text.split(", ") if part.strip()]


def _is_name(part: str) -> bool:
    """A handle of one word, or a few words each with a capital or joining two names."""
    words = _SUFFIX.sub("", part).split()
    if part.lower() in _NOBODY or not 1 <= len(words) <= _MOST_WORDS:
        return part.lower() in _NOBODY
    if len(words) == 1:
        handle = words[0].removeprefix("@")
        return handle[:1].isalnum() and handle.lower() not in TITLE_WORDS
    named = [word for word in words if _has_capital(word)]
    small = [word for word in words if not _has_capital(word)]
    joins = all(word in NAME_PARTICLES or word in KINDS_OF_TEAM or word.isdigit() for word in small)
    return joins and any(word.lower() not in TITLE_WORDS for word in named)


def _is_proper(word: str) -> bool:
    letters = word.replace("-", "").replace(".", "").replace("'", "").replace("’", "")
    return letters.isalpha() and word[0].isupper() and word.lower() not in TITLE_WORDS


def _is_venue(part: str) -> bool:
    name, _, rest = part.partition(" ")
    return _VENUE.fullmatch(name) is not None and (not rest or rest[0].isdigit() or name == "Nature")


def _cleaned(part: str) -> str:
    name = _SUFFIX.sub("", part).strip()
    return "" if name.lower() in _NOBODY else name.removeprefix("@")


def _has_capital(word: str) -> bool:
    return any(char.isupper() for char in word)
