"""Exports of a learning path, each opened by a parser of its own format."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import zipfile
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any, get_args

import icalendar
import jsonschema
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from api.examples import HIT, LEARNING_PATH
from api.schema import path_schema
from graph.exports import EXPORTS
from graph.library import Library
from graph.models import Format, Hit, LearningPath, LeftOut, Pace, PathRequest, Prerequisite, Step

ROOT = Path(__file__).parents[2]
PACE = Pace(hours_per_week=7, start=date(2030, 1, 7))
ACTIVE = {"html_block", "html_inline", "image", "code_inline", "table_open"}
HOSTILE = (
    '=HYPERLINK("https://evil.example","x")',
    "<script>alert(1)</script>",
    '"] --> s9["; click s1 "javascript:alert(1)"',
    "[latex]\\input{/etc/passwd}[/latex] [sound:x.mp3] \\(\\href{javascript:1}{x}\\) {{Answer}}",
    "](javascript:alert(1)) ![x](https://evil.example/pixel) `code` **bold**",
    "END:VEVENT\r\nBEGIN:VALARM",
    "]]></data></node>&amp;\x00\x1b[31m",
    "- [x] done\n# heading\n| a | b |",
)


def made(*titles: str) -> LearningPath:
    """A chain of steps with these titles, each building on the one before; the last stands without a resource."""
    topics = [f"topic-{number}" for number in range(len(titles) + 1)]
    steps = [step(number, topic, title) for number, (topic, title) in enumerate(zip(topics, titles, strict=False), 1)]
    steps.append(Step(position=len(topics), topics=(topics[-1],), resource=None, reason="The goal.", minutes=30))
    needs = zip(topics[1:], topics, strict=False)
    edges = tuple(Prerequisite(topic=later, requires=one, reason="it uses it") for later, one in needs)
    return LEARNING_PATH.model_copy(
        update={
            "goal": titles[0],
            "steps": tuple(steps),
            "minutes": sum(one.minutes for one in steps),
            "left_out": (LeftOut(topic="other", reason=titles[-1]),),
            "warnings": titles,
            "certificate": LEARNING_PATH.certificate.model_copy(update={"prerequisites": edges}),
        }
    )


def step(number: int, topic: str, title: str) -> Step:
    hit = HIT.model_copy(update={"id": f"r{number}", "title": title})
    other = hit.model_copy(update={"url": "javascript:alert(1)"})
    return Step(
        position=number,
        topics=(topic,),
        resource=hit,
        alternatives=(other,),
        reason=title,
        evidence=(title,),
        minutes=90,
    )


PATH = made("Threads", "Tiles")
ATTACK = made(*HOSTILE)


def written(form: Format, path: LearningPath = PATH, pace: Pace = PACE) -> bytes:
    return EXPORTS[form].write(path, pace)


def anki(path: LearningPath) -> list[tuple[int, str, str]]:
    """Id, question and answer of every note of the package."""
    with zipfile.ZipFile(io.BytesIO(written("anki", path))) as archive, closing(sqlite3.connect(":memory:")) as db:
        assert archive.testzip() is None
        assert json.loads(archive.read("media")) == {}
        db.deserialize(archive.read("collection.anki2"))
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM cards").fetchone() == (len(path.steps),)
        rows = db.execute("SELECT id, flds FROM notes ORDER BY id").fetchall()
    return [(id, *fields.split("\x1f")) for id, fields in rows]


def mermaid(path: LearningPath) -> tuple[dict[str, str], set[tuple[str, str]]]:
    """Boxes and arrows of a flowchart; a line of any other shape is refused."""
    head, *lines = written("mermaid", path).decode().splitlines()
    assert head == "flowchart TD"
    boxes, arrows = {}, set()
    for line in lines:
        if box := re.fullmatch(r'    (s\d+)\["([^"\[\]<>`]*)"\]', line):
            boxes[box[1]] = re.sub(r"#(\d+);", lambda found: chr(int(found[1])), box[2])
        else:
            arrow = re.fullmatch(r"    (s\d+) --> (s\d+)", line)
            assert arrow, line
            arrows.add((arrow[1], arrow[2]))
    return boxes, arrows


def test_the_table_has_every_format() -> None:
    """The names that a request may hold are the names of the exports, and no two share a suffix."""
    assert tuple(EXPORTS) == get_args(Format)
    assert len({export.suffix for export in EXPORTS.values()}) == len(EXPORTS)


@pytest.mark.parametrize("form", EXPORTS)
@pytest.mark.parametrize("path", [PATH, ATTACK], ids=["plain", "hostile"])
def test_the_same_path_gives_the_same_bytes(form: Format, path: LearningPath) -> None:
    """No clock and no chance is in an export."""
    assert written(form, path) == written(form, path)


@pytest.mark.parametrize("path", [PATH, ATTACK, LEARNING_PATH], ids=["plain", "hostile", "example"])
def test_json_goes_there_and_back(path: LearningPath) -> None:
    """JSON to path to JSON is identical, and the published schema describes it."""
    text = written("json", path)
    again = LearningPath.model_validate_json(text)
    jsonschema.Draft202012Validator.check_schema(path_schema())
    jsonschema.Draft202012Validator(path_schema()).validate(json.loads(text))

    assert again == path
    assert written("json", again) == text


def test_the_schema_refuses_what_is_no_path() -> None:
    """A field too many or too few does not pass."""
    held = json.loads(written("json"))
    wrong: list[Any] = [{**held, "more": 1}, {key: held[key] for key in held if key != "steps"}, []]

    assert not any(jsonschema.Draft202012Validator(path_schema()).is_valid(value) for value in wrong)


def test_the_schema_in_the_docs_is_fresh() -> None:
    """`python -m api.schema > docs/path.schema.json` writes it."""
    assert json.loads((ROOT / "docs" / "path.schema.json").read_text(encoding="utf-8")) == path_schema()


@pytest.mark.parametrize("path", [PATH, ATTACK], ids=["plain", "hostile"])
def test_markdown_is_a_checklist(path: LearningPath) -> None:
    """A parser finds a box for each step, one heading for the goal, and links to the web alone."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(written("markdown", path).decode())
    inside = [child for token in tokens for child in token.children or ()]
    texts = [token.content for token in tokens if token.type == "inline"]

    assert sum(text.startswith("[ ] **") for text in texts) == len(path.steps)
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1", "h2", "h2"]
    assert {child.attrs["href"] for child in inside if child.type == "link_open"} == {HIT.url}
    assert not {"html_block", "html_inline", "image", "code_inline", "table_open"} & {
        t.type for t in [*tokens, *inside]
    }


