"""The addresses and the embedding of docs/doors.md, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.examples import ADDRESS, examples

ADDRESSES = "".join(examples("doors.md", "text")).splitlines()


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_of_the_page_holds_its_question(page: Page, site: str, address: str) -> None:
    page.goto(address.replace(f"{ADDRESS}/", site))

    expect(page.get_by_role("main").get_by_role("listitem").first).to_be_visible()


@pytest.mark.parametrize("html", examples("doors.md", "html"))
def test_the_elements_work_as_the_page_says(page: Page, site: str, html: str) -> None:
    page.set_content(html.replace(f"{ADDRESS}/", site))

    expect(page.locator("warp-path").get_by_role("link").first).to_be_visible()
    page.get_by_label("Question").fill("What is MLA?")
    page.get_by_role("button", name="Ask").click()
    expect(page.locator("warp-chat .said")).to_contain_text("[1]")
