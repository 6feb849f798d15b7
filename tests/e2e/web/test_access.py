"""The page for everyone: axe-core finds nothing serious, and nothing is wider than a phone."""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

VIEWS = {
    "home": "",
    "search": "#/search?q=attention",
    "resource": "#/resource/https%3A%2F%2Fsiboehm.com%2Farticles%2F22%2FCUDA-MMM",
    "path": "#/path?goal=flash-attention&know=softmax",
    "topics": "#/topics",
    "topic": "#/topic/paged-attention",
    "kernels": "#/kernels",
    "kernel": "#/kernel/sgemm-ladder",
    "devlog": "#/devlog",
    "problem": "#/topic/no-such-topic",
    "reference": "docs",
}
Scheme = Literal["dark", "light"]


def opened(browser: Browser, address: str, scheme: Scheme, width: int) -> Page:
    """A view once all of it is there. Its policy is off: axe-core brings code of its own."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_selector("h1", state="attached")
    return page


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(browser: Browser, site: str, view: str, scheme: Scheme) -> None:
    page = opened(browser, site + VIEWS[view], scheme, 1280)
    found = Axe().run(page).response["violations"]
    page.context.close()

    assert [one for one in found if one["impact"] in ("serious", "critical")] == []


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_is_wider_than_a_phone(browser: Browser, site: str, view: str) -> None:
    page = opened(browser, site + VIEWS[view], "light", 390)
    excess = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    page.context.close()

    assert excess <= 0
