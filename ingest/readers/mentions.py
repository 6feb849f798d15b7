"""From a work, and the place where it stands, to a mention."""

from __future__ import annotations

from dataclasses import dataclass, field

from graph.models import Mention
from ingest.readers.kinds import guess_kind
from ingest.readers.names import is_person, owner_or_maker, split_author_slot, split_title_credit
from ingest.readers.outline import Place
from ingest.readers.works import Work


@dataclass
class Item:
    """A list item on its way: `line` counts from 1, `remarks` are lines below it that speak about it."""

    line: int
    place: Place
    works: list[Work]
    remarks: list[str] = field(default_factory=list)
    ticked: bool | None = None


def mentions_of(source: str, item: Item) -> list[Mention]:
    """One mention for each work of the item."""
    return [_mention(source, item, work) for work in item.works]


def _mention(source: str, item: Item, work: Work) -> Mention:
    title, authors, note = _credits(work, item.remarks)
    url = work.urls[0] if work.urls else None
    status = item.place.status or ("to_read" if item.ticked is False else None)
    said = " ".join((work.description, *item.remarks))
    kind = guess_kind(url, title, said, item.place.section)
    return Mention(
        source=source,
        line=item.line,
        title=title,
        url=url,
        extra_urls=work.urls[1:],
        authors=authors,
        kind="kernel" if status == "to_implement" and not url else kind,
        section=item.place.section,
        tier=item.place.tier,
        status=status,
        note=note,
    )


def _credits(work: Work, remarks: list[str]) -> tuple[str, tuple[str, ...], str]:
    """Title, authors and note: the authors are taken from wherever the item names them."""
    authors, note = split_author_slot(work.description)
    note = " ".join(filter(None, (note, *remarks)))
    if not authors and is_person(work.lead):
        authors = (work.lead,)
    # A linked title is the work's own; words without a link may say who made it.
    title, credited = (work.title, ()) if work.urls else split_title_credit(work.title)
    return title, authors or credited or owner_or_maker(title, note), note
