"""What every search index promises. One suite; a new adapter is one more parameter of `open_index`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graph.ports import Filters, Point, Scored, Sparse, VectorQuery, VectorStore
from graph.stores.qdrant_points import LAYOUT

DIMENSION = 4
NOTHING = Sparse((), ())
PAYLOAD: dict[str, object] = {
    "kind": "blog",
    "tier": None,
    "hardware": [],
    "topic": [],
    "author": [],
    "source": [],
    "status": [],
    "by": [],
    "text": "",
}

Open = Callable[[int], VectorStore]


@pytest.fixture(params=["edge", "qdrant"])
def open_index(request: pytest.FixtureRequest) -> Open:
    """Opens one index, which is empty at first, by the dimension of its vectors; close it to open it again."""
    opened: Open = request.getfixturevalue(f"open_{request.param}")
    return opened


@pytest.fixture
def index(open_index: Open) -> Iterator[VectorStore]:
    with closing(open_index(DIMENSION)) as opened:
        yield opened


def unit(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    row = np.array(values, np.float32)
    return row / np.linalg.norm(row)


def point(id: str, *values: float, words: Sparse = NOTHING, topics: Sparse = NOTHING, **payload: object) -> Point:
    return Point(id, unit(*(values or (1, 0, 0, 0))), words, topics, {**PAYLOAD, **payload})


def query(
    *values: float, words: Sparse = NOTHING, topics: Sparse = NOTHING, limit: int = 10, filters: Filters | None = None
) -> VectorQuery:
    """A query whose words count 1.0 at most and whose topics count 0.5."""
    return VectorQuery(unit(*(values or (1, 0, 0, 0))), words, topics, 2.0, 1.0, 0.5, filters or Filters(), limit)


def ids(found: Iterable[Scored]) -> list[str]:
    return [one.id for one in found]


def kept(index: VectorStore, **conditions: object) -> set[str]:
    """Ids of all points that meet the conditions."""
    return set(ids(index.search(query(limit=100, filters=Filters(**conditions)))))  # type: ignore[arg-type]


def test_a_new_index_has_no_stamp(index: VectorStore) -> None:
    assert index.stamp() is None


def test_a_built_index_agrees_with_its_stamp(index: VectorStore) -> None:
    index.rebuild([point("a")], "one")

    assert index.stamp() == "one"


def test_an_index_of_nothing_finds_nothing(index: VectorStore) -> None:
    index.rebuild([], "one")

    assert index.stamp() == "one"
    assert index.search(query()) == []


def test_what_is_nearest_comes_first_with_its_cosine_as_score(index: VectorStore) -> None:
    index.rebuild([point("far", 0, 1, 0, 0), point("near", 1, 0, 0, 0), point("between", 1, 1, 0, 0)], "one")
    found = index.search(query(1, 0, 0, 0))

    assert ids(found) == ["near", "between", "far"]
    assert [one.score for one in found] == pytest.approx([1.0, 0.5**0.5, 0.0], abs=1e-5)


def test_ids_of_any_shape_come_back_as_they_were(index: VectorStore) -> None:
    shapes = ["3f0c0c1e-0000-5000-8000-000000000001", "topic:flash-attention", "person:日本", "1", "a" * 300]
    index.rebuild(map(point, shapes), "one")

    assert set(ids(index.search(query()))) == set(shapes)


def test_a_rare_word_counts_more_than_a_common_one(index: VectorStore) -> None:
    common, rare = Sparse((1,), (1.0,)), Sparse((2,), (1.0,))
    index.rebuild([point("rare", words=rare), *(point(f"common{n}", words=common) for n in range(9))], "one")
    found = index.search(query(words=Sparse((1, 2), (1.0, 1.0))))

    assert found[0].id == "rare"
    assert found[0].score > found[1].score > 1.0, "more than their meaning alone"


def test_words_count_less_than_their_bound_however_many_match(index: VectorStore) -> None:
    many = Sparse(tuple(range(200)), (2.0,) * 200)
    index.rebuild([point("all", words=many), *(point(f"none{n}") for n in range(20))], "one")
    best = index.search(query(words=Sparse(many.indices, (1.0,) * 200)))[0]

    assert best.id == "all"
    assert 1.9 < best.score < 2.0


def test_topics_count_by_their_product_with_the_querys(index: VectorStore) -> None:
    index.rebuild([point("sure", topics=Sparse((7,), (1.0,))), point("maybe", topics=Sparse((7,), (0.4,)))], "one")
    found = index.search(query(topics=Sparse((7, 9), (0.5, 1.0))))

    assert [(one.id, round(one.score, 4)) for one in found] == [("sure", 1.25), ("maybe", 1.1)]


def test_a_point_far_in_meaning_is_found_by_its_words(index: VectorStore) -> None:
    index.rebuild([point("words", -1, 0, 0, 0, words=Sparse((5,), (2.0,))), point("meaning")], "one")

    assert set(ids(index.search(query(words=Sparse((5,), (1.0,)))))) == {"words", "meaning"}


def test_a_search_gives_as_many_as_it_may(index: VectorStore) -> None:
    index.rebuild((point(str(number), 1, number, 0, 0) for number in range(1200)), "one")

    assert len(index.search(query(limit=100))) == 100
    assert ids(index.search(query(limit=2))) == ["0", "1"]


@pytest.mark.parametrize("field", ["kind", "topic", "author", "source", "status"])
def test_a_filter_keeps_points_with_any_of_its_values(index: VectorStore, field: str) -> None:
    for_all: dict[str, dict[str, Any]] = {id: {field: value} for id, value in (("a", "x"), ("b", "y"), ("c", "z"))}
    index.rebuild([point(id, **values) for id, values in for_all.items()], "one")

    assert kept(index, **{field: ("x",)}) == {"a"}
    assert kept(index, **{field: ("x", "z", "unknown")}) == {"a", "c"}
    assert kept(index, **{field: ("unknown",)}) == set()


def test_filters_are_all_met_at_once(index: VectorStore) -> None:
    index.rebuild([point("a", kind="blog", source=["s"]), point("b", kind="paper", source=["s"])], "one")

    assert kept(index, kind=("paper",), source=("s",)) == {"b"}
    assert kept(index, kind=("paper",), source=("t",)) == set()


def test_a_tier_keeps_what_is_at_most_that_and_drops_what_has_none(index: VectorStore) -> None:
    index.rebuild([point("one", tier=1), point("two", tier=2), point("three", tier=3), point("none")], "one")

    assert kept(index, max_tier=2) == {"one", "two"}


def test_hardware_keeps_what_is_made_for_it_and_what_is_made_for_none(index: VectorStore) -> None:
    index.rebuild([point("h", hardware=["hopper"]), point("a", hardware=["mi300x"]), point("neutral")], "one")

    assert kept(index, hardware=("hopper", "h100")) == {"h", "neutral"}


def test_a_tier_may_have_a_least_one_too(index: VectorStore) -> None:
    index.rebuild([point("one", tier=1), point("two", tier=2), point("three", tier=3), point("none")], "one")

    assert kept(index, min_tier=2) == {"two", "three"}
    assert kept(index, min_tier=2, max_tier=2) == {"two"}


def test_made_for_keeps_only_what_is_made_for_it(index: VectorStore) -> None:
    index.rebuild([point("h", hardware=["hopper"]), point("a", hardware=["mi300x"]), point("neutral")], "one")

    assert kept(index, made_for=("hopper", "h100")) == {"h"}


def test_a_phrase_is_words_that_follow_each_other(index: VectorStore) -> None:
    texts = {"phrase": "the flash attention paper", "apart": "flash and attention", "part": "flash attentional"}
    index.rebuild([point(id, text=text) for id, text in texts.items()], "one")

    assert kept(index, phrases=("flash attention",)) == {"phrase"}
    assert kept(index, phrases=("flash", "attention")) == {"phrase", "apart"}


def test_what_meets_any_of_the_other_conditions_is_left_out(index: VectorStore) -> None:
    index.rebuild([point("a", kind="blog", author=["x"]), point("b", kind="blog"), point("c", kind="paper")], "one")
    paper, by_x = Filters(kind=("paper",)), Filters(author=("x",))

    assert kept(index, without=(by_x,)) == {"b", "c"}
    assert kept(index, without=(by_x, paper)) == {"b"}
    assert kept(index, kind=("blog",), without=(by_x,)) == {"b"}


def test_conditions_beside_others_hold_too(index: VectorStore) -> None:
    index.rebuild([point("a", topic=["x"]), point("b", topic=["y"]), point("c", topic=["x", "y"])], "one")

    assert kept(index, topic=("x",), also=(Filters(topic=("y",)),)) == {"c"}
    assert kept(index, also=(Filters(without=(Filters(topic=("y",)),)),)) == {"a"}


def test_a_search_gives_the_payload_only_when_it_is_asked_for(index: VectorStore) -> None:
    index.rebuild([point("a", kind="paper", tier=2, author=["x-y"], by=["X Y"], text="long")], "one")
    plain, full = (index.search(replace(query(), fields=fields))[0].fields for fields in (False, True))

    assert set(plain) == {"id"}
    assert (full["kind"], full["tier"], full["author"], full["by"]) == ("paper", 2, ["x-y"], ["X Y"])
    assert "text" not in full


def test_a_field_tells_its_values(index: VectorStore) -> None:
    index.rebuild([point("a", author=["x"]), point("b", author=["x", "y"]), point("c")], "one")

    assert sorted(index.values("author")) == ["x", "y"]
    assert index.values("source") == []


def test_a_point_tells_its_meaning_and_what_is_no_point_none(index: VectorStore) -> None:
    index.rebuild([point("a", 3, 4, 0, 0)], "one")
    meaning = index.vector("a")

    assert meaning is not None
    assert meaning.tolist() == pytest.approx([0.6, 0.8, 0, 0])
    assert index.vector("b") is None


def test_the_best_that_meets_a_filter_is_found_among_many_that_do_not(index: VectorStore) -> None:
    crowd = [point(f"crowd{number}", 1, number / 1e4, 0, 0, words=Sparse((1,), (1.0,))) for number in range(600)]
    index.rebuild([*crowd, point("wanted", 0, 1, 0, 0, kind="paper")], "one")

    assert ids(index.search(query(words=Sparse((1,), (1.0,)), filters=Filters(kind=("paper",))))) == ["wanted"]


def test_values_of_filters_are_text_and_nothing_else(index: VectorStore) -> None:
    odd = ["it's", '"quoted"', "a*b", "日本", "", "x" * 500]
    index.rebuild([point(str(number), author=[value]) for number, value in enumerate(odd)], "one")

    assert [kept(index, author=(value,)) for value in odd] == [{str(number)} for number in range(len(odd))]


def test_applying_adds_replaces_and_removes(index: VectorStore) -> None:
    index.rebuild([point("stays"), point("changes", kind="blog"), point("goes")], "one")
    index.apply([point("changes", 0, 1, 0, 0, kind="paper"), point("comes")], ["goes", "never-was"], "two")

    assert index.stamp() == "two"
    assert kept(index) == {"stays", "changes", "comes"}
    assert kept(index, kind=("paper",)) == {"changes"}
    assert index.search(query(filters=Filters(kind=("paper",))))[0].score == pytest.approx(0.0, abs=1e-6)


def test_applying_nothing_moves_the_stamp(index: VectorStore) -> None:
    index.rebuild([point("a")], "one")
    index.apply([], [], "two")

    assert index.stamp() == "two"
    assert kept(index) == {"a"}


def test_what_was_removed_can_come_again(index: VectorStore) -> None:
    index.rebuild([point("a"), point("b")], "one")
    index.apply([], ["a"], "two")
    index.apply([point("a", kind="paper")], [], "three")

    assert kept(index, kind=("paper",)) == {"a"}


def test_rebuilding_leaves_nothing_of_before(index: VectorStore) -> None:
    index.rebuild([point("old")], "one")
    index.rebuild([point("new")], "two")

    assert index.stamp() == "two"
    assert kept(index) == {"new"}


def test_changing_step_by_step_gives_what_building_at_once_gives(index: VectorStore) -> None:
    made = [point(str(n), 1, n, n % 3, 0, words=Sparse((n % 5,), (1.0 + n,)), source=[str(n % 2)]) for n in range(40)]
    asked = query(1, 2, 0, 0, words=Sparse((2, 3), (1.0, 1.0)), filters=Filters(source=("1",)))
    index.rebuild([*made[20:], *(point(str(n), 0, 0, 0, 1) for n in range(15))], "one")
    index.apply(made[:10], map(str, range(10, 15)), "two")
    index.apply(made[10:20], [], "three")
    step_by_step = index.search(asked)
    index.rebuild(made, "four")

    assert ids(step_by_step) == ids(index.search(asked))
    assert [one.score for one in step_by_step] == pytest.approx([one.score for one in index.search(asked)], abs=0.1)


def test_a_change_that_fails_half_way_leaves_an_index_that_is_known_to_be_stale(index: VectorStore) -> None:
    def breaks_off() -> Iterator[Point]:
        yield point("b")
        raise ArithmeticError

    index.rebuild([point("a")], "one")
    with pytest.raises(Exception):  # noqa: B017, PT011  # whichever error, the promise is about the stamp
        index.apply(breaks_off(), [], "two")

    assert index.stamp() is None


def test_an_index_can_be_closed_twice(open_index: Open) -> None:
    index = open_index(DIMENSION)
    index.rebuild([point("a")], "one")
    index.close()
    index.close()
    with closing(open_index(DIMENSION)) as again:
        stamp = again.stamp()

    assert stamp == "one"


def test_an_index_that_is_opened_again_is_as_it_was(open_index: Open) -> None:
    with closing(open_index(DIMENSION)) as index:
        index.rebuild([point("a"), point("b", kind="paper")], "one")
    with closing(open_index(DIMENSION)) as index:
        again = index.stamp(), kept(index), kept(index, kind=("paper",))

    assert again == ("one", {"a", "b"}, {"b"})


def test_an_index_of_another_dimension_must_be_built_anew(open_index: Open) -> None:
    with closing(open_index(DIMENSION)) as index:
        index.rebuild([point("a")], "one")
    with closing(open_index(2)) as index:
        stamp = index.stamp()
        index.rebuild([point("b", 1, 0)], "two")
        found = ids(index.search(query(1, 0)))

    assert stamp is None
    assert found == ["b"]


def test_an_index_of_another_layout_must_be_built_anew(open_index: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_index(DIMENSION)) as index:
        index.rebuild([point("a")], "one")
    for adapter in ("qdrant_edge", "qdrant_server"):
        monkeypatch.setattr(f"graph.stores.{adapter}.LAYOUT", LAYOUT + 1)
    with closing(open_index(DIMENSION)) as index:
        stamp = index.stamp()

    assert stamp is None


def test_an_index_can_be_closed_by_another_thread_than_opened_it(open_index: Open) -> None:
    opened: list[VectorStore] = []
    thread = threading.Thread(target=lambda: opened.append(open_index(DIMENSION)))
    thread.start()
    thread.join()
    opened[0].rebuild([point("a")], "one")
    opened[0].close()
    with closing(open_index(DIMENSION)) as index:
        stamp = index.stamp()

    assert stamp == "one"


def test_threads_can_search_while_another_rebuilds(index: VectorStore) -> None:
    index.rebuild([point("a")], "0")
    done, faults = threading.Event(), []

    def search() -> None:
        while not done.is_set():
            try:
                index.search(query())
            except Exception as fault:
                faults.append(fault)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(5):
        index.rebuild([point("a"), point("b")], str(number))
    done.set()
    for thread in threads:
        thread.join()

    assert faults == []
