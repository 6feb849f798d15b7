"""The REST service over a small library, behind a real server on the loopback."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
import pytest

from api import examples
from api.app import create_app, server
from api.middleware import MOST_BYTES
from api.problems import ALL_TYPES, MEDIA_TYPE, MOST_FAULTS, type_of
from api.schema import path_schema
from graph import errors
from graph.exports import EXPORTS
from graph.library import Library
from graph.models import (
    DevlogPost,
    Fault,
    Format,
    Hardware,
    KernelLine,
    KernelPage,
    Learner,
    LearningPath,
    Pace,
    PathRequest,
    Resource,
    SearchAnswer,
    SearchAnswerWithPath,
    SearchRequest,
    SimilarAnswer,
    SimilarRequest,
    SourceLine,
    TopicLine,
    TopicPage,
)

Answer = TypeVar("Answer")


class FakeLibrary(Library):
    """Answers with the examples, remembers what it was asked, and fails with `fault` when told to."""

    def __init__(self) -> None:
        self.asked: Any = None
        self.fault: Exception | None = None
        self.closed = False

    def _answer(self, asked: object, answer: Answer) -> Answer:
        self.asked = asked
        if self.fault:
            raise self.fault
        return answer

    def search(self, request: SearchRequest) -> SearchAnswer:
        path = examples.LEARNING_PATH if request.query == "x" else None
        answer = SearchAnswerWithPath(**dict(examples.SEARCH_ANSWER), path=path)
        return self._answer(request, answer if request.path else examples.SEARCH_ANSWER)

    def similar(self, name: str, request: SimilarRequest | None = None) -> SimilarAnswer:
        return self._answer((name, request), examples.SIMILAR_ANSWER)

    def plan(self, request: PathRequest) -> LearningPath:
        return self._answer(request, examples.LEARNING_PATH)

    def plan_to_resource(self, name: str, learner: Learner) -> LearningPath:
        return self._answer((name, learner), examples.LEARNING_PATH)

    def plan_to_kernel(self, name: str, learner: Learner) -> LearningPath:
        return self._answer((name, learner), examples.LEARNING_PATH)

    def kernels(self) -> list[KernelLine]:
        return self._answer(None, [examples.KERNEL_PAGE.kernel])

    def kernel(self, name: str) -> KernelPage:
        return self._answer(name, examples.KERNEL_PAGE)

    def validate(self, path: LearningPath) -> list[Fault]:
        return self._answer(path, [] if path == examples.LEARNING_PATH else list(examples.VERDICT.faults))

    def resource(self, name: str) -> Resource:
        return self._answer(name, examples.RESOURCE)

    def topics(self) -> list[TopicLine]:
        return self._answer(None, [examples.TOPIC_LINE])

    def topic(self, name: str) -> TopicPage:
        return self._answer(name, examples.TOPIC_PAGE)

    def hardware(self) -> list[Hardware]:
        return self._answer(None, [examples.HARDWARE])

    def sources(self) -> list[SourceLine]:
        return self._answer(None, [examples.SOURCE_LINE])

    def devlog(self) -> list[DevlogPost]:
        return self._answer(None, [examples.DEVLOG_POST])

    def ready(self) -> None:
        self._answer(None, None)

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="module")
def shared_library() -> FakeLibrary:
    return FakeLibrary()


@pytest.fixture(scope="module")
def address(shared_library: FakeLibrary) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        running = server(shared_library)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]})
        thread.start()
        deadline = time.monotonic() + 20
        while not running.started and thread.is_alive() and time.monotonic() < deadline:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        running.should_exit = True
        thread.join(20)
    assert shared_library.closed, "the service closes its library when it stops"


@pytest.fixture
def library(shared_library: FakeLibrary) -> FakeLibrary:
    shared_library.asked = shared_library.fault = None
    return shared_library


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, trust_env=False) as client:
        yield client


def problem(answer: httpx.Response, slug: str) -> dict[str, Any]:
    """The problem in an answer, checked for what every problem has."""
    held: dict[str, Any] = answer.json()
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert held["type"] == f"/problems/{slug}"
    assert held["status"] == answer.status_code == ALL_TYPES[slug].status
    assert held["title"] == ALL_TYPES[slug].title
    assert held["detail"].endswith((".", "?", "!"))
    assert held["request_id"] == answer.headers["x-request-id"]
    assert held["instance"].startswith("/")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "Traceback" not in answer.text
    return held


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/v1/search?q=x", examples.SEARCH_ANSWER),
        ("/v1/paths?goal=x", examples.LEARNING_PATH),
        ("/v1/resources/x", examples.RESOURCE),
        ("/v1/resources/x/path", examples.LEARNING_PATH),
        ("/v1/resources/x/similar", examples.SIMILAR_ANSWER),
        ("/v1/kernels", [examples.KERNEL_PAGE.kernel]),
        ("/v1/kernels/x", examples.KERNEL_PAGE),
        ("/v1/kernels/x/path", examples.LEARNING_PATH),
        ("/v1/topics/x", examples.TOPIC_PAGE),
        ("/v1/topics", [examples.TOPIC_LINE]),
        ("/v1/hardware", [examples.HARDWARE]),
        ("/v1/sources", [examples.SOURCE_LINE]),
        ("/v1/devlog", [examples.DEVLOG_POST]),
    ],
)
def test_an_answer_is_the_value_as_json(client: httpx.Client, library: FakeLibrary, path: str, expected: Any) -> None:
    """Every endpoint gives the library's value and nothing else."""
    answer = client.get(path)
    as_list = [one.model_dump(mode="json") for one in (expected if isinstance(expected, list) else [expected])]
    assert answer.status_code == 200
    assert answer.json() == (as_list if isinstance(expected, list) else as_list[0])


