"""What agents read before they ask: function schemas, llms.txt, the skill and the registry's server.json."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from api.app import create_app
from api.tools import QUOTED, TOOLS
from tests import fakes

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rest(starter_folder: Path) -> Iterator[TestClient]:
    with closing(fakes.library(starter_folder)) as library, TestClient(create_app(library)) as client:
        yield client


@pytest.fixture(scope="module")
def functions(rest: TestClient) -> dict[str, Any]:
    """The function schemas by name."""
    held = rest.get("/v1/tools.json").json()
    assert {one["type"] for one in held} == {"function"}
    return {one["function"]["name"]: one["function"] for one in held}


def test_functions_are_the_tools(functions: dict[str, Any]) -> None:
    assert list(functions) == list(TOOLS)
    for name, function in functions.items():
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name)
        assert 0 < len(function["description"]) <= 1024
        assert function["parameters"] == TOOLS[name].input_schema
        Draft202012Validator.check_schema(function["parameters"])


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_schema_explains_every_argument_and_refuses_others(tool: Any) -> None:
    schema = tool.input_schema

    assert schema["additionalProperties"] is False
    assert all(field["description"] for field in schema["properties"].values())
    assert set(schema["required"]) <= schema["properties"].keys()


def test_arguments_for_a_function_are_the_body_of_the_address_that_does_the_same(
    rest: TestClient, functions: dict[str, Any]
) -> None:
    asked: dict[str, dict[str, Any]] = {
        "search": {"query": "flashattention", "limit": 2},
        "plan_path": {"goal": "paged-attention"},
    }
    for name, arguments in asked.items():
        Draft202012Validator(functions[name]["parameters"]).validate(arguments)
    assert rest.post("/v1/search", json=asked["search"]).json()["hits"]
    assert rest.post("/v1/paths", json=asked["plan_path"]).json()["steps"]


def test_llms_txt_has_the_form_that_readers_expect(rest: TestClient) -> None:
    """A title, a quote that says what it is, sections of links: https://llmstxt.org."""
    answer = rest.get("/llms.txt")
    title, blank, quote, *rest_of_it = answer.text.splitlines()
    links = [line for line in rest_of_it if line.startswith("- ")]

    assert answer.headers["content-type"].startswith("text/plain")
    assert (title, blank, quote[:2]) == ("# warpath", "", "> ")
    assert links
    assert all(re.fullmatch(r"- \[[^]]+\]\(/[^)]*\): .+", line) for line in links)
    assert QUOTED in answer.text


def test_llms_txt_names_every_address_and_no_host(rest: TestClient) -> None:
    text = rest.get("/llms.txt").text
    missing = [path for path in rest.get("/openapi.json").json()["paths"] if f"]({path})" not in text]

    assert missing == []
    assert "](/mcp)" in text
    assert "://" not in text


def test_the_skill_has_the_form_that_agents_expect() -> None:
    """https://agentskills.io/specification: a name and when to use it before all else, and short."""
    _, head, body = (ROOT / "SKILL.md").read_text("utf-8").split("---\n", 2)
    facts = yaml.safe_load(head)

    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", facts["name"])
    assert "Use when" in facts["description"]
    assert len(facts["description"]) <= 1024
    assert len(facts["compatibility"]) <= 500
    assert len(body.splitlines()) < 500


def test_the_skill_speaks_of_the_tools_that_there_are() -> None:
    rows = re.findall(r"^\| [^|]+ \| `(\w+)` \| (.+) \|$", (ROOT / "SKILL.md").read_text("utf-8"), re.MULTILINE)

    assert {name for name, _ in rows} == TOOLS.keys()
    for name, arguments in rows:
        named = set(re.findall(r"`(\w+)`", arguments))
        assert named
        assert named <= TOOLS[name].input_schema["properties"].keys()


def test_the_manual_speaks_of_the_tools_that_there_are(rest: TestClient) -> None:
    text = (ROOT / "docs" / "mcp.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `(GET|POST) ([^`]+)` \|", text, re.MULTILINE)
    paths = rest.get("/openapi.json").json()["paths"]

    assert {name for name, _, _ in rows} == TOOLS.keys()
    assert all(method.lower() in paths[path] for _, method, path in rows)


def test_the_registry_entry_holds_what_the_registry_asks_for() -> None:
    """https://github.com/modelcontextprotocol/registry, docs/reference/server-json."""
    entry = json.loads((ROOT / "server.json").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (package,) = entry["packages"]

    assert re.fullmatch(
        r"https://static\.modelcontextprotocol\.io/schemas/[0-9-]+/server\.schema\.json", entry["$schema"]
    )
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert 0 < len(entry["description"]) <= 100
    assert entry["version"] == package["version"] == project["version"]
    assert package["identifier"] == project["name"]
    assert package["transport"] == {"type": "stdio"}
    assert [argument["value"] for argument in package["packageArguments"]] == ["mcp"]
