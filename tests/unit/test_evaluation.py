"""The evaluation harness, against figures worked out by hand."""

from __future__ import annotations

import json
from math import log2
from pathlib import Path

import numpy as np
import pytest

from graph.errors import UnreadableSource
from graph.evaluation import path_quality as paths
from graph.evaluation.baselines import Bm25, best_first, fuse, meets
from graph.evaluation.estimate import Case, estimate, leads, rows
from graph.evaluation.judged import JudgedGoal, JudgedWork, RelevantWork, read_goals, read_queries
from graph.evaluation.matching import by_work, grades, is_work
from graph.evaluation.measures import good_first, ndcg, recall, reciprocal_rank
from graph.models import Hit, Link, Mention, Place, Resource
from graph.ports import Filters


def hit(title: str, url: str | None = None, line: int = 1, source: str = "list.md") -> Hit:
    return Hit(id=title, title=title, url=url, kind="blog", score=1, mentions=(Place(source=source, line=line),))


def relevant(title: str, grade: int, **fields: object) -> RelevantWork:
    return RelevantWork.model_validate({"rid": title, "title": title, "grade": grade, **fields})


def query_line(**fields: object) -> str:
    work = {"rid": "a", "source": "list.md", "line": 1, "title": "A", "grade": 3}
    return json.dumps({"id": "q", "query": "words", "style": "keyword", "relevant": [work], **fields})


def goal(**fields: object) -> JudgedGoal:
    return JudgedGoal.model_validate({"id": "g", "goal": "words", "must_cover": [], **fields})


def path(*steps: str, minutes: int = 60, kernels: tuple[str, ...] = ()) -> paths.Outline:
    stages = tuple(paths.Stage(frozenset([name]), hit(f"On {name}")) for name in steps)
    return paths.Outline(stages, frozenset(kernels), minutes)


# Measures


def test_ndcg_discounts_by_rank_and_weighs_by_grade() -> None:
    """A 2 before a 3, against the 3 before the 2."""
    assert ndcg([2, 3], [3, 2]) == pytest.approx((3 + 7 / log2(3)) / (7 + 3 / log2(3)))
    assert ndcg([3, 2], [2, 3]) == 1.0


def test_ndcg_looks_at_the_first_ten_results() -> None:
    assert ndcg([0] * 10 + [3], [3]) == 0.0


def test_the_reciprocal_rank_is_that_of_the_first_result_that_answers() -> None:
    assert reciprocal_rank([0, 0, 1, 3]) == pytest.approx(1 / 3)
    assert reciprocal_rank([0, 0]) == 0.0


def test_recall_counts_works_among_the_first_results() -> None:
    assert recall([0, 1, 0, 2], [1, 2, 3, 3], at=3) == 0.25


def test_a_first_result_that_only_helps_is_not_a_good_one() -> None:
    assert (good_first([2]), good_first([1, 3]), good_first([])) == (1.0, 0.0, 0.0)


# Matching


@pytest.mark.parametrize(
    ("judged", "matches"),
    [
        ({"source": "list.md", "line": 7}, True),
        ({"seed": "li", "line": 7}, True),
        ({"source": "list.md", "line": 8}, False),
        ({"source": "other.md", "line": 7}, False),
        ({"url": "http://www.example.org/tiles/?utm_source=x"}, True),
        ({"url": "https://example.org/other"}, False),
        ({"title": "tiles in CUDA: part 2"}, True),
        ({"title": "Tiles in CUDA, part 3"}, False),
        ({"title": "Tiles"}, False),
        ({"title": "Another name", "aliases": ["Tiles in CUDA - Part 2"]}, True),
        ({}, False),
    ],
)
def test_a_result_is_a_judged_work_by_line_address_or_title(judged: dict[str, object], matches: bool) -> None:
    result = hit("Tiles in CUDA, Part 2", "https://example.org/tiles", line=7)

    assert is_work(result, JudgedWork.model_validate(judged)) is matches


