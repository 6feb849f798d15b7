"""What protects the service and those who use it: limits of rate and size, headers for browsers, other sites."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from api.app import create_app
from api.middleware.edge import MOST_ADDRESS, MOST_HEADERS
from api.middleware.rate import Quotas, address
from api.settings import LEAST_KEY
from graph.errors import BadRequest
from graph.library import Library
from tests.service import running, settings

READ, OTHER = "r" * LEAST_KEY, "o" * LEAST_KEY


@contextmanager
def serving(library: Library, **given: Any) -> Iterator[httpx.Client]:
    """A client of a real server with these settings."""
    with (
        running(library, settings(**given)) as (_, port),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client,
    ):
        yield client


def slug(answer: httpx.Response) -> str:
    return str(answer.json()["type"]).removeprefix("/problems/")


def test_who_asks_too_often_is_told_how_long_to_wait(starter: Library) -> None:
    with serving(starter, rate="3/hour") as client:
        answers = [client.get("/v1/topics") for _ in range(5)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert slug(answers[3]) == "too-many-requests"
    assert 0 < int(answers[3].headers["retry-after"]) <= 3600


def test_every_answer_tells_what_is_left(starter: Library) -> None:
    """In the fields of the IETF's draft."""
    with serving(starter, rate="3/hour; 100/day") as client:
        headers = [client.get("/v1/topics").headers for _ in range(2)]

    assert {one["ratelimit-policy"] for one in headers} == {'"per-3600s";q=3;w=3600, "per-86400s";q=100;w=86400'}
    assert headers[0]["ratelimit"].startswith('"per-3600s";r=2;t=')
    assert headers[1]["ratelimit"].startswith('"per-3600s";r=1;t=')
    assert '"per-86400s";r=98;t=' in headers[1]["ratelimit"]


def test_probes_are_not_counted(starter: Library) -> None:
    with serving(starter, rate="1/hour") as client:
        assert [client.get("/healthz").status_code for _ in range(3)] == [200] * 3
        assert client.get("/v1/topics").status_code == 200


def test_each_key_has_a_quota_of_its_own(starter: Library) -> None:
    with serving(starter, rate="1/hour", read_keys=f"{READ},{OTHER}") as client:
        statuses = [client.get("/v1/topics", headers={"X-API-Key": key}).status_code for key in (READ, READ, OTHER)]

    assert statuses == [200, 429, 200]


def test_guessing_keys_is_counted_by_address(starter: Library) -> None:
    with serving(starter, rate="2/hour", read_keys=READ) as client:
        keys = [f"{n}" * LEAST_KEY for n in range(4)]
        statuses = [client.get("/v1/topics", headers={"X-API-Key": key}).status_code for key in keys]

    assert statuses == [401, 401, 429, 429]


def test_writing_has_a_quota_of_its_own(starter: Library) -> None:
    with serving(starter, write_rate="1/hour") as client:
        statuses = [client.post("/v1/ingest", json={}).status_code for _ in range(2)]
        reading = client.get("/v1/topics")

    assert statuses == [403, 429]
    assert reading.status_code == 200
    assert "ratelimit" not in reading.headers


@pytest.mark.parametrize(("proxies", "statuses"), [("", [200, 429]), ("127.0.0.0/8", [200, 200])])
def test_only_a_proxy_that_is_trusted_says_for_whom_it_asks(
    starter: Library, proxies: str, statuses: list[int]
) -> None:
    with serving(starter, rate="1/hour", proxies=proxies) as client:
        told = [client.get("/v1/topics", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in (1, 2)]

    assert told == statuses


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"),
        (("testclient", 1), "testclient"),
        (None, "unknown"),
    ],
)
def test_neighbours_of_ipv6_are_one_caller(client: tuple[str, int] | None, counted: str) -> None:
    assert address({"type": "http", "client": client}) == counted


def test_a_storage_that_is_away_lets_requests_through(starter: Library, caplog: pytest.LogCaptureFixture) -> None:
    class Away:
        async def ask(self, *_: object, **__: object) -> Any:
            from limits.errors import StorageError

            raise StorageError(ConnectionError("away"))

    import asyncio

    from api.keys import Keys
    from api.middleware.rate import RateLimit

    limited = RateLimit(create_app(starter), Keys(settings()), Away())  # type: ignore[arg-type]

    async def asked() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(limited), base_url="http://warpath") as client:
            return await client.get("/v1/topics")

    assert asyncio.run(asked()).status_code == 200
    assert "cannot be counted" in caplog.text


