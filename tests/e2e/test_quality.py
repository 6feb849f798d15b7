"""How good search and paths are on the judged set in tests/gold: no worse than the floor stored beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import pytest
from typer.testing import CliRunner

from api.cli import app
from graph.errors import NothingCovered
from graph.evaluation.estimate import ALL, Row
from graph.evaluation.judged import JudgedWork, read_goals, read_queries
from graph.evaluation.path_quality import evaluate_paths
from graph.evaluation.search_quality import OURS, evaluate_search
from graph.library import Library
from graph.models import PathRequest
from ingest.readers import read_file
from tests.conftest import CORPUS

GOLD = Path(__file__).parents[1] / "gold"
FLOOR = json.loads((GOLD / "floor.json").read_text(encoding="utf-8"))
Figures = Mapping[str, float]


def quietly(step: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


def ours(rows: Sequence[Row]) -> dict[str, float]:
    """What warpath reaches on all cases."""
    (row,) = (row for row in rows if (row.group, row.system) == (ALL, OURS))
    return {name: one.mean for name, one in row.measures.items()}


def fallen(found: Figures, floor: Figures) -> list[str]:
    """A sentence for each figure that is worse than its floor."""
    return [
        f"{name} fell to {found[name]:.3f}, below the floor of {least:.3f} in tests/gold/floor.json."
        for name, least in floor.items()
        if found[name] < least
    ]


def judged_works() -> Iterator[JudgedWork]:
    for query in read_queries(GOLD / "search.jsonl"):
        yield from query.relevant
    for goal in read_goals(GOLD / "paths.jsonl"):
        yield from goal.good_resources
        yield from (one for one in goal.must_not if one.title)


def test_search_is_no_worse_than_its_floor(real: Library) -> None:
    report = evaluate_search(real, read_queries(GOLD / "search.jsonl"), quietly, baselines=False)
    held = report.abstention
    figures = ours(report.rows) | {
        "unanswerable abstained": (held.unanswerable - len(held.answered)) / held.unanswerable,
        "answerable kept": 1 - len(held.lost) / held.answerable,
    }

    assert not fallen(figures, FLOOR["search"])


def test_paths_are_no_worse_than_their_floor(real: Library) -> None:
    report = evaluate_paths(real, read_goals(GOLD / "paths.jsonl"), quietly)

    assert not fallen(ours(report.rows), FLOOR["paths"])


@dataclass(frozen=True)
class Aim:
    """A goal with the topics that it must lead to, one of each group, and those that it may."""

    goal: str
    must: tuple[frozenset[str], ...]
    may: frozenset[str]

    @classmethod
    def read(cls, line: str) -> Aim:
        goal, _, topics = line.partition(" => ")
        must, _, also = topics.partition(";")
        groups = tuple(frozenset(group.strip().split("|")) for group in must.split(","))
        return cls(goal, groups, frozenset(also.split()).union(*groups))


AIMS = [Aim.read(line) for line in (GOLD / "targets.txt").read_text("utf-8").splitlines() if not line.startswith("#")]


def targets(library: Library, goal: str) -> set[str]:
    try:
        return set(library.plan(PathRequest(goal=goal)).targets)
    except NothingCovered:
        return set()


def test_goals_lead_to_the_topics_that_they_are_about(real: Library) -> None:
    found = [(aim, targets(real, aim.goal)) for aim in AIMS]
    figures = {
        "found": fmean(fmean(not group.isdisjoint(got) for group in aim.must) for aim, got in found),
        "right": fmean(len(got & aim.may) / len(got) for aim, got in found if got),
    }

    assert not fallen(figures, FLOOR["targets"])


def test_every_topic_that_a_goal_is_about_is_in_the_ontology(real: Library) -> None:
    assert not {slug for aim in AIMS for slug in aim.may} - real.curriculum.topics.keys()


def test_a_figure_that_falls_is_named_with_its_floor() -> None:
    found, floor = {"nDCG@10": 0.7, "MRR": 0.9}, {"nDCG@10": 0.75, "MRR": 0.85}

    assert fallen(found, floor) == ["nDCG@10 fell to 0.700, below the floor of 0.750 in tests/gold/floor.json."]


def test_every_judged_work_stands_in_the_starter_lists_where_it_says() -> None:
    """A line that moves in a list moves here too."""
    stands = {
        (mention.source, mention.line, mention.title)
        for file in CORPUS.iterdir()
        for mention in read_file(file).mentions
    }
    strayed = {(work.source, work.line, work.title) for work in judged_works()} - stands

    assert not strayed


def test_the_judged_queries_are_of_all_styles() -> None:
    styles = Counter(query.style for query in read_queries(GOLD / "search.jsonl"))

    assert styles["none"] == 10
    assert len(styles) == 13
    assert min(styles.values()) >= 6


@pytest.fixture
def command(starter: Library, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """The command line over the starter lists, embedded by a fake."""
    monkeypatch.setattr("api.bootstrap.open_library", lambda settings: starter)
    return CliRunner()


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with some of the judged queries and goals."""
    for file, every in (("search.jsonl", 11), ("paths.jsonl", 6)):
        lines = (GOLD / file).read_text(encoding="utf-8").splitlines()
        (tmp_path / file).write_text("\n".join(lines[::every]), encoding="utf-8")
    return tmp_path


def test_eval_search_tells_warpath_beside_the_baselines(command: CliRunner, few: Path) -> None:
    result = command.invoke(app, ["eval", "search", str(few / "search.jsonl"), "--json"])
    report = json.loads(result.stdout)

    assert {row["system"] for row in report["rows"]} == {"warpath", "BM25", "dense", "RRF"}
    assert [lead["over"] for lead in report["leads"]] == ["BM25", "dense", "RRF"]
    assert (report["abstention"]["answerable"], report["abstention"]["unanswerable"]) == (8, 1)
    assert report["cases"] == []


def test_eval_paths_tells_warpath_beside_a_plain_list(command: CliRunner, few: Path) -> None:
    result = command.invoke(app, ["eval", "paths", str(few / "paths.jsonl"), "--per-goal", "--json"])
    report = json.loads(result.stdout)

    assert {row["system"] for row in report["rows"]} == {"warpath", "retrieval list"}
    assert [case["id"] for case in report["cases"]] == ["first-kernel", "four-bit-laptop"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["search", "search.jsonl"], "nDCG@10 by style"),
        (["search", "search.jsonl", "--per-query"], "warp specialization producer consumer"),
        (["paths", "paths.jsonl"], "lead in score"),
        (["paths", "paths.jsonl", "--per-goal"], "write my first CUDA kernels"),
    ],
)
def test_an_evaluation_is_a_page_for_people(command: CliRunner, few: Path, words: list[str], says: str) -> None:
    kind, file, *options = words
    result = command.invoke(app, ["eval", kind, str(few / file), *options])

    assert result.exit_code == 0, result.stderr
    assert says in result.stdout
    assert "…" in result.stderr


def test_a_bad_line_ends_an_evaluation_with_its_number(command: CliRunner, tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text("{broken\n", encoding="utf-8")
    result = command.invoke(app, ["eval", "search", str(tmp_path / "mine.jsonl")])

    assert result.exit_code == 1
    assert "mine.jsonl, line 1" in result.stderr
