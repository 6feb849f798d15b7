"""What is left of a path for who is done with some of it, and the file that remembers it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from api import progress_file
from api.cli import app
from api.progress_file import Progress
from graph import errors
from graph.library import Library
from graph.models import Finished, LearningPath, PathRequest
from graph.progress import DONE

GOALS = ("flashattention", "tensor-cores", "write an MLA decode kernel")
WARPS = Finished(kind="topic", id="warps", title="Warps")
GUIDE = Finished(kind="resource", id="3f0c", title="The Guide")


def teaching(path: LearningPath) -> list[tuple[tuple[str, ...], str | None]]:
    """What each step teaches with what."""
    return [(step.topics, step.resource.id if step.resource else None) for step in path.steps]


def resources(path: LearningPath) -> list[str]:
    """What a learner who follows the path reads, in order."""
    return [step.resource.id for step in path.steps if step.resource]


@pytest.mark.parametrize("goal", GOALS)
def test_every_step_done_makes_the_rest_shorter(starter: Library, goal: str) -> None:
    """Whoever reads one resource after the other has less and less to do, till nothing is left."""
    whole = starter.plan(PathRequest(goal=goal))
    read = [resources(whole)[:number] for number in range(1, len(resources(whole)) + 1)]
    rests = [starter.plan(PathRequest(goal=goal, done=tuple(done))) for done in read]
    minutes = [whole.minutes, *(rest.minutes for rest in rests)]

    assert minutes == sorted(minutes, reverse=True)
    assert all(rest.minutes < whole.minutes for rest in rests)
    assert not any(set(resources(rest)) & set(done) for rest, done in zip(rests, read, strict=True))
    assert not resources(rests[-1])


@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_rest_is_a_right_part_of_the_path(starter: Library, data: st.DataObject) -> None:
    """Whatever is done in whatever order: the same steps less some, and the validator finds no fault."""
    request = PathRequest(goal=data.draw(st.sampled_from(GOALS)), hardware=data.draw(st.sampled_from([None, "h100"])))
    whole = starter.plan(request)
    names = sorted({*resources(whole), *starter.curriculum.topics})
    done = tuple(data.draw(st.lists(st.sampled_from(names), max_size=8)))
    rest = starter.plan(request.model_copy(update={"done": done}))
    steps = iter(teaching(whole))

    assert all(step in steps for step in teaching(rest))
    assert rest.minutes <= whole.minutes
    assert not rest.steps or starter.validate(rest) == []


def test_what_is_done_is_not_proposed_again(starter: Library) -> None:
    """A resource that is done stands neither in a step nor among the alternatives; its topics count as known."""
    whole = starter.plan(PathRequest(goal=GOALS[0]))
    first, *later = (step for step in whole.steps if step.resource)
    other = next(step.alternatives[0] for step in later if step.alternatives)
    assert first.resource
    rest = starter.plan(PathRequest(goal=GOALS[0], done=(first.resource.url or first.resource.id, other.id)))
    shown = {hit.id for step in rest.steps for hit in (step.resource, *step.alternatives) if hit}

    assert not {first.resource.id, other.id} & shown
    assert set(first.topics) <= set(rest.known)
    assert {one.topic for one in rest.left_out if one.reason == DONE} >= set(first.topics)


def test_a_topic_that_is_done_counts_for_all_it_builds_on(starter: Library) -> None:
    """Being done with the goal leaves nothing."""
    rest = starter.plan(PathRequest(goal=GOALS[0], done=(GOALS[0],)))

    assert (rest.steps, rest.minutes) == ((), 0)


def test_hours_are_for_what_is_left(starter: Library) -> None:
    """Hours that do not suffice for the whole may suffice for the rest."""
    whole = starter.plan(PathRequest(goal=GOALS[0]))
    done = tuple(resources(whole)[:-1])
    with pytest.raises(errors.BudgetTooSmall):
        starter.plan(PathRequest(goal=GOALS[0], hours=0.5))
    rest = starter.plan(PathRequest(goal=GOALS[0], hours=3, done=done))

    assert rest.minutes <= 180
    assert not set(resources(rest)) & set(done)


def test_unknown_names_are_told_once(starter: Library) -> None:
    """What is done in another store is no error here."""
    rest = starter.plan(PathRequest(goal=GOALS[0], done=tuple(f"gone {number}" for number in range(9))))

    assert [warning for warning in rest.warnings if "gone 0" in warning and "6 more" in warning]
    assert teaching(rest) == teaching(starter.plan(PathRequest(goal=GOALS[0])))


def test_names_are_found_as_elsewhere(starter: Library) -> None:
    """A topic by alias, a resource by address or title; an unknown one is told."""
    hit = next(step.resource for step in starter.plan(PathRequest(goal=GOALS[0])).steps if step.resource)

    assert starter.finished("Flash Attention").id == "flashattention"
    assert starter.finished(hit.url or hit.id) == Finished(kind="resource", id=hit.id, title=hit.title)
    with pytest.raises(errors.UnknownName):
        starter.finished("no such thing at all")


def test_a_file_remembers(tmp_path: Path) -> None:
    """What was written is read, each thing once, in order; what is not there yet is empty."""
    file = tmp_path / "new" / "progress.json"
    assert progress_file.load(file) == Progress()
    progress_file.change(file, lambda progress: progress.with_([WARPS, GUIDE, WARPS]))
    assert progress_file.load(file).done == (WARPS, GUIDE)
    progress_file.change(file, lambda progress: progress.without(["warps"]))

    assert json.loads(file.read_text(encoding="utf-8")) == {"version": 1, "done": [GUIDE.model_dump()]}


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2}', '{"done": [{"id": 1}]}', "\udcff"])
def test_a_broken_file_is_told_and_kept(tmp_path: Path, text: str) -> None:
    """Progress is not lost because a file cannot be read."""
    file = tmp_path / "progress.json"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    before = file.read_bytes()
    for use in (progress_file.load, lambda file: progress_file.change(file, lambda held: held.with_([WARPS]))):
        with pytest.raises(errors.UnreadableSource):
            use(file)

    assert file.read_bytes() == before


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    """Commands that run at once wait for each other."""
    code = (
        "import sys; from pathlib import Path; from api import progress_file; from graph.models import Finished\n"
        "for n in range(10):\n"
        "  one = Finished(kind='topic', id=f'{sys.argv[1]}-{n}', title='x')\n"
        "  progress_file.change(Path(sys.argv[2]), lambda held: held.with_([one]))"
    )
    file = tmp_path / "progress.json"
    running = [subprocess.Popen([sys.executable, "-c", code, name, str(file)]) for name in ("a", "b")]

    assert [child.wait(60) for child in running] == [0, 0]
    assert len(progress_file.load(file).done) == 20


@pytest.fixture
def shell(starter: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Commands find the starter lists, and a data folder of their own."""
    monkeypatch.setattr("api.bootstrap.open_library", lambda settings: starter)
    monkeypatch.setattr(starter, "close", lambda: None)  # other tests go on with it
    monkeypatch.setenv("WARPATH_DATA", str(tmp_path))


