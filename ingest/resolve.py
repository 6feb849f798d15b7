"""Entity resolution: many mentions become one resource. In doubt, two stay two.

Mentions merge on surety alone: the same work by its address; or the same title, where at most one address bears it.
Parts, versions and forks differ in a number, a word or an address and so never meet.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graph import urls
from graph.models import Kind, Mention
from graph.names import resource_id
from ingest.people import author_label

DISTINCTIVE_WORDS = 2  # a title of one word may be anything
# Words that every series or site has: “Part 2” and “Getting started” name no work.
_COMMON = frozenset(
    "act and appendix blog blogs by chapter conclusion day docs documentation episode fig figure for getting guide "
    "home homepage in intro introduction lecture lectures lesson notes of on overview page paper part project readme "
    "release repo section session slides source started talk the to tutorial tutorials unit video volume website "
    "week with".split()
)


@dataclass(frozen=True, slots=True)
class Work:
    """One resource before it is linked: its key, its mentions in order, and what they agree on."""

    key: str
    mentions: tuple[Mention, ...]

    @property
    def id(self) -> str:
        """The same in every store and every run."""
        return resource_id(self.key)

    @property
    def title(self) -> str:
        """The title most lists use; among equals a linked mention's, then the first."""
        votes = Counter(title_key(m.title) for m in self.mentions)
        return max(self.mentions, key=lambda m: (votes[title_key(m.title)], m.url is not None)).title

    @property
    def urls(self) -> tuple[str, ...]:
        """All addresses, each once; the first mention's own address first."""
        own = [m.url for m in self.mentions if m.url]
        more = [url for m in self.mentions for url in m.extra_urls]
        return tuple({urls.key(url): url for url in reversed([*own, *more])}.values())[::-1]

    @property
    def kind(self) -> Kind:
        """The kind most mentions give; those with a link know better."""
        votes: Counter[Kind] = Counter()
        for mention in self.mentions:
            votes[mention.kind] += 2 if mention.url else 1
        return votes.most_common(1)[0][0]

    @property
    def authors(self) -> tuple[str, ...]:
        """Every author that any list names, spelled as first met."""
        return tuple(
            {a.lstrip("@").casefold(): a for m in reversed(self.mentions) for a in reversed(m.authors)}.values()
        )[::-1]


def resolve(mentions: Iterable[Mention]) -> list[Work]:
    """All works behind the mentions, in a stable order. The order of the mentions does not matter."""
    ordered = sorted(mentions, key=lambda m: (m.source, m.line, m.title, m.url or ""))
    linked: dict[str, list[Mention]] = defaultdict(list)
    unlinked: dict[str, list[Mention]] = defaultdict(list)
    for mention in ordered:
        if mention.url:
            linked[address_key(mention.title, mention.url)].append(mention)
        else:
            unlinked[_unlinked_key(mention)].append(mention)
    owners = _titles_of(linked)
    camps = {f"{key}{by}": camp for key, group in unlinked.items() for by, camp in _camps(group).items()}
    homes = {key: _home(key, camp, owners, linked) for key, camp in camps.items()}
    for key, camp in camps.items():
        linked[homes[key]] += camp
    return [Work(key, tuple(group)) for key, group in sorted(linked.items())]


def title_key(title: str) -> str:
    """A title without case, punctuation, spaces and leading article: what two curators would agree on."""
    words = _words(title)
    squeezed = " ".join(words[1:] if words[:1] in (["the"], ["a"], ["an"]) and len(words) > 1 else words)
    return re.sub(r"(?<!\d) | (?!\d)", "", squeezed)  # between numbers a space stays: 1.12 is not 11.2


def _words(title: str) -> list[str]:
    folded = re.sub(r"['’]s\b", "s", unicodedata.normalize("NFKC", title).casefold())
    return re.findall(r"[^\W_]+(?:\+\+|#)?", folded)


def address_key(title: str, url: str) -> str:
    """What an address names; on a site's front page the title too, since such links stand for many works."""
    address = urls.key(url)
    if urls.is_front_page(url) and not _names_site(title, address):
        return f"{address} {title_key(title)}"
    return address


def _names_site(title: str, address: str) -> bool:
    """Whether a title is the site's own name, as far as its address tells: “vLLM docs”, but not “vLLM: a Talk”."""
    site = title_key(address.split("/")[0])
    own = [word for word in _words(title) if len(word) > 3 and word in site]
    return title_key(title) in site or (bool(own) and all(word in _COMMON or word in own for word in _words(title)))


def _is_distinctive(title: str) -> bool:
    """Whether a title can only be one work's."""
    words = [word for word in _words(title) if word not in _COMMON and not word.isdigit()]
    return len(words) > 0 and len(_words(title)) >= DISTINCTIVE_WORDS


def _unlinked_key(mention: Mention) -> str:
    """The title; where that may mean something else elsewhere, the list and section too."""
    key = title_key(mention.title) or mention.title
    if _is_distinctive(mention.title):
        return f"title:{key}"
    return f"title:{key}:{mention.source}:{'/'.join(mention.section)}"


def _titles_of(linked: Mapping[str, Sequence[Mention]]) -> dict[str, set[str]]:
    """Title key -> the works that bear it."""
    owners: dict[str, set[str]] = defaultdict(set)
    for key, group in linked.items():
        for mention in group:
            owners[title_key(mention.title)].add(key)
    return owners


def _home(
    key: str, camp: Sequence[Mention], owners: Mapping[str, set[str]], linked: Mapping[str, Sequence[Mention]]
) -> str:
    """The one linked work with this title, unless its authors are others; or the camp's own key."""
    title = camp[0].title
    found = owners.get(title_key(title), set())
    if len(found) != 1 or not _is_distinctive(title):
        return key
    owner = next(iter(found))
    ours, theirs = _surnames(camp), _surnames(linked[owner])
    return key if ours and theirs and ours.isdisjoint(theirs) else owner


def _camps(group: Sequence[Mention]) -> dict[str, list[Mention]]:
    """Mentions of one title by what tells them apart: authors with none in common wrote different works."""
    camps: list[tuple[set[str], list[Mention]]] = []
    for mention in group:
        names = _surnames([mention])
        met = [camp for camp in camps if camp[0] == names or camp[0] & names]
        names = names.union(*(camp[0] for camp in met))
        members = [m for camp in met for m in camp[1]] + [mention]
        camps = [camp for camp in camps if camp not in met] + [(names, members)]
    if sum(1 for names, _ in camps if names) <= 1:
        return {"": list(group)}
    return {f":{min(names, default='')}": members for names, members in camps}


def _surnames(mentions: Iterable[Mention]) -> set[str]:
    """Last names of the people given as authors; handles and organisations tell nobody apart."""
    people = (a for m in mentions for a in m.authors if not a.startswith("@") and author_label(a) == "Person")
    return {_words(name)[-1] for name in people}