def test_a_work_that_stands_in_two_places_is_credited_once() -> None:
    works = [relevant("Tiles", 3), relevant("Blocks", 2, rid="Tiles"), relevant("Warps", 1)]

    assert grades([hit("Blocks"), hit("Tiles"), hit("Cooking"), hit("Warps")], works) == [2, 0, 0, 1]
    assert by_work(works) == {"Tiles": 3, "Warps": 1}


# Sums


def test_an_interval_holds_its_mean_and_is_the_same_every_time() -> None:
    values = [0.0, 0.2, 0.9, 1.0, 0.4, 0.6]
    found = estimate(values)

    assert found.low < found.mean < found.high
    assert found.mean == pytest.approx(np.mean(values), abs=1e-4)
    assert found == estimate(values)


def test_cases_that_all_agree_leave_chance_nothing_to_move() -> None:
    assert estimate([0.5, 0.5]) == estimate([0.5])
    assert estimate([0.5]).low == estimate([0.5]).high == 0.5


def test_more_cases_make_the_interval_narrower() -> None:
    few, many = estimate([0.0, 1.0] * 5), estimate([0.0, 1.0] * 50)

    assert many.high - many.low < few.high - few.low


def test_cases_are_summed_up_over_all_and_by_group() -> None:
    cases = [
        Case(id="1", group="typo", text="", measures={"ours": {"score": 1.0}, "theirs": {"score": 0.5}}),
        Case(id="2", group="author", text="", measures={"ours": {"score": 0.0}, "theirs": {"score": 0.5}}),
    ]

    means = {(row.group, row.system): (row.cases, row.measures["score"].mean) for row in rows(cases)}

    assert means["all", "ours"] == (2, 0.5)
    assert means["typo", "ours"] == (1, 1.0)
    assert next(iter(means)) == ("all", "ours")
    assert [(lead.over, lead.measures["score"].mean) for lead in leads(cases)] == [("theirs", 0.0)]


# Baselines


def test_bm25_prefers_rare_words_and_short_texts() -> None:
    ranking = Bm25(["kernel", "kernel swizzle", "kernel words words words words words", "kernel kernel"])

    assert best_first(ranking.scores("swizzle"))[0] == 1
    assert best_first(ranking.scores("kernel"))[-1] == 2
    assert best_first(ranking.scores("cooking")) == []


def test_fusion_adds_the_reciprocal_ranks() -> None:
    """The second text is second and first, the third is in one ranking only."""
    fused = fuse([np.array([0.9, 0.5, 0.0]), np.array([0.0, 0.9, 0.5])])

    assert fused.tolist() == pytest.approx([1 / 61, 1 / 62 + 1 / 61, 1 / 62])


@pytest.mark.parametrize(
    ("wanted", "met"),
    [
        (Filters(), True),
        (Filters(kind=("blog", "paper")), True),
        (Filters(kind=("video",)), False),
        (Filters(max_tier=2), True),
        (Filters(max_tier=1), False),
        (Filters(hardware=("hopper", "nvidia")), True),
        (Filters(hardware=("cdna",)), False),
    ],
)
def test_baselines_keep_the_conditions_of_a_query(wanted: Filters, met: bool) -> None:
    made_for = Link(slug="hopper", name="Hopper", reason="title", confidence=0.95, source="list.md", line=1)
    mention = Mention(source="list.md", line=1, title="Tiles", tier=2)

    assert meets(Resource(id="r", title="Tiles", kind="blog", hardware=(made_for,), mentions=(mention,)), wanted) is met


# Paths


def test_order_is_judged_by_the_first_step_of_each_concept() -> None:
    judged = goal(must_cover=["tiles", "warps"], order=[["tiles", "warps"]])

    assert paths.measures(judged, path("tiles", "warps", "tiles"))["order"] == 1.0
    assert paths.measures(judged, path("warps", "tiles"))["order"] == 0.0
    assert paths.measures(judged, path("cooking"))["order"] == 0.0


