"""Entity resolution: what is one work, what stays two."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.models import Mention
from ingest.resolve import Work, resolve, title_key

CASES = Path(__file__).parent.parent / "cases" / "titles.txt"
TITLES = (
    "Tiles by Hand",
    "tiles by hand",
    "Tiles by Hand, Part 1",
    "Tiles by Hand, Part 2",
    "Overlap",
    "Lecture 1",
    "🔥",
    "",
)
ADDRESSES = (None, None, "https://a.org/1", "http://www.a.org/1/", "https://a.org/2", "https://a.org", "http://[")
AUTHORS = ((), (), ("Jane Doe",), ("J. Doe", "Max Power"), ("Max Power",), ("Some Lab",), ("@jane",))
mentions = st.builds(
    Mention,
    source=st.sampled_from(["one.md", "two.txt"]),
    line=st.integers(1, 9),
    title=st.sampled_from(TITLES),
    url=st.sampled_from(ADDRESSES),
    authors=st.sampled_from(AUTHORS),
)


def cases(section: str) -> list[list[str]]:
    """The pairs of lines of one section of the cases."""
    text = CASES.read_text(encoding="utf-8").split(f"== {section}\n")[1].split("\n== ")[0]
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("# "))
    return [pair.splitlines() for pair in lines.strip().split("\n\n")]


def mention(text: str, source: str = "one.md", line: int = 1) -> Mention:
    """A mention from a line of the cases: title | address | author."""
    title, url, author = (part.strip() for part in f"{text} | |".split("|")[:3])
    return Mention(source=source, line=line, title=title, url=url or None, authors=(author,) if author else ())


def resolved(pair: list[str]) -> list[Work]:
    """What two mentions of two lists become."""
    return resolve([mention(pair[0], "one.md"), mention(pair[1], "two.txt")])


@pytest.mark.parametrize("pair", cases("one work"), ids=" / ".join)
def test_mentions_of_one_work_become_one(pair: list[str]) -> None:
    """By its address, or by a title that only one work bears."""
    assert len(resolved(pair)) == 1


@pytest.mark.parametrize("pair", cases("two works"), ids=" / ".join)
def test_parts_versions_forks_and_look_alikes_stay_two(pair: list[str]) -> None:
    """In doubt, two stay two."""
    assert len(resolved(pair)) == 2


@given(st.lists(mentions, max_size=10), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_mentions_does_not_matter(found: list[Mention], random: Random) -> None:
    """Lists may be ingested in any order."""
    shuffled = list(found)
    random.shuffle(shuffled)

    assert [(w.id, w.title, w.urls, w.kind) for w in resolve(found)] == [
        (w.id, w.title, w.urls, w.kind) for w in resolve(shuffled)
    ]


@given(st.lists(mentions, max_size=10))
@settings(max_examples=60)
def test_no_mention_is_lost_or_doubled_and_no_two_works_share_an_id(found: list[Mention]) -> None:
    """Every mention belongs to exactly one work."""
    works = resolve(found)

    assert sorted(m.model_dump_json() for w in works for m in w.mentions) == sorted(m.model_dump_json() for m in found)
    assert len({work.id for work in works}) == len(works)


@given(st.lists(mentions, max_size=10), mentions)
@settings(max_examples=60)
def test_an_address_alone_decides_where_a_linked_mention_belongs(found: list[Mention], more: Mention) -> None:
    """A further mention never tears apart nor joins works with addresses of their own."""
    before = {w.key: {m.url for m in w.mentions} - {None} for w in resolve(found)}
    after = {w.key: {m.url for m in w.mentions} - {None} for w in resolve([*found, more])}

    assert all(addresses <= after[key] for key, addresses in before.items() if addresses)


def test_a_title_that_two_addresses_bear_joins_neither() -> None:
    """Which one was meant cannot be known."""
    works = resolve(
        mention(text, line=line)
        for line, text in enumerate(
            ["Mini Tiles | https://a.org/1", "Mini Tiles | https://a.org/2", "Mini Tiles"],
            1,
        )
    )

    assert [len(work.mentions) for work in works] == [1, 1, 1]


def test_one_title_by_two_people_leaves_a_third_mention_without_a_name_alone() -> None:
    """It may be either's, so it is nobody's."""
    texts = ["Warps at Rest | | Jane Doe", "Warps at Rest | | Max Power", "Warps at Rest"]

    assert len(resolve(mention(text, line=line) for line, text in enumerate(texts, 1))) == 3


def test_a_chain_of_shared_authors_is_one_work() -> None:
    """Lists name different ones of a paper's authors."""
    found = [
        Mention(source="one.md", line=line, title="Warps at Rest", authors=authors)
        for line, authors in enumerate([("Jane Doe",), ("Max Power",), ("Jane Doe", "Max Power")], 1)
    ]

    assert len(resolve(found)) == 1


def test_a_work_takes_the_title_most_lists_use_and_all_addresses_once() -> None:
    """Among equals a linked mention's, and the first mention's address first."""
    found = [
        Mention(source="a", line=1, title="FA", url="https://arxiv.org/abs/2205.14135", kind="other"),
        Mention(source="b", line=1, title="Flash!", url="https://arxiv.org/pdf/2205.14135v2", kind="paper"),
        Mention(source="c", line=1, title="flash", url="http://arxiv.org/abs/2205.14135", kind="paper"),
    ]
    (work,) = resolve(found)

    assert work.title == "Flash!"
    assert work.kind == "paper"
    assert work.urls == ("https://arxiv.org/abs/2205.14135",)


def test_an_id_depends_on_the_key_alone() -> None:
    """The same in both stores, in every run and on every machine."""
    (work,) = resolve([mention("Tiles | https://arxiv.org/abs/2205.14135")])

    assert work.key == "arxiv:2205.14135"
    assert work.id == "1917a529-beea-5b31-9d48-7c3fb8042c28"


def test_a_megabyte_of_title_is_folded_in_one_pass() -> None:
    """Steps that went over the text again and again would take hours here."""
    for junk in ("a ", "1 ", " ", "’s", "🔥", "＿", "++"):
        assert isinstance(title_key(junk * 500_000), str)
