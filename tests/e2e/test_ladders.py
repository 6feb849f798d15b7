"""The ladder of a kernel over REST: its steps, and what was measured of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import kernels_ref
from graph.library import Library
from tests.service import running

SGEMM = Path(kernels_ref.__path__[0]) / "sgemm-ladder"


@pytest.fixture(scope="module")
def client(starter: Library) -> Iterator[httpx.Client]:
    """A client of a real server over the starter lists."""
    with (
        running(starter) as (_, port),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client,
    ):
        yield client


def test_every_step_has_its_newest_measurement(client: httpx.Client) -> None:
    newest = json.loads(max((SGEMM / "results").glob("*.json")).read_text())
    measured = {(one["variant"], one["workload"]): one["median_us"] for one in newest["records"] if "median_us" in one}

    steps = client.get("/v1/kernels/sgemm-ladder/ladder").json()

    assert [step["id"] for step in steps] == ["eager", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8"]
    assert {(step["id"], one["workload"]): one["median_us"] for step in steps for one in step["times"]} == measured
    assert steps[1]["idea"]


def test_a_kernel_goes_by_its_title_too(client: httpx.Client) -> None:
    assert client.get("/v1/kernels/SGEMM ladder/ladder").json()[0]["id"] == "eager"


def test_a_kernel_that_is_only_described_has_no_steps(client: httpx.Client) -> None:
    assert client.get("/v1/kernels/mega-moe/ladder").json() == []


def test_an_unknown_kernel_has_no_ladder(client: httpx.Client) -> None:
    assert client.get("/v1/kernels/no-such/ladder").json()["type"] == "/problems/unknown-name"
