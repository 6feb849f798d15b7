"""Who may read and write: keys, and the lists that come and go by REST."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from api.app import create_app
from api.settings import LEAST_KEY
from api.writing import Writer
from graph.errors import StoreBusy
from graph.library import Library
from ingest import pipeline
from tests import fakes
from tests.service import settings

READ, WRITE = "r" * LEAST_KEY, "w" * LEAST_KEY
LIST = {
    "name": "mine.md",
    "text": "# Mine\n\n- [Tiling in depth](https://example.org/tiling) - blocks in fast memory\n",
}


@pytest.fixture(scope="module")
def one_list(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one small list. Copy it to change it."""
    folder = tmp_path_factory.mktemp("one-list")
    pipeline.ingest([fakes.small_list("first.md", "WGMMA")], fakes.stores(folder), fakes.vocabulary())
    return folder


@pytest.fixture
def library(one_list: Path, tmp_path: Path) -> Iterator[Library]:
    """A library over one small list."""
    shutil.copytree(one_list, tmp_path, dirs_exist_ok=True)
    with closing(fakes.library(tmp_path)) as library:
        yield library


def service(library: Library, folder: Path, **given: Any) -> FastAPI:
    """The service over a library, which writes to the stores of a folder."""
    app = create_app(library, settings(**given))
    app.state.writer = Writer(library, lambda: fakes.stores(folder), fakes.vocabulary)
    return app


def asking(app: FastAPI, key: str | None = None) -> TestClient:
    return TestClient(app, headers={"Authorization": f"Bearer {key}"} if key else {}, raise_server_exceptions=False)


@pytest.fixture
def writing(library: Library, tmp_path: Path) -> TestClient:
    return asking(service(library, tmp_path, write_keys=WRITE), WRITE)


def slug(answer: httpx.Response) -> str:
    return str(answer.json()["type"]).removeprefix("/problems/")


def test_a_list_that_was_sent_is_found(writing: TestClient) -> None:
    report = writing.post("/v1/ingest", json={"sources": [LIST]}).json()

    assert [line["source"] for line in report["read"]] == ["mine.md"]
    assert writing.get("/v1/search?q=Tiling in depth").json()["hits"][0]["title"] == "Tiling in depth"
    assert {line["source"] for line in writing.get("/v1/sources").json()} == {"first.md", "mine.md"}


def test_rest_and_command_read_a_list_alike(writing: TestClient, tmp_path: Path) -> None:
    from ingest.readers import read_text

    by_rest = writing.post("/v1/ingest", json={"sources": [LIST]}).json()
    again = pipeline.ingest(
        [read_text(LIST["name"], LIST["text"].encode())], fakes.stores(tmp_path), fakes.vocabulary()
    )

    assert again.unchanged == ("mine.md",)
    assert again.model_dump(mode="json")["read"] == by_rest["read"]


def test_the_index_stays_one_while_lists_come(writing: TestClient, tmp_path: Path) -> None:
    """The library gives the folder up to the writer, which need not build a private index and leaves it complete."""
    writing.get("/v1/search?q=tiling")
    writing.post("/v1/ingest", json={"sources": [LIST]})

    note = json.loads((tmp_path / "index" / "note.json").read_text())  # there is none while an index is changed
    assert note["stamp"] == fakes.stores(tmp_path).graph.facts()["stamp"]


def test_a_list_that_is_forgotten_is_gone(writing: TestClient) -> None:
    report = writing.delete("/v1/sources/first.md").json()

    assert report["removed"] > 0
    assert writing.get("/v1/sources").json() == []


def test_a_list_that_is_not_there_cannot_be_forgotten(writing: TestClient) -> None:
    answer = writing.delete("/v1/sources/frist.md")

    assert (answer.status_code, slug(answer)) == (404, "unknown-name")
    assert answer.json()["nearest"] == ["first.md"]


def test_of_lists_of_which_one_cannot_be_read_none_is_taken_in(writing: TestClient) -> None:
    answer = writing.post("/v1/ingest", json={"sources": [LIST, {"name": "empty.md", "text": " "}]})

    assert (answer.status_code, slug(answer)) == (422, "unreadable-source")
    assert "empty.md" in answer.json()["detail"]
    assert len(writing.get("/v1/sources").json()) == 1


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"sources": []}, "#/sources"),
        ({"sources": [LIST, LIST]}, "#/sources"),
        ({"sources": [{"name": "", "text": "x"}]}, "#/sources/0/name"),
        ({"sources": [{"name": "a\nb", "text": "x"}]}, "#/sources/0/name"),
        ({"sources": [{"name": "a", "text": 1}]}, "#/sources/0/text"),
        ({"sources": [{"name": "a", "path": "/etc/passwd"}]}, "#/sources/0/text"),
        ({"sources": [{"name": "a", "text": "x", "url": "http://127.0.0.1"}]}, "#/sources/0/url"),
    ],
    ids=["none", "one name twice", "no name", "two lines", "number", "a file here", "an address"],
)
def test_a_wrong_ingest_is_pointed_at(writing: TestClient, body: dict[str, Any], pointer: str) -> None:
    """No field names a file or an address: nothing but the text that is sent is ever read."""
    answer = writing.post("/v1/ingest", json=body)

    assert (answer.status_code, slug(answer)) == (422, "invalid-request")
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_while_one_writes_another_is_told_to_wait(library: Library, tmp_path: Path) -> None:
    app = service(library, tmp_path, write_keys=WRITE)
    begun, finish = threading.Event(), threading.Event()

    class SlowWriter(Writer):
        def ingest(self, documents: Any) -> Any:
            with self._stores():
                begun.set()
                finish.wait(30)

    app.state.writer = slow = SlowWriter(library, lambda: fakes.stores(tmp_path), fakes.vocabulary)
    first = threading.Thread(target=slow.ingest, args=([],))
    first.start()
    begun.wait(30)
    answer = asking(app, WRITE).delete("/v1/sources/first.md")
    finish.set()
    first.join()

    assert (answer.status_code, slug(answer)) == (503, "store-busy")
    assert answer.headers["retry-after"].isdecimal()
    assert asking(app, WRITE).delete("/v1/sources/first.md").status_code == 200