def test_a_concept_is_covered_by_a_name_of_a_topic_or_by_a_work() -> None:
    concepts = {"blocking": {"aliases": ["Tiles"]}, "lanes": {"resources": [{"title": "On warps"}]}}
    judged = goal(must_cover=["blocking", "lanes", "wgmma"], concepts=concepts)

    assert paths.measures(judged, path("tiles", "warps"))["coverage"] == pytest.approx(2 / 3)


def test_resources_are_weighed_by_precision_and_recall() -> None:
    """One of the two read is good, and one of the four good ones is read."""
    good = [{"rid": name, "title": name} for name in ("On tiles", "Two", "Three", "Four")]

    found = paths.measures(goal(good_resources=good), path("tiles", "warps"))["resources F1"]

    assert found == pytest.approx(2 * 0.5 * 0.25 / 0.75)


def test_what_a_path_must_not_hold_costs_a_tenth_each() -> None:
    judged = goal(must_cover=["tiles"], must_not=[{"concept": "warps"}, {"title": "On cooking"}, {"concept": "wgmma"}])

    clean, full = (paths.measures(judged, path("tiles", *more)) for more in ((), ("warps", "cooking")))

    assert (clean["score"], clean["unwanted"]) == (pytest.approx(1.0), 0.0)
    assert (full["score"], full["unwanted"]) == (pytest.approx(0.8), 2.0)


def test_no_score_is_below_zero() -> None:
    judged = goal(
        must_cover=["absent"],
        order=[["absent", "missing"]],
        good_resources=[{"rid": "x", "title": "x"}],
        kernels=["softmax"],
        must_not=[{"concept": "warps"}],
    )

    assert paths.measures(judged, path("warps"))["score"] == 0.0


def test_kernels_and_budget_are_told() -> None:
    judged = goal(kernels=["vector-add", "softmax"], budget_hours=1)

    found = paths.measures(judged, path("tiles", minutes=61, kernels=("softmax",)))

    assert (found["kernels"], found["in budget"]) == (0.5, 0.0)


# Files


def test_a_judged_file_is_read_and_empty_lines_are_skipped(tmp_path: Path) -> None:
    file = tmp_path / "queries.jsonl"
    file.write_text(query_line(filters={"kind": "blog", "max_tier": 2}) + "\n\n", encoding="utf-8")

    (query,) = read_queries(file)

    assert (query.filters.kind, query.filters.max_tier, query.relevant[0].grade) == (("blog",), 2, 3)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{broken", "no JSON"),
        ("[]", "valid dictionary"),
        (query_line(style=None), "style"),
        (query_line(query=""), "query"),
        (query_line(style="none"), "empty list of relevant works"),
        (query_line(relevant=[]), "empty list of relevant works"),
        (query_line(relevant=[{"rid": "a", "title": "A", "grade": 4}]), "relevant.0.grade"),
        (query_line(filters={"kind": "poem"}), "filters.kind"),
        (query_line(id="first"), "stands in line 1 already"),
    ],
)
def test_a_bad_line_is_named_by_its_number_and_fault(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "queries.jsonl"
    file.write_text(f"{query_line(id='first')}\n{line}\n", encoding="utf-8")

    with pytest.raises(UnreadableSource) as caught:
        read_queries(file)

    assert "queries.jsonl, line 2: " in caught.value.message
    assert says in caught.value.message
    assert "docs/evaluation.md" in caught.value.hint


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "Cannot read"), (b"", "is empty"), (b"\xff\xfe", "no text in UTF-8")],
    ids=["absent", "empty", "binary"],
)
def test_a_file_that_holds_no_goals_is_told(tmp_path: Path, content: bytes | None, says: str) -> None:
    file = tmp_path / "goals.jsonl"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(UnreadableSource, match=says):
        read_goals(file)
