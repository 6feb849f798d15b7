"""The examples of docs/doors.md, run as they stand against `warpath serve`, but for the port."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import anyio
import httpx
import mcp
import pytest

from api.tools import TOOLS
from tests.examples import ADDRESS, examples

PAGE = "doors.md"
SERVE = "warpath serve"
SHELL = [line for block in examples(PAGE, "sh") for line in block.replace(",\n ", ",").splitlines() if line != SERVE]
GIVES = ['"hits"', "understand PagedAttention: ", '"hits"', '"steps"', '"function"', '"citations"', '"choices"']  # each
START_SECONDS = 120

Environment = Mapping[str, str]


@pytest.fixture(scope="module")
def environment(real_folder: Path) -> Environment:
    """A shell in which warpath is installed and the starter lists are ingested."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("WARPATH_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}"
    return {**kept, "PATH": path, "WARPATH_DATA": str(real_folder)}


@pytest.fixture(scope="module")
def address(environment: Environment) -> Iterator[str]:
    """Where the service answers that the page starts."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    serve = subprocess.Popen(shlex.split(SERVE), env={**environment, "WARPATH_PORT": str(port)})
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz", serve)
        yield f"http://127.0.0.1:{port}"
    finally:
        serve.terminate()
        serve.wait(START_SECONDS)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            httpx.get(url)
            return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail(f"`{SERVE}` does not answer")


def test_every_door_has_an_example() -> None:
    assert SERVE in "".join(examples(PAGE, "sh")).splitlines()
    assert [len(examples(PAGE, language)) for language in ("json", "python", "text", "html")] == [2, 1, 1, 1]


@pytest.mark.parametrize(("line", "gives"), list(zip(SHELL, GIVES, strict=True)))
def test_a_command_does_what_the_page_says(environment: Environment, address: str, line: str, gives: str) -> None:
    """curl ends with a failure where a problem comes (-f)."""
    command = line.replace(ADDRESS, address)
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert gives in done.stdout


@pytest.mark.parametrize("config", examples(PAGE, "json"))
def test_an_agent_connects_as_the_page_says(environment: Environment, address: str, config: str) -> None:
    given = json.loads(config.replace(ADDRESS, address))["mcpServers"]["warpath"]
    door = given["url"] if "url" in given else mcp.stdio_client(
        mcp.StdioServerParameters(command=given["command"], args=given["args"], env=dict(environment))
    )  # fmt: skip

    async def tools() -> list[str]:
        async with mcp.Client(door) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert anyio.run(tools) == list(TOOLS)


@pytest.mark.parametrize("example", examples(PAGE, "python"))
def test_the_client_is_used_as_the_page_says(address: str, example: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(example.replace(ADDRESS, address), {})

    assert "https://" in capsys.readouterr().out
