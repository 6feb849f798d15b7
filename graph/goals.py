"""What a learner asks for, in the graph's own terms: goals to topics, names of hardware and of what is known."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from graph.aliases import Match
from graph.closure import closure
from graph.curriculum import Curriculum
from graph.errors import NothingCovered, UnknownName
from graph.head_words import LEVELS

CENTRAL = 0.9  # relevance from which a goal is about a topic, whatever it names
MEANT = 0.55  # relevance from which a topic is meant by a goal that names none
MOST_MEANT = 2  # targets that may be guessed
SPELLED = 0.6  # part of the highest relevance from which a topic is meant whose words stand in the goal in any order
HEADED = 0.8  # the same for one of several topics that a goal may call by their head word
NEAREST = 5
NEAR = 20  # the most relevant topics, among which one may be meant by its head word
AREA = 5  # parts from which a topic that is part of nothing is a whole area


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal understood: what to reach and on which hardware."""

    targets: tuple[str, ...]
    hardware: str | None


def understand(
    curriculum: Curriculum,
    text: str,
    relevance: Mapping[str, float],
    *,
    hardware: str | None,
    known: Iterable[str],
    answered: bool = True,
) -> Goal:
    """Targets and hardware of a goal in words; `relevance` is how much each topic has to do with it, `answered` whether
    a search for it finds anything.

    Raises:
        NothingCovered: no topic is named and none is near in meaning.
        UnknownName: the hardware asked for is not in the graph.
    """
    device = hardware_of(curriculum, text, hardware)
    known = set(known)
    nearest = sorted(relevance.items(), key=lambda pair: (-pair[1], pair[0]))[:NEAR]
    wanted = _wanted(curriculum, text, nearest, answered)
    targets = [slug for slug in wanted if slug not in known] or wanted
    if device:
        targets = [slug for slug in targets if curriculum.serves(slug, device)] or targets
    if not targets:
        raise NothingCovered(text, [curriculum.topics[slug].name for slug, _ in nearest[:NEAREST]])
    if device:
        targets += [slug for slug in _close_to_the_metal(curriculum, targets, device, known) if slug not in targets]
    return Goal(tuple(targets), device)


def _close_to_the_metal(
    curriculum: Curriculum, targets: Sequence[str], device: str, known: Collection[str]
) -> list[str]:
    """The topics that explain a device, where the targets build on most of what these build on: who writes a kernel
    must know the chip, who serves a model on it need not. With them come the chip's own kinds of what the targets build
    on, and a known language as it is on this chip."""
    explained_by = curriculum.explained_by(device)
    others = [slug for slug in targets if slug not in explained_by]  # to name a chip is not to write for it
    needed = closure(curriculum, others, ())[0]
    at_hand = needed | closure(curriculum, known, ())[0]
    explaining = []
    for slug in explained_by:
        below = closure(curriculum, [slug], ())[0] - {slug}
        if 2 * len(below & at_hand) >= len(below):
            explaining.append(slug)
    if not explaining:
        return []
    own = [slug for slug in sorted(curriculum.features(device)) if _is_own_kind(curriculum, slug, needed)]
    spoken = _spoken_there(curriculum, device, {*at_hand, *explaining})
    return [slug for slug in dict.fromkeys([*explaining, *own, *spoken]) if slug not in known]


def _is_own_kind(curriculum: Curriculum, feature: str, needed: Set[str]) -> bool:
    """Whether a feature that not all hardware has is a kind of something needed; that all belong to one area says
    nothing."""
    broader = curriculum.above(feature)[:-1]
    return bool(curriculum.topics[feature].hardware) and not needed.isdisjoint(broader)


def _spoken_there(curriculum: Curriculum, device: str, at_hand: Collection[str]) -> list[str]:
    """What the device's vendor is programmed in, if all that it takes is at hand."""
    topics = (topic for node in curriculum.lineage(device)[1:] for topic in curriculum.hardware[node].topics)
    return [topic for topic in topics if topic not in at_hand and {*curriculum.topics[topic].requires} <= {*at_hand}]


def _wanted(curriculum: Curriculum, text: str, nearest: Sequence[tuple[str, float]], answered: bool) -> list[str]:
    """Topics that a goal names, and what it is surely about; where it names none, what it is probably about."""
    relevance = dict(nearest)
    names = curriculum.topic_names.find(text, by_case=False, nested=True)
    outside = " ".join(_around(text, names))
    indirect = [*_spelled_out(curriculum, text, relevance), *_headed(curriculum, outside, relevance)]
    named = list(dict.fromkeys([*(match.slug for match in names), *indirect]))
    if not named:
        return [slug for slug, weight in nearest[:MOST_MEANT] if weight >= MEANT] if answered else []
    central = [slug for slug, weight in nearest[:1] if weight >= CENTRAL and slug not in named]
    within = [slug for slug in named if not _is_area(curriculum, slug)]  # a whole area says little beside a topic
    return [*(within or named), *central] if within or not central else central