@pytest.mark.parametrize("given", [{"rate": "often"}, {"write_rate": "3 per fortnight"}])
def test_a_rate_that_cannot_be_read_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="write 120/minute"):
        settings(**given)


def test_a_storage_that_there_is_not_is_refused_without_telling_its_password() -> None:
    with pytest.raises(BadRequest) as told:
        Quotas(settings(rate="1/hour", rate_storage="nothing://user:secret@host"))

    assert "secret" not in told.value.message + told.value.hint


def test_answers_tell_browsers_what_not_to_do(starter: Library) -> None:
    with serving(starter) as client:
        found, missing = client.get("/v1/topics").headers, client.get("/nothing").headers

    assert found["x-content-type-options"] == missing["x-content-type-options"] == "nosniff"
    assert found["content-security-policy"] == missing["content-security-policy"]
    assert "frame-ancestors 'none'" in found["content-security-policy"]
    assert {"referrer-policy", "permissions-policy", "x-frame-options", "cross-origin-resource-policy"} <= set(found)
    assert "server" not in found


SITE = {"Origin": "https://blog.example.org"}
PREFLIGHT = {
    **SITE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type,x-api-key",
}


@pytest.mark.parametrize("origins", ["https://blog.example.org, https://b.example.org", "*"])
def test_pages_of_sites_that_are_named_may_ask(starter: Library, origins: str) -> None:
    with serving(starter, cors_origins=origins, rate="1/hour") as client:
        asked, refused = client.get("/v1/topics", headers=SITE), client.get("/v1/topics", headers=SITE)
        preflight = client.options("/v1/search", headers=PREFLIGHT)

    assert asked.headers["access-control-allow-origin"] in ("*", SITE["Origin"])
    assert "X-Request-ID" in asked.headers["access-control-expose-headers"]
    assert refused.status_code == 429
    assert refused.headers["access-control-allow-origin"] in ("*", SITE["Origin"])
    assert preflight.status_code == 200
    assert "x-api-key" in preflight.headers["access-control-allow-headers"].lower()


@pytest.mark.parametrize("origins", ["", "https://other.example.org", "https://example.org"])
def test_pages_of_other_sites_may_not_ask(starter: Library, origins: str) -> None:
    with serving(starter, cors_origins=origins) as client:
        headers = [
            client.get("/v1/topics", headers=SITE).headers,
            client.options("/v1/search", headers=PREFLIGHT).headers,
        ]

    assert not any("access-control-allow-origin" in one for one in headers)


def test_an_address_or_headers_too_long_are_refused(starter: Library) -> None:
    with serving(starter) as client:
        address_too_long = client.get("/v1/search?q=" + "x" * MOST_ADDRESS)
        headers_too_large = client.get("/v1/topics", headers={"X-Padding": "x" * MOST_HEADERS})

    assert (address_too_long.status_code, slug(address_too_long)) == (414, "address-too-long")
    assert (headers_too_large.status_code, slug(headers_too_large)) == (431, "headers-too-large")


def test_head_is_get_without_the_body(starter: Library) -> None:
    with serving(starter) as client:
        got, headed = client.get("/v1/topics"), client.head("/v1/topics")

    assert (headed.status_code, headed.content) == (200, b"")
    assert headed.headers["content-length"] == got.headers["content-length"]


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "PATCH", "TRACE", "BREW"])
def test_methods_that_do_not_work_are_told_those_that_do(starter: Library, method: str) -> None:
    with serving(starter) as client:
        answer = client.request(method, "/v1/search")

    assert answer.status_code in (400, 405)  # a method that is none is not HTTP
    if answer.status_code == 405:
        assert answer.headers["allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_of_another_kind_is_refused(starter: Library, media_type: str) -> None:
    with serving(starter) as client:
        headers = {"Content-Type": media_type} if media_type else {}
        answer = client.post("/v1/search", content=b'{"query": "x"}', headers=headers)

    assert (answer.status_code, slug(answer)) == (415, "unsupported-media-type")