def test_a_query_string_and_a_body_ask_the_same(client: httpx.Client, library: FakeLibrary) -> None:
    """GET with repeated parameters becomes the request that POST takes as JSON."""
    request = SearchRequest(
        query="tiling & swizzling",
        limit=3,
        kind=("blog", "repo"),
        hardware="h100",
        max_tier=2,
        topic=("tiling", "swizzling"),
        author=("A. Author",),
        source=("a.md", "b.md"),
        status=("to_read",),
        facets=True,
        cursor="abc",
    )
    fields = request.model_dump(mode="json")
    given = {k: v for k, v in fields.items() if v is not None and k != "query"}
    client.get("/v1/search", params={"q": fields["query"], **given})
    by_query = library.asked
    client.post("/v1/search", json=fields)
    assert by_query == library.asked == request


def test_a_path_is_asked_by_query_string_or_body(client: httpx.Client, library: FakeLibrary) -> None:
    """Both forms of a path request reach the planner alike."""
    fields: dict[str, Any] = {"goal": "tiling", "know": ["a", "b"], "max_tier": 1, "hardware": "h100", "hours": 2.5}
    client.get("/v1/paths", params=fields)
    by_query = library.asked
    client.post("/v1/paths", json=fields)
    assert by_query == library.asked == PathRequest.model_validate(fields)


@pytest.mark.parametrize("form", EXPORTS)
def test_a_path_is_exported_as_a_file(client: httpx.Client, library: FakeLibrary, form: Format) -> None:
    """Its media type and name are those of the format; a query string and a body give the same."""
    fields: dict[str, Any] = {"goal": "tiling", "format": form, "start": "2030-01-07", "done": ["warps", "x"]}
    answer = client.get("/v1/paths/export", params=fields)
    by_body = client.post("/v1/paths/export", json=fields)
    assert answer.status_code == 200
    assert answer.content == EXPORTS[form].write(examples.LEARNING_PATH, Pace(start=date(2030, 1, 7)))
    assert answer.content == by_body.content
    assert answer.headers["content-type"] == EXPORTS[form].media_type
    assert answer.headers["content-disposition"].endswith(f'{EXPORTS[form].suffix}"')
    assert library.asked == PathRequest(goal="tiling", done=("warps", "x"))


def test_the_schema_of_a_path_can_be_read(client: httpx.Client) -> None:
    """It stands at the address that it names itself."""
    held = client.get("/v1/schemas/path.json").json()
    assert client.get(held["$id"]).json() == held == path_schema()


