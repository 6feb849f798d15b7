"""Lists told as a story in numbered acts, with prose and definitions among the works.

    Act 1: Memory
    - Register: the closest storage.
    Resources
    - Some Article - why registers matter.

The works of an act stand below a line such as "Resources"; bullets above that line define things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ingest.readers.base import Reading, Text
from ingest.readers.mentions import Item, mentions_of
from ingest.readers.outline import Outline
from ingest.readers.plain_text import Line, body, classify
from ingest.readers.works import find_works, split_urls

_ACTS = "act|chapter|episode|lesson|level|module|part|phase|stage|step|unit|week"
_ACT = re.compile(rf"(?:{_ACTS}) \d", re.IGNORECASE)
_WORKS = (
    "articles|blogs|books|courses|lectures|links|materials?|papers|readings?|references|resources|sources|videos|"
    "watching"
)
_ANNOUNCEMENT = re.compile(rf"(?:[\w-]+ )?(?:[\w-]+ )?(?:{_WORKS})(?: list)?:?$", re.IGNORECASE)


@dataclass
class _Act:
    """The bullets of one act: those below an announcement of works, and those before it."""

    announced: bool = False
    works: list[Item] = field(default_factory=list)
    others: list[Item] = field(default_factory=list)

    def take(self, line: Line, outline: Outline) -> None:
        """Adds a bullet. Where nothing is announced only a link or "title - note" makes it a work."""
        item = Item(line.number, outline.place(), find_works(list(split_urls(line.text))))
        if self.announced:
            self.works.append(item)
        elif " - " in line.text or "://" in line.text:
            self.others.append(item)

    @property
    def items(self) -> list[Item]:
        """The works: the announced ones, or in an act without announcement whatever looks like a work."""
        return self.works if self.announced else self.others


class ActsReader:
    """Reads plain-text lists in acts."""

    name = "acts"

    def recognise(self, text: Text) -> float:
        """Sure once there are two acts and a line that announces works."""
        headings = [line.text for line in classify(text) if line.role == "heading"]
        acts = sum(_ACT.match(heading) is not None for heading in headings)
        return 0.8 if acts >= 2 and any(map(_ANNOUNCEMENT.match, headings)) else 0.0

    def read(self, text: Text) -> Reading:
        """The works of all acts; a heading that neither announces works nor ends with a colon starts an act."""
        outline, acts = Outline(), [_Act()]
        for line in body(text):
            if line.role == "heading":
                announces = _ANNOUNCEMENT.match(line.text) is not None
                if not announces and not line.ends_with_colon:
                    acts.append(_Act())
                acts[-1].announced |= announces
                outline.enter(2 if announces or line.ends_with_colon else 1, line.text)
            elif line.role == "bullet" and not outline.place().is_about_the_list:
                acts[-1].take(line, outline)
        return Reading(tuple(m for act in acts for item in act.items for m in mentions_of(text.source, item)))
