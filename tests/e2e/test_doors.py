"""The same answers at every door: REST, the client, the command line, MCP, functions and chat, over one store."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import httpx
import jsonschema
import mcp
import pytest
import yaml
from mcp_types import CallToolResult
from pydantic import ValidationError
from typer.testing import CliRunner, Result

from api import problems
from api.cli import app
from api.client import Client, ProblemError
from api.tools import TOOLS
from graph import errors
from graph.chat.ground import HITS
from graph.errors import WarpathError
from graph.library import Library
from tests import service

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "cases" / "doors.yaml"

Json = Mapping[str, Any]
Answers = Mapping[str, Json]  # by question


@dataclass(frozen=True)
class Question:
    """What a tool is asked: the name or words, with conditions; and what is to come of it."""

    tool: str
    fields: Json
    gives: str = "answer"

    def __str__(self) -> str:
        return f"{self.tool} {json.dumps(self.fields, ensure_ascii=False)}"

    @property
    def name(self) -> str:
        return str(next(iter(self.fields.values())))

    @property
    def conditions(self) -> Json:
        return dict(list(self.fields.items())[1:])


def questions() -> Iterator[Question]:
    for tool, cases in yaml.safe_load(CASES.read_text(encoding="utf-8")).items():
        for case in cases:
            gives = case.pop("gives", "answer")
            yield Question(tool, case, gives)


QUESTIONS = list(questions())
SEARCHES = [question for question in QUESTIONS if question.tool == "search"]
GOALS = [question for question in QUESTIONS if question.tool == "plan_path"]


def answers(ask: Callable[[Question], Json], asked: Iterable[Question] = QUESTIONS) -> Answers:
    return {str(question): ask(question) for question in asked}


# --- what is answered: the JSON of a value, or of a problem what the door tells of it


@pytest.fixture(scope="module")
def library(real: Library) -> Answers:
    """What all doors are compared with."""

    def ask(question: Question) -> Json:
        tool = TOOLS[question.tool]
        try:
            return tool.call(real, tool.request.model_validate(question.fields)).model_dump(mode="json")
        except WarpathError as error:
            return {
                "problem": problems.type_of(type(error)).slug,
                "detail": error.message,
                "hint": problems.hint(error),
                "nearest": list(getattr(error, "nearest", ())),
                "minimum_hours": getattr(error, "minimum_hours", None),
            }

    return answers(ask)


@pytest.fixture(scope="module")
def address(real: Library) -> Iterator[str]:
    with service.running(real) as (_, port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def http(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def rest_get(http: httpx.Client) -> Answers:
    return answers(lambda question: body(get(http, question)))


@pytest.fixture(scope="module")
def rest_post(http: httpx.Client) -> Answers:
    return answers(lambda question: body(post(http, question)), SEARCHES + GOALS)


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[Answers]:
    with Client(address, timeout=60) as client:
        methods = {"plan_path": client.path, "get_resource": client.resource, "get_topic": client.topic}
        methods |= {"get_kernel": client.kernel, "similar": client.similar, "search": client.search}

        def ask(question: Question) -> Json:
            try:
                return methods[question.tool](question.name, **question.conditions).model_dump(mode="json")
            except ProblemError as problem:
                return {
                    "problem": problem.type.removeprefix("/problems/"),
                    "detail": problem.detail,
                    "hint": problem.hint or None,
                    "nearest": list(problem.nearest),
                    "minimum_hours": problem.minimum_hours,
                }

        yield answers(ask)


@pytest.fixture(scope="module")
def command_line(open_once: None) -> Answers:
    def ask(question: Question) -> Json:
        result = run(question)
        if result.exit_code == 0:
            return dict(json.loads(result.stdout))
        error = json.loads(result.stderr)["error"]
        told = {"problem": problems.type_of(getattr(errors, error["type"])).slug}
        if question.tool.startswith("get_"):  # `show` looks among all sorts of things, and says so
            return told
        return told | {"detail": error["message"]} | {key: error[key] for key in OF_SOME if key in error}

    return answers(ask)


@pytest.fixture(scope="module")
def open_once(real: Library) -> Iterator[None]:
    """Every command asks the one library: to open stores and model takes each half a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.bootstrap.open_library", lambda settings: real)
        patch.setattr(real, "close", lambda: None)
        yield