def test_a_path_is_judged_as_it_was_given(client: httpx.Client, library: FakeLibrary) -> None:
    """What an answer held comes back whole; a path with faults is an answer too."""
    given = client.get("/v1/paths?goal=x").json()
    assert client.post("/v1/paths/validate", json=given).json() == {"valid": True, "faults": []}
    assert library.asked == examples.LEARNING_PATH
    judged = client.post("/v1/paths/validate", json={**given, "id": "x"}).json()
    assert judged == examples.VERDICT.model_dump(mode="json")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"steps": 1}, "#/steps"),
        ({"minutes": "many"}, "#/minutes"),
        ({"more": 1}, "#/more"),
        ({"goal": None}, "#/goal"),
    ],
)
def test_a_body_that_is_no_path_is_pointed_at(
    client: httpx.Client, library: FakeLibrary, change: dict[str, Any], pointer: str
) -> None:
    """Broken JSON is told like that of any other request."""
    body = {**examples.LEARNING_PATH.model_dump(mode="json"), **change}
    held = problem(client.post("/v1/paths/validate", json=body), "invalid-request")
    assert held["errors"][0]["pointer"] == pointer
    assert library.asked is None


def test_a_resource_is_found_by_its_address(client: httpx.Client, library: FakeLibrary) -> None:
    """A URL as name arrives whole, slashes and query included."""
    url = "https://example.org/a/b?c=d"
    client.get("/v1/resources/" + quote(url, safe=""))
    assert library.asked == url


@pytest.mark.parametrize("kind", ["resources", "kernels"])
def test_the_path_to_a_thing_takes_what_a_learner_has(client: httpx.Client, library: FakeLibrary, kind: str) -> None:
    """The same words as for any path, but no goal: the thing is the goal."""
    client.get(f"/v1/{kind}/a%2Fb/path?know=warps&know=tma&hardware=h100&hours=2.5&max_tier=1&done=tiling")
    learner = Learner(know=("warps", "tma"), hardware="h100", hours=2.5, max_tier=1, done=("tiling",))
    assert library.asked == ("a/b", learner)
    problem(client.get(f"/v1/{kind}/x/path?goal=y"), "invalid-request")


def test_an_address_that_ends_in_path_is_still_a_name(client: httpx.Client, library: FakeLibrary) -> None:
    """Only a slash that was sent as one parts the name from /path."""
    url = "https://example.org/path"
    client.get("/v1/resources/" + quote(url, safe=""))
    assert library.asked == url
    client.get("/v1/resources/" + quote(url, safe="") + "/path")
    assert library.asked == (url, Learner())


@pytest.mark.parametrize("path", ["/v1/resources/x/path", "/v1/kernels/x", "/v1/kernels/x/path"])
def test_an_unknown_thing_has_no_path(client: httpx.Client, library: FakeLibrary, path: str) -> None:
    """It is a 404 that names what comes near."""
    library.fault = errors.UnknownName("thing", "x", ["y"])
    assert problem(client.get(path), "unknown-name")["nearest"] == ["y"]


def test_what_is_like_a_resource_may_have_to_meet_conditions(client: httpx.Client, library: FakeLibrary) -> None:
    """The same as for a search, and the name may be an address."""
    client.get("/v1/resources/https%3A%2F%2Fexample.org%2Fa/similar?limit=3&kind=blog&kind=paper&max_tier=2")
    assert library.asked == ("https://example.org/a", SimilarRequest(limit=3, kind=("blog", "paper"), max_tier=2))
    problem(client.get("/v1/resources/x/similar?q=y"), "invalid-request")


def test_a_search_holds_a_path_only_when_asked(client: httpx.Client, library: FakeLibrary) -> None:
    """Asked for and not there it is null; not asked for the field is absent."""
    asked = client.get("/v1/search?q=x&path=true").json()
    none = client.post("/v1/search", json={"query": "nothing", "path": True}).json()
    plain = client.get("/v1/search?q=x").json()
    assert asked == {**plain, "path": examples.LEARNING_PATH.model_dump(mode="json")}
    assert none == {**plain, "path": None}
    assert "path" not in plain


