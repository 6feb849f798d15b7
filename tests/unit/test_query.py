"""The query language: what is a condition, what is a word, and what their values may be."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph import conditions
from graph.conditions import Names, settle
from graph.curriculum import Curriculum
from graph.errors import BadRequest, UnknownName
from graph.lexical import phrase
from graph.models import Conditions
from graph.ports import Filters
from graph.query import Condition, parse
from tests import fakes

SHIPPED = fakes.vocabulary()
CURRICULUM = Curriculum(SHIPPED.topics, SHIPPED.hardware)
HELD = {"author": ["simon-boehm", "tri-dao", "mark-saroufim", "mark-harris"], "source": ["gpu-acts.txt", "guide.md"]}
NAMES = Names(CURRICULUM, HELD.__getitem__)


def read(text: str) -> tuple[str, list[str]]:
    """The words of a query and its conditions as they are written."""
    query = parse(text)
    return query.words, list(map(str, query.conditions))


def settled(text: str) -> list[str]:
    return list(map(str, settle(parse(text).conditions, NAMES)))


def narrowed(text: str) -> Filters:
    return conditions.filters(settle(parse(text).conditions, NAMES), CURRICULUM)


@pytest.mark.parametrize(
    ("text", "words", "written"),
    [
        ("tiles kind:video of gemm", "tiles of gemm", ["kind:video"]),
        ("kind:video kind:paper", "", ["kind:video", "kind:paper"]),
        ("tier:<=2 hw:hopper by:x", "", ["tier:<=2", "hardware:hopper", "author:x"]),
        ("KIND:Video", "", ["kind:Video"]),
        ("-author:x -kind:blog gemm", "gemm", ["-author:x", "-kind:blog"]),
        ('by:"Simon Boehm" gemm', "gemm", ['author:"Simon Boehm"']),
        ('the "memory wall" again', "the memory wall again", ['"memory wall"']),
        ("“memory wall”, again", "memory wall again", ['"memory wall"']),
        ("gemm -training", "gemm", ["-training"]),
        ('gemm -"fine tuning"', "gemm", ['-"fine tuning"']),
        ("videos on kind:video, please", "videos on please", ["kind:video"]),
    ],
)
def test_a_condition_is_a_name_a_colon_and_a_value(text: str, words: str, written: list[str]) -> None:
    """So are quotes and words with a minus; other words are searched for, those of wanted phrases too."""
    assert read(text) == (words, written)


@pytest.mark.parametrize(
    "text",
    [
        "note: x",
        "kind: video",
        "std::vector in cutlass::gemm",
        "https://example.org/a?b=c",
        "at 12:30",
        "type:video",
        "kind://x",
        "A-B with --flag and -arch=sm_90 at -1 - ok",
        '"" or "!!"',
        "🔥 日本語",
    ],
)
def test_what_is_plainly_prose_is_words(text: str) -> None:
    """No condition is seen where none was meant."""
    assert read(text) == (text, [])


@pytest.mark.parametrize("text", ['a "b c', 'a" b', 'kind:"video', '-"x'])
def test_a_quote_that_is_not_closed_is_no_phrase(text: str) -> None:
    """Its words count one by one."""
    words, written = read(text)

    assert written == []
    assert words.replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(("text", "meant"), [("knd:video", "kind"), ("auhtor:x", "author"), ("sources:x", "source")])
def test_a_slip_in_a_name_is_told(text: str, meant: str) -> None:
    """It would change what is found without a word."""
    with pytest.raises(UnknownName) as told:
        parse(text)

    assert told.value.nearest == (meant,)


@given(st.text(st.sampled_from('a ":-“\\x1.'), max_size=60))
def test_any_signs_are_a_query(text: str) -> None:
    """However quotes, colons and dashes stand, no word of it is lost but those that are not wanted."""
    query = parse(text)

    assert set(phrase(text).split()) == set(phrase(" ".join(map(str, query.parts))).split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind:Videos", "kind:video"),
        ("tier:1", "tier:1"),
        ("tier:=1", "tier:1"),
        ("tier:<3", "tier:<=2"),
        ("tier:>1", "tier:>=2"),
        ("tier:1-2", "tier:1-2"),
        ("tier:1..2", "tier:1-2"),
        ("topic:GEMM", "topic:matmul"),
        ("hw:H100", "hardware:h100"),
        ('by:"Tri Dao"', "author:tri-dao"),
        ("by:boehm", "author:simon-boehm"),
        ("source:acts", "source:gpu-acts.txt"),
        ("status:to-read", "status:to_read"),
        ("-by:dao", "-author:tri-dao"),
    ],
)
def test_a_value_is_told_as_the_store_has_it(text: str, expected: str) -> None:
    """People need not know slugs, nor a whole name where a part of it is enough."""
    assert settled(text) == [expected]


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("kind:vedio", ["video"]),
        ("by:mark", ["mark-harris", "mark-saroufim"]),
        ("by:simn-boehm", ["simon-boehm"]),
        ("source:gide", ["guide.md"]),
        ("topic:tilng", ["tiling"]),
    ],
)
def test_a_value_that_names_nothing_is_told_with_what_comes_near(text: str, nearest: list[str]) -> None:
    """So are two that it may name."""
    with pytest.raises(UnknownName) as told:
        settled(text)

    assert list(told.value.nearest[: len(nearest)]) == nearest


@pytest.mark.parametrize("text", ["tier:x", "tier:-1", "tier:1.5", "tier:99999", "tier:<"])
def test_a_tier_is_a_number(text: str) -> None:
    """The message shows what may stand there."""
    with pytest.raises(BadRequest) as told:
        settled(text)

    assert "tier:<=2" in told.value.hint


def test_a_query_takes_no_more_conditions_than_a_person_writes() -> None:
    """Each costs a look into the index."""
    with pytest.raises(BadRequest, match="at most 50"):
        parse("-tile " * 51)


def test_values_of_one_name_are_alternatives_and_tiers_all_hold() -> None:
    """As with the fields of a request."""
    wanted = narrowed("kind:video kind:paper tier:>1 tier:<=3 tier:<9")

    assert wanted == Filters(kind=("video", "paper"), min_tier=2, max_tier=3)


def test_a_topic_brings_those_below_it_and_hardware_what_it_runs() -> None:
    """WGMMA is matmul, and what is for all of Hopper serves an H100."""
    assert narrowed("topic:matmul").topic == ("matmul", "wgmma")
    assert narrowed("hw:h100").hardware == ("h100", "hopper", "nvidia")


def test_what_is_not_wanted_is_left_out_one_by_one() -> None:
    """Hardware is left out with what belongs to it, not with what it belongs to."""
    without = narrowed("-hw:hopper -kind:blog -kind:paper -fp8_e4m3").without

    assert without == (
        Filters(made_for=("h100", "hopper")),
        Filters(kind=("blog",)),
        Filters(kind=("paper",)),
        Filters(phrases=("fp8 e4m3",)),
    )


def test_a_request_says_the_same_with_its_fields() -> None:
    """Both ways end in one form."""
    request = Conditions(kind=("video",), hardware="H100", max_tier=2, topic=("GEMM",), author=("Tri Dao",))
    same = 'kind:video hw:H100 tier:<=2 topic:GEMM by:"Tri Dao"'

    assert set(settle(conditions.of_request(request), NAMES)) == set(settle(parse(same).conditions, NAMES))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [*product(["kind", "tier", "hardware", "topic", "author", "source", "phrase"], [True, False])],
)
def test_a_condition_reads_as_it_is_written(name: str, wanted: bool) -> None:
    """What an answer tells of a query can be asked again."""
    condition = Condition(name, "two words" if name in ("author", "phrase") else "2", wanted)

    assert parse(str(condition)).conditions == (condition,)