def _spelled_out(curriculum: Curriculum, text: str, relevance: Mapping[str, float]) -> list[str]:
    """Topics near the goal whose words it holds in another order or form."""
    floor = SPELLED * max(relevance.values(), default=0.0)
    spelled = curriculum.topic_words.spelled_out(text)
    return [slug for slug, value in relevance.items() if slug in spelled and value >= floor]


def _headed(curriculum: Curriculum, outside: str, relevance: Mapping[str, float]) -> list[str]:
    """Topics that the words outside of names call by their head word alone; of several the most relevant, if it is
    hardly less so than the nearest of all. `relevance` holds the topics near the goal."""
    floor = max(MEANT, HEADED * max(relevance.values(), default=0.0))
    found = []
    for topics in curriculum.head_words.find(outside):
        best = max(topics, key=lambda slug: relevance.get(slug, 0.0))
        if best in relevance and (len(topics) == 1 or relevance[best] >= floor):
            found.append(best)
    return found


def _around(text: str, matches: Iterable[Match]) -> Iterator[str]:
    """The parts of a text that no match holds; matches may stand within others, behind them."""
    at = 0
    for match in matches:
        yield text[at : match.start]
        at = max(at, match.end)
    yield text[at:]


def _is_area(curriculum: Curriculum, slug: str) -> bool:
    return not curriculum.topics[slug].parent and len(curriculum.children(slug)) >= AREA


def hardware_of(curriculum: Curriculum, text: str, asked: str | None) -> str | None:
    """Slug of the hardware asked for, or else of the one that a goal names.

    Raises:
        UnknownName: what was asked for is not in the graph.
    """
    return find_hardware(curriculum, asked) if asked else _named_hardware(curriculum, text)


def without_hardware(curriculum: Curriculum, text: str) -> str:
    """A goal without the hardware it names: that is planned around, and is not what the goal is about."""
    return "".join(_around(text, curriculum.hardware_in_prose.find(text, by_case=False))).strip() or text


def find_topic(curriculum: Curriculum, name: str) -> str:
    """Slug of a topic by slug, name or alias, in any case; words such as “basics” do not count.

    Raises:
        UnknownName: with the nearest names.
    """
    bare = " ".join(word for word in name.replace("-", " ").split() if word.casefold() not in LEVELS)
    for form in (name, bare):
        if form and (slug := curriculum.topic_names.get(form)):
            return slug
    found = curriculum.topic_names.find(bare, by_case=False)
    if len(found) == 1 and found[0].end - found[0].start >= len(bare) * 0.6:
        return found[0].slug
    if slug := _begins_with(curriculum, bare):
        return slug
    raise UnknownName("topic", name, _nearest(name, curriculum.topics))


def _begins_with(curriculum: Curriculum, name: str) -> str | None:
    """The easiest topic whose slug begins with all words of a name: “transformers” is transformer-architecture."""
    wanted = [word.removesuffix("s") for word in name.casefold().split()]
    found = [
        slug
        for slug in curriculum.topics
        if wanted and [part.removesuffix("s") for part in slug.split("-")][: len(wanted)] == wanted
    ]
    return min(found, key=lambda slug: (curriculum.topics[slug].level, slug), default=None)


def find_hardware(curriculum: Curriculum, name: str) -> str:
    """Slug of a piece of hardware by slug, name or alias, in any case.

    Raises:
        UnknownName: with the nearest names.
    """
    if slug := curriculum.hardware_names.get(name):
        return slug
    if found := _named_hardware(curriculum, name):
        return found
    raise UnknownName("hardware", name, _nearest(name, curriculum.hardware))


def find_kernel(curriculum: Curriculum, name: str) -> str:
    """Slug of a reference kernel by slug, title or alias, in any case.

    Raises:
        UnknownName: with the nearest names.
    """
    if slug := curriculum.kernel_names.get(name):
        return slug
    raise UnknownName("kernel", name, _nearest(name, curriculum.kernels))


def find_known(curriculum: Curriculum, names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Topics that a learner knows, and a warning for each name that names none."""
    known, warnings = [], []
    for name in dict.fromkeys(part.strip() for entry in names for part in entry.split(",")):
        if not name:
            continue
        try:
            slug = find_topic(curriculum, name)
            known.append(slug)
            if curriculum.topic_names.get(name) is None:
                warnings.append(f"“{name}” is taken for {curriculum.topics[slug].name}.")
        except UnknownName as error:
            warnings.append(f"{error.message} It is ignored. {error.hint}".strip())
    return known, warnings


def _named_hardware(curriculum: Curriculum, text: str) -> str | None:
    """The most specific hardware that a text names. A bare company's name (“how Meta trains”) names none."""
    found = [match.slug for match in curriculum.hardware_in_prose.find(text, by_case=False)]
    return max(found, key=lambda slug: len(curriculum.lineage(slug)), default=None)


def _nearest(name: str, slugs: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(name.casefold().replace(" ", "-"), list(slugs), n=3, cutoff=0.5)