@pytest.fixture(scope="module")
def mcp_http(address: str) -> Answers:
    return mcp_answers(f"{address}/mcp")


@pytest.fixture(scope="module")
def mcp_stdio(real: Library, real_folder: Path) -> Answers:
    real.close()  # the index serves one process at a time, and a second would build its own
    arguments = ["-m", "api.cli", "mcp", "--data", str(real_folder)]
    return mcp_answers(mcp.stdio_client(mcp.StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT)))


OF_SOME = ("nearest", "minimum_hours")  # members that only some problems have
PLACES = {"search": "search", "plan_path": "paths", "get_topic": "topics", "get_kernel": "kernels"}
COMMANDS = {"search": ["search"], "plan_path": ["path", "--no-progress"], "similar": ["similar"]}


def get(http: httpx.Client, question: Question) -> httpx.Response:
    """The question as an address."""
    query = {"q" if name == "query" else name: value for name, value in question.fields.items()}
    if question.tool in ("search", "plan_path"):
        return http.get(f"/v1/{PLACES[question.tool]}", params=query)
    place = f"/v1/{PLACES.get(question.tool, 'resources')}/{quote(question.name, safe='')}"
    return http.get(f"{place}/similar" if question.tool == "similar" else place, params=dict(question.conditions))


def post(http: httpx.Client, question: Question) -> httpx.Response:
    """The question as a body."""
    return http.post(f"/v1/{PLACES[question.tool]}", json=question.fields)


def body(response: httpx.Response) -> Json:
    held: dict[str, Any] = response.json()
    if response.is_success:
        return held
    told = {"problem": held["type"].removeprefix("/problems/"), "detail": held["detail"], "hint": held.get("hint")}
    return told | {key: held[key] for key in OF_SOME if key in held}


def run(question: Question) -> Result:
    """The question as a command."""
    words = [*COMMANDS.get(question.tool, ["show"]), "--json"]
    for name, value in question.conditions.items():
        option = f"--{'next' if name == 'cursor' else name.replace('_', '-')}"
        for one in value if isinstance(value, list) else [value]:
            words += [option] if one is True else [option, str(one)]
    return CliRunner().invoke(app, [*words, "--", question.name])


def mcp_answers(door: Any) -> Answers:
    """What the SDK's client hears over one connection."""

    async def ask() -> Answers:
        async with mcp.Client(door) as client:
            return {str(one): called(await client.call_tool(one.tool, dict(one.fields))) for one in QUESTIONS}

    return anyio.run(ask)


def called(result: CallToolResult) -> Json:
    """The structured content; of a problem there is but the text, whose hint is a quote."""
    if not result.is_error:
        return dict(result.structured_content or {})
    detail, *hint = getattr(result.content[0], "text", "").split("\n> ")
    return {"detail": detail, "hint": hint[0] if hint else None}


# --- the contract


def test_enough_is_asked() -> None:
    """Fifty queries and twenty goals, among them each way in which they end."""
    assert len(SEARCHES) >= 50
    assert len(GOALS) >= 20
    assert {question.gives for question in QUESTIONS} == {
        "answer", "abstain", "unknown-name", "bad-request", "bad-cursor", "budget-too-small", "nothing-covered",
    }  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_a_question_is_answered_as_its_case_says(library: Answers, question: Question) -> None:
    answer = library[str(question)]

    assert answer.get("problem", "abstain" if answer.get("abstain") else "answer") == question.gives


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
@pytest.mark.parametrize("door", ["rest_get", "client", "command_line", "mcp_http", "mcp_stdio"])
def test_every_door_gives_the_same(
    request: pytest.FixtureRequest, library: Answers, door: str, question: Question
) -> None:
    same(request.getfixturevalue(door)[str(question)], library[str(question)])