ERRORS = [
    errors.BadRequest("Not like this.", hint="Like that."),
    errors.UnknownName("topic", "tilng", ["tiling"]),
    errors.BadCursor("That is no cursor."),
    errors.NothingCovered("baking bread", ["tiling"]),
    errors.BudgetTooSmall(1, 7.5),
    errors.UnreadableSource("Not text."),
    errors.BadOntology("topics.yaml, line 3: no name."),
    errors.StoreError("The store failed."),
    errors.StoreBusy("Another process writes."),
    errors.StoreChanged("It has changed."),
    errors.StoreEmpty("Nothing has been ingested yet.", hint="`warpath ingest` reads the starter lists."),
    errors.StoreOutdated("Written by another version."),
    errors.StoreUnavailable("It does not answer."),
    errors.ModelError("The model is missing."),
]


def _family(base: type[errors.WarpathError]) -> set[type[errors.WarpathError]]:
    return {base}.union(*map(_family, base.__subclasses__()))


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_error_of_the_family_is_a_problem(
    client: httpx.Client, library: FakeLibrary, error: errors.WarpathError
) -> None:
    """The table's status and page, the error's own sentence, and its facts."""
    library.fault = error
    held = problem(client.get("/v1/search?q=x"), type_of(type(error)).slug)
    assert held["detail"] == error.message
    assert held.get("nearest") == (list(error.nearest) if hasattr(error, "nearest") else None)
    assert held.get("minimum_hours") == getattr(error, "minimum_hours", None)
    assert "--" not in held.get("hint", ""), "a hint speaks of REST, not of the command line"


def test_no_error_is_missing_from_the_table() -> None:
    """Each class of the family has a page of its own, and is tried above."""
    tried = {type(error) for error in ERRORS} | {errors.WarpathError}
    assert _family(errors.WarpathError) == tried
    assert len({type_of(error).slug for error in tried}) == len(tried)


@pytest.mark.parametrize(
    ("error", "waits"),
    [(errors.StoreBusy("Busy."), True), (errors.StoreUnavailable("Away."), True), (errors.StoreEmpty("Empty."), False)],
    ids=["busy", "unavailable", "empty"],
)
def test_retry_after_stands_where_waiting_may_help(
    client: httpx.Client, library: FakeLibrary, error: errors.StoreError, waits: bool
) -> None:
    """A busy store passes by itself; an empty one needs its operator."""
    library.fault = error
    answer = client.get("/v1/topics")
    assert answer.status_code == 503
    assert answer.headers.get("retry-after", "").isdecimal() is waits


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/v1/search", "q"),
        ("/v1/search?q=", "q"),
        ("/v1/search?q=x&limit=0", "limit"),
        ("/v1/search?q=x&limit=many", "limit"),
        ("/v1/search?q=x&kind=poem", "kind.0"),
        ("/v1/search?q=x&kinds=blog", "kinds"),
        ("/v1/paths?goal=x&hours=nan", "hours"),
        ("/v1/paths?goal=x&hours=-1", "hours"),
        ("/v1/paths/export?goal=x", "format"),
        ("/v1/paths/export?goal=x&format=pdf", "format"),
        ("/v1/paths/export?goal=x&format=ics&start=9999-12-31", "start"),
        ("/v1/paths/export?goal=x&format=ics&hours_per_week=0", "hours_per_week"),
        ("/v1/topics/" + "x" * 2001, "slug"),
    ],
)
def test_a_wrong_parameter_is_named(client: httpx.Client, library: FakeLibrary, path: str, parameter: str) -> None:
    """Validation says which parameter does not fit, misspelt ones too."""
    held = problem(client.get(path), "invalid-request")
    assert [fault["parameter"] for fault in held["errors"]] == [parameter]
    assert library.asked is None


