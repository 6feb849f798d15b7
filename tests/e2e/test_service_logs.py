"""What an operator sees: a line for every request, figures for Prometheus, spans where they are wanted."""

from __future__ import annotations

import json
import logging
import logging.config
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from api import logs
from api.app import create_app
from api.settings import LEAST_KEY, Settings
from graph.errors import StoreUnavailable
from graph.library import Library
from tests.service import settings

SECRET = "s" * LEAST_KEY
ROOT = Path(__file__).parents[2]


class Logged:
    """A client of the service, and what it logs."""

    def __init__(self, library: Library, made: Settings) -> None:
        config = logs.config(made)
        self._stream = StringIO()
        config["handlers"]["stderr"]["stream"] = self._stream
        logging.config.dictConfig(config)
        self.client = TestClient(create_app(library, made), raise_server_exceptions=False)

    @property
    def text(self) -> str:
        return self._stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


def test_a_request_is_one_line_of_json(starter: Library) -> None:
    logged = Logged(starter, settings(log="json"))
    logged.client.get("/v1/topics/tiling", headers={"X-Request-ID": "trace-7"})
    (line,) = logged.lines

    assert (line["request_id"], line["method"], line["route"]) == ("trace-7", "GET", "/v1/topics/{slug}")
    assert (line["status"], line["level"], line["caller"]) == (200, "INFO", None)
    assert line["ms"] > 0
    assert line["time"]


@pytest.mark.parametrize(
    ("method", "path", "route", "status"),
    [
        ("GET", "/v1/nothing", "none", 404),
        ("DELETE", "/v1/search", "/v1/search", 405),
        ("HEAD", "/v1/topics", "/v1/topics", 200),
        ("GET", "/v1/search", "/v1/search", 422),
        ("POST", "/v1/ingest", "none", 403),
        ("GET", "/mcp", "/mcp", 405),
    ],
)
def test_every_end_of_a_request_is_told(starter: Library, method: str, path: str, route: str, status: int) -> None:
    logged = Logged(starter, settings(log="json"))
    logged.client.request(method, path)
    (line,) = logged.lines

    assert (line["method"], line["route"], line["status"]) == (method, route, status)


@pytest.mark.parametrize("form", ["text", "json"])
def test_neither_keys_nor_questions_are_logged(starter: Library, form: str) -> None:
    logged = Logged(starter, settings(log=form, read_keys=SECRET))
    for headers in ({"Authorization": f"Bearer {SECRET}"}, {"X-API-Key": "wrong-" + SECRET}):
        logged.client.get("/v1/search?q=my+private+question", headers=headers)
        logged.client.post("/v1/search", json={"query": "my private question"}, headers=headers)
        logged.client.get("/v1/topics/my private question", headers=headers)

    assert len(logged.text.splitlines()) == 6
    assert SECRET not in logged.text
    assert "private" not in logged.text


def test_a_caller_is_told_by_a_name_that_is_not_the_key(starter: Library) -> None:
    logged = Logged(starter, settings(log="json", read_keys=SECRET))
    for _ in range(2):
        logged.client.get("/v1/topics", headers={"X-API-Key": SECRET})

    assert len({line["caller"] for line in logged.lines}) == 1
    assert len(logged.lines[0]["caller"]) == 8


def test_questions_are_logged_when_the_operator_asks_for_it(starter: Library) -> None:
    logged = Logged(starter, settings(log="json", log_queries=True))
    logged.client.get("/v1/search?q=tiling")

    assert logged.lines[0]["query"] == "q=tiling"


def test_a_fault_of_ours_is_logged_with_its_trace(starter: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    logged = Logged(starter, settings(log="json"))
    monkeypatch.setattr(starter, "topics", lambda: 1 / 0)
    logged.client.get("/v1/topics", headers={"X-Request-ID": "trace-8"})
    fault, line = logged.lines

    assert "ZeroDivisionError" in fault["exc_info"]
    assert "trace-8" in fault["message"]
    assert (line["status"], line["level"]) == (500, "ERROR")


def figures(client: TestClient, **headers: str) -> dict[str, float]:
    """All samples, by name and labels."""
    answer = client.get("/metrics", headers=headers)
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_requests_are_counted_by_route_and_status(starter: Library) -> None:
    client = TestClient(create_app(starter, settings(metrics="open")))
    for path in ("/v1/topics/tiling", "/v1/topics/warps", "/v1/topics/nonsense", "/v1/no/such/1", "/v1/no/such/2"):
        client.get(path)
    held = figures(client)

    assert held["warpath_requests_total[('method', 'GET'), ('route', '/v1/topics/{slug}'), ('status', '200')]"] == 2
    assert held["warpath_requests_total[('method', 'GET'), ('route', '/v1/topics/{slug}'), ('status', '404')]"] == 1
    assert held["warpath_requests_total[('method', 'GET'), ('route', 'none'), ('status', '404')]"] == 2
    assert held["warpath_request_seconds_count[('method', 'GET'), ('route', '/v1/topics/{slug}')]"] == 3


def test_the_stores_are_measured(starter: Library) -> None:
    held = figures(TestClient(create_app(starter, settings(metrics="open"))))
    status = starter.status()

    assert held["warpath_store_up[]"] == 1
    assert held["warpath_index_agrees[]"] == status.index_ready
    assert held["warpath_nodes[('kind', 'Resource')]"] == status.nodes["Resource"]
    assert held["warpath_vectors[]"] == status.vectors


def test_a_store_that_is_away_is_a_figure_too(starter: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise StoreUnavailable("It does not answer.")

    monkeypatch.setattr(starter, "status", away)
    held = figures(TestClient(create_app(starter, settings(metrics="open"))))

    assert held["warpath_store_up[]"] == 0
    assert "warpath_vectors[]" not in held


def test_a_method_that_nobody_knows_makes_no_figure_of_its_own(starter: Library) -> None:
    """Whoever asks cannot fill the memory with names."""
    client = TestClient(create_app(starter, settings(metrics="open")))
    for n in range(3):
        client.request(f"BREW{n}", "/v1/topics")

    assert not any("BREW" in name for name in figures(client))


@pytest.mark.parametrize(("metrics", "statuses"), [("off", (404, 404)), ("open", (200, 200)), ("keyed", (401, 200))])
def test_figures_are_for_whom_the_operator_wants(starter: Library, metrics: str, statuses: tuple[int, int]) -> None:
    """With reading open to all, figures may still need a key."""
    client = TestClient(create_app(starter, settings(metrics=metrics, write_keys=SECRET)))
    told = client.get("/metrics").status_code, client.get("/metrics", headers={"X-API-Key": SECRET}).status_code

    assert told == statuses
    assert client.get("/v1/topics").status_code == 200


def test_requests_become_spans_where_a_tracer_is(starter: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    client = TestClient(create_app(starter))
    client.get("/v1/topics/tiling")
    client.get("/healthz")
    spans = [span for span in exporter.get_finished_spans() if span.kind is trace.SpanKind.SERVER]

    assert [span.name for span in spans] == ["GET /v1/topics/{slug}"]
    assert spans[0].attributes["http.response.status_code"] == 200


def test_a_service_that_is_not_measured_pays_for_no_measuring() -> None:
    heavy = ("prometheus_client", "limits", "opentelemetry.sdk", "ingest.pipeline")
    code = f"import sys, api.app; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