def warpath(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, prog_name="warpath")


@pytest.mark.usefixtures("shell")
def test_done_shortens_the_next_path() -> None:
    """done, progress, path, undone: from one command to the next, and --no-progress looks away."""
    whole = LearningPath.model_validate_json(warpath("path", GOALS[0], "--json").stdout)
    first = next(step.resource for step in whole.steps if step.resource)
    assert warpath("done", first.id, "occupancy").exit_code == 0
    rest = LearningPath.model_validate_json(warpath("path", GOALS[0], "--json").stdout)
    held = json.loads(warpath("progress", "--json").stdout)

    assert [one["id"] for one in held["done"]] == [first.id, "occupancy"]
    assert rest.minutes < whole.minutes
    assert f"resource {first.title} ({first.id})" in warpath("progress").stdout
    assert LearningPath.model_validate_json(warpath("path", GOALS[0], "--json", "--no-progress").stdout) == whole
    assert warpath("undone", first.id, "occupancy").stdout == "Nothing yet.\n"
    assert LearningPath.model_validate_json(warpath("path", GOALS[0], "--json").stdout) == whole


@pytest.mark.usefixtures("shell")
def test_another_file_can_be_named(tmp_path: Path) -> None:
    """--progress stands in for the file of the data folder."""
    file = str(tmp_path / "mine.json")
    warpath("done", "occupancy", "--progress", file)

    assert "Occupancy" in warpath("progress", "--progress", file).stdout
    assert warpath("progress").stdout == "Nothing yet.\n"


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize(
    "arguments", [("done", "no such thing"), ("undone", "occupancy"), ("done", "occupancy", "no such")]
)
def test_names_that_are_not_there_change_nothing(arguments: tuple[str, ...]) -> None:
    """An unknown name ends with 4, and nothing is noted."""
    assert warpath(*arguments).exit_code == 4
    assert warpath("progress").stdout == "Nothing yet.\n"
