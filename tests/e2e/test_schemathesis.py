"""The service keeps what its OpenAPI document promises, whatever is asked: made-up requests to every operation.

https://schemathesis.readthedocs.io/ makes them from the document. Checked are: no server error, no status and no media
type that the document does not name, answers that match their schema, and wrong requests refused.
"""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.schemas import BaseSchema

from api.app import create_app
from api.writing import Writer
from graph.library import Library
from graph.models import IngestReport
from tests.service import settings as service_settings

KEY = "schemathesis-writes"
PATHS = create_app(Library.__new__(Library)).openapi()["paths"]  # a document asks no library
OPERATIONS = [(path, method) for path, held in PATHS.items() for method in held]
TAKE_VALUES = [
    (path, method)
    for path, method in OPERATIONS
    if "requestBody" in PATHS[path][method]
    or any(parameter["in"] == "query" for parameter in PATHS[path][method].get("parameters", ()))
]
CHECKS = {
    "ignored_auth": {"enabled": False},  # a key is sent with everything
    "positive_data_acceptance": {"enabled": False},  # a schema cannot tell a date too early or a list too empty
    "negative_data_rejection": {"expected-statuses": [400, 401, 403, 404, 408, 413, 414, 415, 422, 431]},
}
BODIES = {  # what JSON means is clear where its type is not the schema's: true is read as 1
    "include-method": "POST",
    "checks": {"negative_data_rejection": {"enabled": False}},
}


class ToldToWrite(Writer):
    """Writes nothing, and says so: the store is shared with other tests."""

    def __init__(self) -> None:
        pass

    def ingest(self, documents: object) -> IngestReport:
        return IngestReport(read=(), resources=0, written=0, removed=0, embedded=0, seconds=0)

    def forget(self, source: str) -> IngestReport:
        return self.ingest(())


@pytest.fixture(scope="module")
def document(starter: Library) -> BaseSchema:
    """What a service over all starter lists promises."""
    app = create_app(starter, service_settings(write_keys=KEY))
    app.state.writer = ToldToWrite()
    config = schemathesis.Config.from_dict({"checks": CHECKS, "operations": [BODIES]})
    return schemathesis.openapi.from_asgi("/openapi.json", app, config=config)


def check(document: BaseSchema, path: str, method: str, mode: GenerationMode, examples: int) -> None:
    """Asks an operation that many made-up questions."""

    @given(case=document[path][method].as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    def keeps_its_promises(case: Case) -> None:
        case.call_and_validate(headers={"X-API-Key": KEY})

    keeps_its_promises()


def named(operations: list[tuple[str, str]]) -> list[object]:
    return [pytest.param(path, method, id=f"{method} {path}") for path, method in operations]


@pytest.mark.parametrize(("path", "method"), named(OPERATIONS))
def test_right_requests_get_what_was_promised(document: BaseSchema, path: str, method: str) -> None:
    check(document, path, method, GenerationMode.POSITIVE, 20)


@pytest.mark.parametrize(("path", "method"), named(TAKE_VALUES))
def test_wrong_requests_are_refused_as_was_promised(document: BaseSchema, path: str, method: str) -> None:
    check(document, path, method, GenerationMode.NEGATIVE, 20)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method"), named(OPERATIONS))
def test_right_requests_get_what_was_promised_however_often(document: BaseSchema, path: str, method: str) -> None:
    check(document, path, method, GenerationMode.POSITIVE, 500)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method"), named(TAKE_VALUES))
def test_wrong_requests_are_refused_however_often(document: BaseSchema, path: str, method: str) -> None:
    check(document, path, method, GenerationMode.NEGATIVE, 500)