def test_a_write_that_fails_lets_the_next_one_begin(library: Library, tmp_path: Path) -> None:
    def broken() -> Any:
        raise StoreBusy("Another process writes.")

    writer = Writer(library, broken, fakes.vocabulary)
    for _ in range(2):
        with pytest.raises(StoreBusy, match="Another process"):
            writer.forget("first.md")


WRITES = (("POST", "/v1/ingest"), ("DELETE", "/v1/sources/first.md"))


@pytest.mark.parametrize(("method", "path"), WRITES)
@pytest.mark.parametrize(
    ("given", "key", "status", "kind"),
    [
        ({}, None, 403, "writing-off"),
        ({"read_keys": READ}, READ, 403, "writing-off"),
        ({"write_keys": WRITE}, None, 401, "key-needed"),
        ({"write_keys": WRITE}, "x" * LEAST_KEY, 401, "key-needed"),
        ({"write_keys": WRITE, "read_keys": READ}, READ, 403, "key-forbids"),
    ],
    ids=["off", "off for readers", "no key", "unknown key", "key that reads"],
)
def test_without_the_right_key_nothing_is_written(
    library: Library,
    tmp_path: Path,
    method: str,
    path: str,
    given: dict[str, Any],
    key: str | None,
    status: int,
    kind: str,
) -> None:
    app = service(library, tmp_path, **given)
    answer = asking(app, key).request(method, path, content=b"not looked at")

    assert (answer.status_code, slug(answer)) == (status, kind)
    assert ("www-authenticate" in answer.headers) == (status == 401)
    assert [line.source for line in library.sources()] == ["first.md"]


def test_every_operation_that_writes_is_known_to_need_a_key(library: Library, tmp_path: Path) -> None:
    """What the OpenAPI document calls keyed is what takes a writer: a new address cannot be forgotten."""
    app = service(library, tmp_path)
    keyed = {
        (method.upper(), path.replace("{name}", "first.md"))
        for path, operations in app.openapi()["paths"].items()
        for method, operation in operations.items()
        if {} not in operation["security"]
    }

    assert keyed == set(WRITES)


@pytest.mark.parametrize("path", ["/v1/topics", "/v1/search?q=x", "/openapi.json", "/mcp", "/nothing"])
def test_where_reading_is_keyed_everything_needs_a_key(library: Library, tmp_path: Path, path: str) -> None:
    app = service(library, tmp_path, read_keys=READ, write_keys=WRITE)

    assert slug(asking(app).get(path)) == "key-needed"
    assert slug(asking(app, "x" * LEAST_KEY).get(path)) == "key-needed"
    assert asking(app, READ).get(path).status_code != 401
    assert asking(app, WRITE).get(path).status_code != 401


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/problems", "/problems/key-needed"])
def test_probes_and_the_words_for_problems_need_no_key(library: Library, tmp_path: Path, path: str) -> None:
    assert asking(service(library, tmp_path, read_keys=READ)).get(path).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [{"Authorization": f"Bearer {READ}"}, {"authorization": f"bearer  {READ}"}, {"X-API-Key": READ}],
    ids=["bearer", "lower case", "header"],
)
def test_a_key_may_come_either_way(library: Library, tmp_path: Path, headers: dict[str, str]) -> None:
    app = service(library, tmp_path, read_keys=f"{'a' * LEAST_KEY}, {READ}")

    assert asking(app).get("/v1/topics", headers=headers).status_code == 200


@pytest.mark.parametrize("value", [f"Basic {READ}", READ, "Bearer", "", f"Bearer {READ}x", f"Bearer {READ[:-1]}"])
def test_what_is_no_key_is_refused(library: Library, tmp_path: Path, value: str) -> None:
    app = service(library, tmp_path, read_keys=READ)

    assert asking(app).get("/v1/topics", headers={"Authorization": value}).status_code == 401


def test_where_reading_is_open_a_key_of_another_service_does_no_harm(library: Library, tmp_path: Path) -> None:
    """Programs that speak OpenAI's protocol always send one."""
    assert asking(service(library, tmp_path, write_keys=WRITE), "sk-something").get("/v1/topics").status_code == 200


def test_a_list_may_be_longer_than_other_bodies(writing: TestClient) -> None:
    binary = "\0" * 500_000  # three million bytes of JSON, and quickly seen to be no text

    assert (
        slug(writing.post("/v1/ingest", json={"sources": [{"name": "long.md", "text": binary}]})) == "unreadable-source"
    )
    assert slug(writing.post("/v1/search", json={"query": binary})) == "content-too-large"


def test_a_short_key_is_refused_without_telling_it() -> None:
    with pytest.raises(ValueError, match="a key needs at least") as told:
        settings(write_keys="short-secret")

    assert "short-secret" not in told.value.errors()[0]["msg"]