def test_mermaid_is_a_flowchart() -> None:
    """A box for each step with its title, an arrow for each prerequisite."""
    boxes, arrows = mermaid(PATH)

    assert boxes["s1"] == "1. topic 0: Threads (90 min)"
    assert boxes["s3"] == "3. topic 2: No resource yet (30 min)"
    assert arrows == {("s1", "s2"), ("s2", "s3")}


def test_no_title_ends_a_mermaid_label() -> None:
    """Whatever a title holds, boxes and arrows are those of the path."""
    boxes, arrows = mermaid(ATTACK)

    assert len(boxes) == len(ATTACK.steps)
    assert len(arrows) == len(ATTACK.steps) - 1
    assert HOSTILE[0] in boxes["s1"]


@pytest.mark.parametrize("path", [PATH, ATTACK], ids=["plain", "hostile"])
def test_graphml_is_read_by_networkx(path: LearningPath) -> None:
    """Nodes carry what the steps do; edges lead from what is needed, and say why."""
    graph = nx.parse_graphml(written("graphml", path).decode())

    assert [graph.nodes[f"s{one.position}"]["minutes"] for one in path.steps] == [one.minutes for one in path.steps]
    assert graph.nodes["s1"]["url"] == HIT.url
    assert graph.edges["s1", "s2"] == {"reason": "it uses it"}
    assert nx.is_directed_acyclic_graph(graph)