@pytest.mark.parametrize(
    ("body", "slug", "pointer"),
    [
        ('{"query": "x", "limit": 1000}', "invalid-request", "#/limit"),
        ('{"query": "x", "a/b~c": 1}', "invalid-request", "#/a~1b~0c"),
        ('{"query": "x", "\\ud800": 1}', "invalid-request", "#"),
        ('{"query": "\\ud800"}', "invalid-request", "#/query"),
        ('{"query": ', "invalid-request", "#"),
        ("[]", "invalid-request", "#"),
        ("", "invalid-request", "#"),
        ("\xff", "unreadable-body", None),
        ("[" * 400_000, "unreadable-body", None),
        ('{"query": "x", "limit": ' + "9" * 5000 + "}", "unreadable-body", None),
    ],
    ids=["limit", "escaped", "key", "surrogate", "cut", "list", "empty", "latin-1", "deep", "huge number"],
)
def test_a_wrong_body_is_pointed_at(
    client: httpx.Client, library: FakeLibrary, body: str, slug: str, pointer: str | None
) -> None:
    """Whatever a body holds, the answer is a problem that points into it."""
    answer = client.post("/v1/search", content=body.encode("latin-1"), headers={"Content-Type": "application/json"})
    held = problem(answer, slug)
    assert pointer is None or held["errors"][0]["pointer"] == pointer
    assert library.asked is None


def test_a_body_that_is_not_declared_json_is_refused(client: httpx.Client, library: FakeLibrary) -> None:
    """Only JSON is read, so that no form on another site can ask."""
    problem(client.post("/v1/search", content='{"query": "x"}'), "unsupported-media-type")
    assert library.asked is None


def test_many_faults_give_a_short_answer(client: httpx.Client, library: FakeLibrary) -> None:
    """A body full of faults does not come back as large."""
    held = problem(client.post("/v1/search", json={"query": "x", "kind": ["?"] * 10_000}), "invalid-request")
    assert len(held["errors"]) == MOST_FAULTS
    assert "10000" in held["detail"]


@pytest.mark.parametrize("path", ["/v1", "/v2/search", "/v1/hardware/", "/problems/no-such/page", "/%ff%0d%0aX:1"])
def test_an_unknown_address_is_a_problem(client: httpx.Client, path: str) -> None:
    """No route, no page of the framework."""
    problem(client.get(path), "not-found")


@pytest.mark.parametrize(
    ("path", "allowed"), [("/v1/search", {"GET", "HEAD", "POST"}), ("/v1/topics", {"GET", "HEAD"})]
)
def test_a_wrong_method_is_told_the_right_ones(client: httpx.Client, path: str, allowed: set[str]) -> None:
    """405 names every method that works at the address."""
    answer = client.delete(path)
    problem(answer, "method-not-allowed")
    assert set(answer.headers["allow"].split(", ")) == allowed


def test_a_body_over_the_limit_is_refused(client: httpx.Client, library: FakeLibrary) -> None:
    """With a declared length, and chunk by chunk."""
    headers = {"Content-Type": "application/json"}
    chunks = (b" " * 100_000 for _ in range(11))
    problem(client.post("/v1/search", content=b" " * (MOST_BYTES + 1), headers=headers), "content-too-large")
    problem(client.post("/v1/search", content=chunks, headers=headers), "content-too-large")
    assert library.asked is None


def test_a_body_at_the_limit_is_read(client: httpx.Client, library: FakeLibrary) -> None:
    """The limit itself is allowed."""
    body = json.dumps({"query": "x"}).ljust(MOST_BYTES).encode()
    assert client.post("/v1/search", content=body, headers={"Content-Type": "application/json"}).status_code == 200


def test_a_fault_of_ours_tells_nothing_but_the_request_id(
    client: httpx.Client, library: FakeLibrary, caplog: pytest.LogCaptureFixture
) -> None:
    """500 is a problem too; the trace goes to the log under the same id."""
    library.fault = RuntimeError("secret of the machine")
    answer = client.get("/v1/topics", headers={"X-Request-ID": "trace-7"})
    held = problem(answer, "internal-error")
    assert held["request_id"] == "trace-7"
    assert "secret" not in answer.text
    assert "trace-7" in caplog.text


