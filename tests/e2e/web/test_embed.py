"""<warp-path> and <warp-chat> on a page of another site."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graph.library import Library
from tests.service import running, settings


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *values: object) -> None:
        pass


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder and the address of the site that serves it: another origin than the service's."""
    serve = functools.partial(_Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        yield tmp_path, f"http://127.0.0.1:{other.server_address[1]}/"
        other.shutdown()
        thread.join()


def write(folder: Path, site: str, body: str) -> None:
    script = f'<script type="module" src="{site}embed.js"></script>'
    (folder / "index.html").write_text(f"<!doctype html><meta charset=utf-8><title>mine</title>{script}{body}")


def test_a_path_is_shown_on_another_site(page: Page, site: str, folder: tuple[Path, str]) -> None:
    write(folder[0], site, '<warp-path goal="flash-attention" know="softmax, tiling" hours="30"></warp-path>')
    page.goto(folder[1])

    expect(page.locator("warp-path li").first).to_contain_text(re.compile(r"\d (?:h|min)"))
    expect(page.locator("warp-path").get_by_role("link").first).to_have_attribute("href", re.compile("^https?://"))
    before = page.locator("warp-path li").count()
    page.locator("warp-path").evaluate("element => element.setAttribute('goal', 'softmax')")
    expect(page.locator("warp-path li")).not_to_have_count(before)


def test_the_service_can_be_named(page: Page, site: str, folder: tuple[Path, str]) -> None:
    write(folder[0], site, f'<warp-path src="{site.rstrip("/")}" goal="softmax"></warp-path>')
    page.goto(folder[1])

    expect(page.locator("warp-path li").first).to_be_visible()


def test_a_problem_is_shown_in_words(page: Page, site: str, folder: tuple[Path, str]) -> None:
    write(folder[0], site, '<warp-path goal="softmax" hardware="abacus"></warp-path>')
    page.goto(folder[1])

    expect(page.locator("warp-path").get_by_role("alert")).to_contain_text("abacus")


def test_a_service_that_names_no_sites_is_not_read(page: Page, starter: Library, folder: tuple[Path, str]) -> None:
    with running(starter, settings()) as (_, port):
        write(folder[0], f"http://127.0.0.1:{port}/", '<warp-path goal="softmax"></warp-path>')
        page.goto(folder[1])

        expect(page.locator("warp-path").get_by_role("alert")).to_contain_text("The service does not answer.")


def test_the_page_around_cannot_restyle_it(page: Page, site: str, folder: tuple[Path, str]) -> None:
    write(folder[0], site, '<style>li {display: none}</style><warp-path goal="softmax"></warp-path>')
    page.goto(folder[1])

    expect(page.locator("warp-path li").first).to_be_visible()


def test_a_chat_answers_with_citations(page: Page, site: str, folder: tuple[Path, str]) -> None:
    write(folder[0], site, "<warp-chat></warp-chat>")
    page.goto(folder[1])
    page.get_by_label("Question").fill("bank conflicts")
    page.get_by_role("button", name="Ask").click()

    expect(page.locator("warp-chat .said")).to_contain_text("[1]")
    expect(page.locator("warp-chat cite").filter(has_text=re.compile(r"^[\w-]+\.(md|txt):\d+$")).first).to_be_visible()
    page.get_by_label("Question").fill("softmax")
    page.get_by_label("Question").press("Enter")
    expect(page.locator("warp-chat .said")).to_have_count(2)
    expect(page.locator("warp-chat .said").last).to_contain_text("[1]")


def test_text_of_lists_stays_text_in_a_chat(page: Page, hostile: str, folder: tuple[Path, str]) -> None:
    page.goto(hostile)
    page.evaluate("() => import('/embed.js').then(() => document.body.append(document.createElement('warp-chat')))")
    page.get_by_label("Question").fill("tiling")
    page.get_by_role("button", name="Ask").click()
    expect(page.locator("warp-chat .said")).to_contain_text("<img src=x")

    assert "owned" not in page.title()
    assert page.locator("warp-chat img, warp-chat script, warp-chat a[href^='javascript:']").count() == 0