@pytest.mark.parametrize("path", [PATH, ATTACK], ids=["plain", "hostile"])
def test_csv_has_a_row_a_step(path: LearningPath) -> None:
    """A reader gets positions and minutes back."""
    rows = list(csv.DictReader(io.StringIO(written("csv", path).decode(), newline=""), strict=True))

    assert [(int(row["position"]), int(row["minutes"])) for row in rows] == [
        (one.position, one.minutes) for one in path.steps
    ]
    assert rows[0]["url"] == HIT.url


@settings(max_examples=40, deadline=None)
@given(st.text(), st.sampled_from(["", "=", "+", "-", "@", "\t=", "\r@", " =", "＝", "\x00-"]))
def test_no_cell_is_a_formula(words: str, start: str) -> None:
    """A spreadsheet computes nothing that a list has written."""
    path = made(start + words)
    rows = csv.reader(io.StringIO(written("csv", path).decode(), newline=""), strict=True)

    assert not [cell for row in rows for cell in row if re.match(r"[\s=+\-@＝＋－＠]", cell)]


@pytest.mark.parametrize("path", [PATH, ATTACK], ids=["plain", "hostile"])
def test_a_calendar_goes_on_at_the_pace(path: LearningPath) -> None:
    """An hour a day: a step of 90 minutes takes two days, and none begins before the one ahead of it."""
    calendar = icalendar.Calendar.from_ical(written("ics", path))
    events = calendar.walk("VEVENT")
    starts = [event.decoded("dtstart") for event in events]

    assert len({event["uid"] for event in events}) == len(path.steps)
    assert starts[0] == PACE.start
    assert events[0].decoded("dtend") == starts[0] + timedelta(days=2)
    assert starts == sorted(starts)
    assert not calendar.walk("VALARM")


def test_a_calendar_begins_today_unless_told() -> None:
    """The pace alone is enough."""
    event = icalendar.Calendar.from_ical(written("ics", pace=Pace())).walk("VEVENT")[0]

    assert abs(event.decoded("dtstart") - date.today()) <= timedelta(days=1)


def test_the_slowest_pace_ends_within_the_calendar() -> None:
    """The longest path from the last day that is allowed has dates."""
    long = PATH.model_copy(update={"steps": tuple(one.model_copy(update={"minutes": 10**6}) for one in PATH.steps)})

    assert written("ics", long, Pace(hours_per_week=0.5, start=date(2100, 12, 31)))


def test_anki_asks_for_every_topic() -> None:
    """A note a topic; its answer says what the topic builds on, and links to what teaches it."""
    notes = anki(PATH)

    assert [question for _, question, _ in notes] == [f"Explain: <b>topic {number}</b>" for number in range(3)]
    assert "Builds on <b>topic 0</b>: it uses it" in notes[1][2]
    assert f'<a href="{HIT.url}">Tiles</a>' in notes[1][2]


def test_ids_of_anki_come_from_the_path() -> None:
    """Another path has other notes, so that both can be imported."""
    other = PATH.model_copy(update={"id": "another"})

    assert not {id for id, _, _ in anki(PATH)} & {id for id, _, _ in anki(other)}


def test_titles_are_text_in_anki() -> None:
    """No tag but ours, no LaTeX, no sound, no template, no formula."""
    for _, question, answer in anki(ATTACK):
        tags = set(re.findall(r"</?(\w+)", question + answer))

        assert tags <= {"b", "br", "a", "span"}
        assert not re.search(r"[\[\]{]|\\[(\[]|javascript:[^<]*\">", question + answer)


@pytest.mark.parametrize("form", EXPORTS)
def test_a_path_without_steps_can_be_exported(form: Format) -> None:
    """Who is done with all of it gets an empty file of the format, no failure."""
    empty = LEARNING_PATH.model_copy(update={"steps": (), "minutes": 0})

    assert written(form, empty)


@pytest.mark.parametrize("form", EXPORTS)
def test_paths_of_the_starter_lists_can_be_exported(starter: Library, form: Format) -> None:
    """A real path passes through every format."""
    path = starter.plan(PathRequest(goal="flashattention"))

    assert written(form, path)
    assert any(isinstance(one.resource, Hit) for one in path.steps)
