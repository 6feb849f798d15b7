"""A real browser on a real server over the starter lists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from graph.library import Library
from ingest import pipeline
from ingest.ontology import Ontology
from tests import fakes
from tests.service import running, settings

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

PATIENCE = 30_000  # ms until something that must come counts as missing; machines that test are busy

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for the tests of a file. While it runs, so does an event loop, and other tests want their own."""
    if not CHROMIUM.exists():
        pytest.skip(f"the web page is tested in a browser: there is no {CHROMIUM} (`apt-get install chromium`)")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def site(starter: Library) -> Iterator[str]:
    """The address of a service over the starter lists; pages of any site may ask it."""
    with running(starter, settings(cors_origins="*")) as (_, port):
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page, with nothing kept from another. What breaks in it, or is refused by its policy, fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
    yield opened
    context.close()
    assert not faults


@pytest.fixture(scope="session")
def hostile(ontology: Ontology, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service over a list that tries to become markup, script and links."""
    folder = tmp_path_factory.mktemp("hostile")
    attack = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    mentions = [
        {"title": f"Tiling {attack}", "url": "https://example.org/a", "note": f"Teaches tiling {attack}"},
        {"title": "Tiling by script", "url": "javascript:document.title='owned'", "note": "An address that is none."},
        {"title": "Tiling by data", "url": "data:text/html,<script>1</script>", "authors": [attack]},
    ]
    post = {"text": f"Tiling today {attack}", "day": 1, "urls": ["javascript:1"]}
    read = fakes.document(f"{attack}.md".replace("/", ""), *mentions, entries=[post])
    pipeline.ingest([read], fakes.stores(folder), ontology)
    with running(fakes.library(folder)) as (_, port):
        yield f"http://127.0.0.1:{port}/"