@pytest.mark.parametrize("question", SEARCHES + GOALS, ids=str)
def test_a_body_gives_what_an_address_gives(rest_post: Answers, library: Answers, question: Question) -> None:
    same(rest_post[str(question)], library[str(question)])


def same(told: Json, expected: Json) -> None:
    """Whether two answers are one JSON; of a problem, whether all that a door tells is so."""
    if "problem" in expected:
        assert told
        expected = {key: value for key, value in expected.items() if key in told}
    assert canonical(told) == canonical(expected)


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("question", QUESTIONS, ids=str)
def test_every_question_fits_the_function_that_frameworks_call(http: httpx.Client, question: Question) -> None:
    functions = {tool["function"]["name"]: tool["function"] for tool in http.get("/v1/tools.json").json()}

    jsonschema.validate(dict(question.fields), functions[question.tool]["parameters"])
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**question.fields, "colour": "red"}, functions[question.tool]["parameters"])


WRONG = [
    Question("search", {"query": ""}),
    Question("search", {"query": "attention", "limit": 0}),
    Question("search", {"query": "attention", "kind": ["podcast"]}),
    Question("search", {"query": "attention", "max_tier": 0}),
    Question("plan_path", {"goal": "softmax", "hours": -1}),
    Question("plan_path", {"goal": "softmax", "hours": 20_000}),
]


@pytest.mark.parametrize("question", WRONG, ids=str)
def test_a_wrong_value_is_refused_at_every_door_by_its_name(
    http: httpx.Client, address: str, open_once: None, question: Question
) -> None:
    wrong = list(question.fields)[-1]
    by_get, by_post = get(http, question), post(http, question)
    command = run(question)

    async def call() -> CallToolResult:
        async with mcp.Client(f"{address}/mcp") as client:
            return await client.call_tool(question.tool, dict(question.fields))

    assert [by_get.status_code, by_post.status_code, command.exit_code] == [422, 422, 2]
    assert by_get.json()["errors"][0]["parameter"].split(".")[0] == ("q" if wrong == "query" else wrong)
    assert by_post.json()["errors"][0]["pointer"].split("/")[1] == wrong
    assert wrong.replace("_", "-") in command.stderr.replace("_", "-")
    assert wrong in called(anyio.run(call))["detail"]
    with Client(address) as client, pytest.raises(ValidationError, match=wrong):
        (client.search if question.tool == "search" else client.path)(question.name, **question.conditions)


# --- chat says it in words: of the same plans and the same hits


LEARNER = {"know", "hardware", "max_tier", "hours"}  # the conditions that a chat takes


def chat(http: httpx.Client, question: Question) -> Json:
    """What comes of the question as a message."""
    return body(http.post("/v1/chat", json={"message": question.name, **question.conditions}))


@pytest.mark.parametrize("question", GOALS, ids=str)
def test_chat_speaks_of_the_path_that_rest_gives(http: httpx.Client, library: Answers, question: Question) -> None:
    """In too few hours of the shortest; of none where the lists do not answer."""
    said, plan = chat(http, question), library[str(question)]
    if hours := plan.get("minimum_hours"):
        plan = body(post(http, Question("plan_path", {**question.fields, "hours": hours})))

    if question.gives == "unknown-name":
        same(said, plan)
    else:
        assert said["abstain"] == (question.gives == "nothing-covered")
        assert canonical(said["path"]) == canonical(None if said["abstain"] else plan)


@pytest.mark.parametrize("question", [one for one in SEARCHES if one.conditions.keys() <= LEARNER], ids=str)
def test_chat_cites_what_search_finds_and_what_the_path_holds(
    http: httpx.Client, library: Answers, question: Question
) -> None:
    said, found = chat(http, question), library[str(question)]
    if "problem" in found:
        same(said, found)
        return
    steps = said["path"]["steps"] if said["path"] else ()
    shown = {hit["id"] for hit in found["hits"][:HITS]} | {step["resource"]["id"] for step in steps if step["resource"]}

    cited = {one["id"] for one in said["citations"] if one["kind"] == "resource"}
    assert said["abstain"] == found["abstain"] == (not cited)
    assert cited <= shown
