"""Two paths compared, and what one known topic saves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from api.cli import app
from api.examples import HIT, LEARNING_PATH
from graph import errors
from graph.library import Library
from graph.models import LearningPath, PathRequest, Step
from graph.path_diff import PathDiff, Swap, diff
from graph.what_if import what_if


def made(*steps: str) -> LearningPath:
    """A path whose steps are given as `topic:resource`, a resource of - being none."""
    found = []
    for number, (topic, _, name) in enumerate((one.partition(":") for one in steps), 1):
        hit = HIT.model_copy(update={"id": name, "title": name.upper()}) if name != "-" else None
        found.append(Step(position=number, topics=(topic,), resource=hit, reason="why", minutes=30))
    update = {"id": " ".join(steps), "steps": tuple(found), "minutes": 30 * len(steps)}
    return LEARNING_PATH.model_copy(update=update)


def test_a_path_does_not_differ_from_itself() -> None:
    """Nothing is named."""
    same = diff(made("a:x", "b:y"), made("a:x", "b:y"))

    assert same == PathDiff(before=same.before, after=same.before, minutes=0, steps=0)


def test_every_difference_is_named() -> None:
    """What came, what went, what moved, and what is read instead."""
    found = diff(made("a:x", "b:y", "c:z", "d:-"), made("e:q", "c:z", "b:w", "b:v", "d:-", "f:-"))

    assert (found.minutes, found.steps) == (60, 2)
    assert (found.added, found.removed) == (("e", "f"), ("a",))
    assert len(found.moved) == 1
    assert found.swapped == (Swap(topic="b", before=("Y",), after=("W", "V")),)


def test_there_and_back_are_opposites() -> None:
    """What one way adds the other removes."""
    one, other = made("a:x", "b:y"), made("b:y", "c:z", "d:-")
    there, back = diff(one, other), diff(other, one)

    assert (there.minutes, there.steps) == (-back.minutes, -back.steps)
    assert (there.added, there.removed) == (back.removed, back.added)


@pytest.mark.parametrize("goal", ["flashattention", "write an MLA decode kernel"])
def test_to_know_more_never_costs(starter: Library, goal: str) -> None:
    """Each topic of a path, known, makes it shorter."""
    request = PathRequest(goal=goal)
    path = starter.plan(request)
    for topic in path.steps[0].topics + path.steps[-1].topics:
        found = diff(path, starter.plan(what_if(request, starter.curriculum, known=[topic])))

        assert found.minutes < 0
        assert topic in found.removed
        assert (found.added, found.moved, found.swapped) == ((), (), ())


def test_to_know_less_is_to_not_have_said_it(starter: Library) -> None:
    """A topic is taken back under any of its names, from what is known as from what is done."""
    request = PathRequest(goal="flashattention", know=("Tiling", "triton"), done=("tiled-matmul",))

    assert what_if(request, starter.curriculum, unknown=["tiling"]) == PathRequest(
        goal="flashattention", know=("triton",)
    )


@pytest.mark.parametrize(
    ("known", "unknown", "error"), [("nonsense", "", errors.UnknownName), ("", "tiling", errors.BadRequest)]
)
def test_what_makes_no_sense_is_told(starter: Library, known: str, unknown: str, error: type[Exception]) -> None:
    """A topic that is not there, or that was never known."""
    with pytest.raises(error):
        what_if(
            PathRequest(goal="x"),
            starter.curriculum,
            known=[known] if known else [],
            unknown=[unknown] if unknown else [],
        )


@pytest.fixture
def shell(starter: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Commands find the starter lists, and a data folder of their own."""
    monkeypatch.setattr("api.bootstrap.open_library", lambda settings: starter)
    monkeypatch.setattr(starter, "close", lambda: None)  # other tests go on with it
    monkeypatch.setenv("WARPATH_DATA", str(tmp_path))
    return tmp_path


def warpath(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, prog_name="warpath")


def test_files_are_compared(shell: Path) -> None:
    """`path-diff` tells people and programs; a file that is no path is told."""
    for name, path in (("a.json", made("a:x", "b:y")), ("b.json", made("b:z"))):
        (shell / name).write_text(path.model_dump_json(), encoding="utf-8")
    before, after = str(shell / "a.json"), str(shell / "b.json")

    assert warpath("path-diff", before, after).stdout.splitlines() == [
        "Steps: -1, time: -30 min",
        "Removed: a",
        "b: Z, before Y",
    ]
    assert json.loads(warpath("path-diff", before, after, "--json").stdout)["minutes"] == -30
    assert warpath("path-diff", before, before).stdout.startswith("Both are the same plan.")
    assert warpath("path-diff", before, str(shell / "absent.json")).exit_code == 1


def test_a_known_topic_saves_time(shell: Path) -> None:
    """--with and --without give the difference in place of the path; nothing else goes with them."""
    saved = json.loads(warpath("path", "flashattention", "--with", "flashattention", "--json").stdout)
    cost = json.loads(warpath("path", "flashattention", "--know", "tiling", "--without", "tiling", "--json").stdout)

    assert saved["minutes"] < 0
    assert cost["before"] != cost["after"]
    assert warpath("path", "flashattention", "--with", "tiling", "--format", "csv").exit_code == 2
    assert warpath("path", "flashattention", "--without", "tiling").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "start"),
    [
        (("--format", "markdown"), b"# flashattention"),
        (("--format", "ics", "--start", "2030-01-07"), b"BEGIN:VCALENDAR"),
        (("--format", "anki"), b"PK"),
    ],
)
def test_a_path_can_be_exported(shell: Path, arguments: tuple[str, ...], start: bytes) -> None:
    """To stdout, or to a file whose suffix tells the format."""
    assert warpath("path", "flashattention", *arguments).stdout_bytes.startswith(start)
    result = warpath("path", "flashattention", "--output", str(shell / "plan.apkg"))

    assert (result.exit_code, result.stdout) == (0, "")
    assert (shell / "plan.apkg").read_bytes().startswith(b"PK")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--format", "pdf"),
        ("--output", "plan.pdf"),
        ("--output", "/no/such/folder/plan.md"),
        ("--format", "ics", "--start", "tomorrow"),
        ("--format", "ics", "--start", "9999-12-31"),
        ("--format", "ics", "--hours-per-week", "0"),
        ("--format", "ics", "--hours-per-week", "nan"),
    ],
)
def test_an_export_that_cannot_be_is_told(shell: Path, arguments: tuple[str, ...]) -> None:
    """A format, file, date or pace that does not fit ends with 2 and says so."""
    result = warpath("path", "flashattention", *arguments)

    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
