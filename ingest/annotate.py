"""Which works the ontology knows: its annotations found again among what lists mention.

As in `ingest.resolve`, a work is recognised on surety alone: by its address, or by its title where not both have one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graph.models import Annotation
from ingest.resolve import Work, address_key, title_key


def key(annotation: Annotation) -> str:
    """What tells a work apart from all others: its address, else its title."""
    if annotation.url:
        return address_key(annotation.title, annotation.url)
    return f"title:{title_key(annotation.title)}"


@dataclass(frozen=True)
class Annotations:
    """Annotations by address, and by those titles that only one of them bears."""

    by_address: Mapping[str, Annotation]
    by_title: Mapping[str, Annotation]

    @classmethod
    def of(cls, annotations: Iterable[Annotation]) -> Annotations:
        """All that there are."""
        some = [(title_key(one.title), one) for one in annotations]
        bearers = Counter(title for title, _ in some)
        return cls(
            {key(one): one for _, one in some if one.url},
            {title: one for title, one in some if bearers[title] == 1},
        )

    def of_work(self, work: Work) -> Annotation | None:
        """The annotation of a work, if there is one."""
        return self.by_address.get(work.key) or self._titled(work)

    def _titled(self, work: Work) -> Annotation | None:
        for title in dict.fromkeys(title_key(mention.title) for mention in work.mentions):
            found = self.by_title.get(title)
            if found and not (found.url and work.urls):
                return found
        return None
