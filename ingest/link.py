"""Entity linking: what a text speaks of. What the ontology knows of a work comes first, then exact names; likeness in
meaning only where no name is found.

Every link says why and where: the words that were matched, the list and the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from operator import itemgetter

from graph import urls
from graph.aliases import AliasIndex
from graph.models import Annotation, DevlogEntry, Link, Mention
from ingest.ontology import Ontology
from ingest.resolve import Work

# How sure a name makes us, by where it stands. A title says what a work is about; a section says it of its neighbours.
CONFIDENCE = {"title": 1.0, "note": 0.8, "address": 0.7, "section": 0.5}
TEACHES, TOUCHES = 1.0, 0.6  # the same of what a work is known to teach, or to touch
SURE = 0.7  # a name found where it tells this much needs no likeness beside it
ALIKE = 0.5  # cosine from which two texts may be about one thing
NEAREST_OF_ALL = 0.68  # the same for a topic that no work names: among many works the nearest is near by chance
MOST_ALIKE = 2  # links by likeness that a work or topic may get


@dataclass(frozen=True)
class Linker:
    """Finds the ontology's names in texts."""

    ontology: Ontology

    def topics(self, work: Work, annotation: Annotation | None = None) -> list[Link]:
        """Topics that a work is known to teach or touch; of a work of which nothing is known, those that it names.
        Surest first."""
        if annotation:
            return _best(self._known(annotation))
        return _best(self._named(work.mentions, self.topic_names, self._topic_titles))

    def _known(self, annotation: Annotation) -> Iterator[Link]:
        for verb, slugs, confidence in (
            ("teaches", annotation.teaches, TEACHES),
            ("touches", annotation.touches, TOUCHES),
        ):
            for slug in slugs:
                yield Link(
                    slug=slug, name=self._topic_titles[slug], reason=f"{verb} it",
                    confidence=confidence, source=annotation.source, line=annotation.line,
                )  # fmt: skip

    def hardware(self, work: Work, topics: Iterable[Link]) -> list[Link]:
        """Hardware that a work names, and hardware that one of its topics exists on alone."""
        named = [
            link
            for link in self._named(work.mentions, self.hardware_names, self._hardware_titles)
            if link.confidence > CONFIDENCE["section"]
        ]
        return _best(self._with_implied(named, topics))

    def entry(self, entry: DevlogEntry) -> tuple[list[Link], list[Link]]:
        """Topics and hardware that a devlog post names."""
        place = (entry.source, entry.line)
        topics = _best(_links(entry.text, "note", place, self.topic_names, self._topic_titles))
        named = list(_links(entry.text, "note", place, self.hardware_names, self._hardware_titles))
        return topics, _best(self._with_implied(named, topics))

    def topics_of_all(
        self,
        works: Sequence[Work],
        likeness: Mapping[str, Mapping[str, float]],
        annotations: Mapping[str, Annotation],
    ) -> list[tuple[Work, list[Link]]]:
        """Topics of every work; `annotations` are those with topics, by the id of a work. Where nothing is known and
        names do not help, likeness does (of each work to each topic): works that name no topic get the nearest ones,
        and topics of no work get the nearest works."""
        linked = {work.id: (work, self.topics(work, annotations.get(work.id))) for work in works}
        unknown = [work.id for work in works if work.id not in annotations]
        for id in unknown:
            work, links = linked[id]
            if not any(link.confidence >= SURE for link in links):
                nearest = nlargest(MOST_ALIKE, likeness[id].items(), key=itemgetter(1))
                links += self._alike(work, links, nearest)
        taught = {link.slug for _, links in linked.values() for link in links if link.confidence >= SURE}
        for slug in sorted(self.ontology.topics.keys() - taught):
            for id, cosine in nlargest(MOST_ALIKE, ((id, likeness[id][slug]) for id in unknown), key=itemgetter(1)):
                work, links = linked[id]
                links += self._alike(work, links, [(slug, cosine)] if cosine >= NEAREST_OF_ALL else ())
        return list(linked.values())

    def _alike(self, work: Work, links: Sequence[Link], near: Iterable[tuple[str, float]]) -> list[Link]:
        """Links to topics that are near in meaning and not yet among the links."""
        there = {link.slug for link in links}
        first = work.mentions[0]
        return [
            Link(
                slug=slug,
                name=self.ontology.topics[slug].name,
                reason=f"close in meaning ({cosine:.2f})",
                confidence=round(min(cosine, 1.0), 3),
                source=first.source,
                line=first.line,
            )
            for slug, cosine in near
            if cosine >= ALIKE and slug not in there
        ]

    def _named(self, mentions: Iterable[Mention], names: AliasIndex, titles: Mapping[str, str]) -> Iterator[Link]:
        for mention in mentions:
            place = (mention.source, mention.line)
            yield from _links(mention.title, "title", place, names, titles)
            yield from _links(mention.note, "note", place, names, titles)
            yield from _links(urls.path_words(mention.url or ""), "address", place, names, titles)
            yield from _links(" / ".join(mention.section), "section", place, names, titles)

    def _with_implied(self, named: Sequence[Link], topics: Iterable[Link]) -> list[Link]:
        """What is named, and what topics imply; a title that names a chip says more than a topic that is any chip's of
        the vendor."""
        sure = [link.slug for link in named if link.confidence == CONFIDENCE["title"]]
        above = {parent for slug in sure for parent in self._above(slug)}
        return [*named, *(link for link in self._implied(topics) if link.slug not in above)]

    def _above(self, slug: str) -> Iterator[str]:
        for parent in self.ontology.hardware[slug].parents:
            yield parent
            yield from self._above(parent)

    def _implied(self, topics: Iterable[Link]) -> Iterator[Link]:
        for link in topics:
            for slug in self.ontology.topics[link.slug].hardware:
                name = self.ontology.hardware[slug].name
                yield link.model_copy(
                    update={"slug": slug, "name": name, "reason": f"{link.name} exists on {name} only"}
                )

    @cached_property
    def topic_names(self) -> AliasIndex:
        """What topics are called."""
        return AliasIndex({t.slug: (t.name, t.slug, *t.aliases) for t in self.ontology.topics.values()})

    @cached_property
    def hardware_names(self) -> AliasIndex:
        """A bare company name is no hardware (“Google”, “Meta”); what the data file lists is."""
        nodes = self.ontology.hardware.values()
        return AliasIndex({h.slug: h.aliases if h.kind == "vendor" else (h.name, *h.aliases) for h in nodes})

    @cached_property
    def _topic_titles(self) -> Mapping[str, str]:
        return {t.slug: t.name for t in self.ontology.topics.values()}

    @cached_property
    def _hardware_titles(self) -> Mapping[str, str]:
        return {h.slug: h.name for h in self.ontology.hardware.values()}


def _links(
    text: str, where: str, place: tuple[str, int], names: AliasIndex, titles: Mapping[str, str]
) -> Iterator[Link]:
    for match in names.find(text, by_case=where != "address"):
        yield Link(
            slug=match.slug, name=titles[match.slug], reason=f"{where}: “{match.text}”",
            confidence=CONFIDENCE[where], source=place[0], line=place[1],
        )  # fmt: skip


def _best(links: Iterable[Link]) -> list[Link]:
    """Of several links to one thing the surest; all in order of sureness."""
    best: dict[str, Link] = {}
    for link in links:
        if link.slug not in best or link.confidence > best[link.slug].confidence:
            best[link.slug] = link
    return sorted(best.values(), key=lambda link: (-link.confidence, link.slug))