def test_request_ids_are_echoed_or_made(client: httpx.Client) -> None:
    """A sane id comes back; anything else is replaced by a new one."""
    assert client.get("/healthz", headers={"X-Request-ID": "abc-1.2_3"}).headers["x-request-id"] == "abc-1.2_3"
    made = {
        client.get("/healthz", headers={"X-Request-ID": bad}).headers["x-request-id"] for bad in ("", "a b", "x" * 129)
    }
    assert len(made) == 3
    assert all(len(id) == 32 for id in made)


def test_the_server_does_not_name_its_software(client: httpx.Client) -> None:
    """No Server header."""
    assert "server" not in client.get("/healthz").headers


def test_health_is_the_process_and_readiness_is_the_stores(client: httpx.Client, library: FakeLibrary) -> None:
    """Without a store the process is alive but not ready."""
    assert client.get("/readyz").json() == {"status": "ready"}
    library.fault = errors.StoreEmpty("Nothing has been ingested yet.")
    problem(client.get("/readyz"), "store-empty")
    assert client.get("/healthz").json() == {"status": "alive"}


@pytest.mark.parametrize("slug", sorted(ALL_TYPES))
def test_the_type_of_a_problem_can_be_read(client: httpx.Client, slug: str) -> None:
    """Every `type` is an address: JSON for programs, a page for browsers."""
    assert client.get(f"/problems/{slug}").json()["title"] == ALL_TYPES[slug].title
    page = client.get(f"/problems/{slug}", headers={"Accept": "text/html"})
    assert page.headers["content-type"].startswith("text/html")
    assert ALL_TYPES[slug].title in page.text
    assert slug in {kind["slug"] for kind in client.get("/problems").json()}


def test_an_unknown_type_is_a_problem_itself(client: httpx.Client) -> None:
    """The pages of problems fail like everything else."""
    problem(client.get("/problems/no-such"), "unknown-name")


def operations() -> list[tuple[str, dict[str, Any]]]:
    """Every operation of the OpenAPI document with its address."""
    paths = create_app(FakeLibrary()).openapi()["paths"]
    return [(f"{method} {path}", operation) for path, held in paths.items() for method, operation in held.items()]


@pytest.mark.parametrize(("name", "operation"), operations(), ids=[name for name, _ in operations()])
def test_openapi_tells_everything_about(name: str, operation: dict[str, Any]) -> None:
    """An id, a tag, words, an example of success, and problems with their media type alone."""
    assert operation["operationId"].isidentifier()
    assert operation["tags"]
    assert operation["description"]
    assert all(parameter["description"] for parameter in operation.get("parameters", ()))
    assert any(held.get("example") for held in operation["responses"]["200"]["content"].values())
    failures = {status: held for status, held in operation["responses"].items() if status != "200"}
    assert "500" in failures
    for status, held in failures.items():
        assert list(held["content"]) == [MEDIA_TYPE], status
        assert held["content"][MEDIA_TYPE]["examples"]
        assert held["content"][MEDIA_TYPE]["schema"] == {"$ref": "#/components/schemas/Problem"}
    assert ("422" in failures) == ("parameters" in operation or "requestBody" in operation)


def test_openapi_is_whole() -> None:
    """Operation ids differ, and every reference leads somewhere."""
    document = create_app(FakeLibrary()).openapi()
    ids = [operation["operationId"] for _, operation in operations()]
    text = json.dumps(document)
    used = {part.split('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert len(set(ids)) == len(ids)
    assert used <= set(document["components"]["schemas"])
    assert "HTTPValidationError" not in text


def test_the_manual_names_every_address() -> None:
    """docs/rest.md keeps up with the service."""
    manual = (Path(__file__).parents[2] / "docs" / "rest.md").read_text(encoding="utf-8")
    addresses = (name.split() for name, _ in operations())
    missing = [path for method, path in addresses if f"`{method.upper()} {path}`" not in manual]
    assert not missing


def test_the_service_starts_without_the_heavy_libraries() -> None:
    """Importing the app loads no model runtime and no client of a store."""
    heavy = ("torch", "sentence_transformers", "qdrant_client", "onnxruntime")
    code = f"import sys, api.app; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
