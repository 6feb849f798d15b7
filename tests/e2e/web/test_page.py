"""The web page: search, resources, topics, kernels, devlog, as a person uses them."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

import api
from graph.library import Library
from tests.service import running, settings

WEB = Path(api.__file__).with_name("web")
MOST_BYTES = 200_000


def test_all_files_of_the_page_are_small_together() -> None:
    assert sum(path.stat().st_size for path in WEB.iterdir()) < MOST_BYTES


def test_the_page_asks_no_other_host_for_anything(page: Page, site: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for view in ("", "#/search?q=tiling", "#/path?goal=tiling", "#/kernels", "docs"):
        page.goto(site + view)
        page.wait_for_load_state("networkidle")

    assert len(asked) > 10
    assert [url for url in asked if not url.startswith(site)] == []


def test_the_policy_lets_nothing_but_own_files_run(site: str) -> None:
    with httpx.Client(base_url=site, trust_env=False) as client:
        policy = client.get("/").headers["content-security-policy"]

    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy


def test_an_unchanged_file_is_not_sent_again(site: str) -> None:
    with httpx.Client(base_url=site, trust_env=False) as client:
        tag = client.get("/web/app.js").headers["etag"]

        assert client.get("/web/app.js", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("name", ["nothing.js", "..%2F..%2Fapp.py", "%2E%2E%2Fapp.py"])
def test_no_other_file_can_be_had(site: str, name: str) -> None:
    with httpx.Client(base_url=site, trust_env=False) as client:
        assert client.get(f"/web/{name}").status_code == 404


def test_results_come_while_one_types(page: Page, site: str) -> None:
    page.goto(site)
    page.get_by_role("searchbox", name="Search resources").press_sequentially("bank conflicts", delay=20)

    expect(page.get_by_role("link", name=re.compile("Bank Conflicts")).first).to_be_visible()
    expect(page).to_have_url(re.compile(r"#/search\?q=bank\+conflicts$"))
    expect(page.get_by_role("status").first).to_contain_text("resource")
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_an_answer_that_comes_late_does_not_replace_a_newer_one(page: Page, site: str) -> None:
    """The first search is held back until the second has been answered."""
    held: list[Route] = []
    page.route(re.compile(r"v1/search\?q=softmax&"), lambda route: held.append(route))
    page.goto(site)
    page.get_by_role("searchbox").fill("softmax")
    page.wait_for_url(re.compile("q=softmax"))
    page.get_by_role("searchbox").fill("bank conflicts")
    expect(page.get_by_role("link", name=re.compile("Bank Conflicts")).first).to_be_visible()
    for route in held:
        route.abort()

    assert held
    expect(page.get_by_role("link", name=re.compile("Bank Conflicts")).first).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_search_can_be_shared_and_gone_back_to(page: Page, site: str) -> None:
    page.goto(f"{site}#/search?q=flash+attention&kind=video")

    expect(page.get_by_role("searchbox")).to_have_value("flash attention")
    page.locator(".hit a[data-hit]").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("kind=video"))
    expect(page.locator(".hit").first).to_be_visible()


def test_a_facet_narrows_and_says_how_many(page: Page, site: str) -> None:
    page.goto(f"{site}#/search?q=attention")
    kinds = page.get_by_role("group", name="Kind")
    kinds.get_by_role("checkbox", name=re.compile("video")).check()

    expect(page).to_have_url(re.compile("kind=video"))
    expect(kinds.get_by_role("checkbox", name=re.compile("video"))).to_be_checked()
    expect(kinds.get_by_role("checkbox", name=re.compile("video"))).to_be_focused()
    expect(page.locator(".hit .kind").first).to_have_text("video")
    assert set(page.locator(".hit .kind").all_inner_texts()) == {"video"}
    page.get_by_role("link", name="Any").click()
    expect(page).not_to_have_url(re.compile("kind="))


def test_hardware_and_tier_narrow_too(page: Page, site: str) -> None:
    page.goto(f"{site}#/search?q=attention")
    page.get_by_label("Tier, at most").select_option("1")
    expect(page).to_have_url(re.compile("max_tier=1"))
    page.get_by_label("Hardware").select_option("hopper")
    expect(page).to_have_url(re.compile("hardware=hopper"))

    expect(page.get_by_label("Tier, at most")).to_have_value("1")
    expect(page.locator(".hit").first).to_be_visible()


def test_more_results_come_below_the_first(page: Page, site: str) -> None:
    page.goto(f"{site}#/search?q=attention")
    expect(page.locator(".hit")).to_have_count(20)
    page.get_by_role("button", name="More").click()

    expect(page.locator(".hit")).not_to_have_count(20)
    expect(page.locator(".hit").nth(20).locator("a[data-hit]")).to_be_focused()


def test_the_keyboard_is_enough(page: Page, site: str) -> None:
    """/ to the search box, arrows through the results, Escape back, Enter opens."""
    page.goto(f"{site}#/search?q=attention")
    hits = page.locator("a[data-hit]")
    expect(hits.first).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(hits.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(hits.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("ArrowDown")
    title = hits.first.inner_text()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_role("main")).to_be_focused()


def test_escape_empties_the_search(page: Page, site: str) -> None:
    page.goto(f"{site}#/search?q=attention")
    page.get_by_role("searchbox").press("Escape")

    expect(page).to_have_url(re.compile("#/$"))
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_a_resource_shows_every_note_with_its_place(page: Page, site: str) -> None:
    page.goto(f"{site}#/resource/{httpx.URL('https://siboehm.com/articles/22/CUDA-MMM')}".replace("://s", "%3A%2F%2Fs"))
    said = page.locator(".said li")

    expect(page.get_by_role("heading", name="What the lists say")).to_be_visible()
    expect(said).to_have_count(3)
    for place in said.locator("cite").all_inner_texts():
        assert re.fullmatch(r"[\w-]+\.(md|txt):\d+", place)
    expect(page.get_by_role("heading", name="What to learn first")).to_be_visible()
    expect(page.locator(".outline li").first).to_be_visible()
    expect(page.get_by_role("heading", name="Similar")).to_be_visible()
    away = page.get_by_role("link", name="https://siboehm.com/articles/22/CUDA-MMM")
    expect(away).to_have_attribute("rel", re.compile("noopener"))


def test_a_resource_shows_what_it_teaches_above_what_the_lists_say(page: Page, site: str, starter: Library) -> None:
    known = starter.resource("https://siboehm.com/articles/22/CUDA-MMM").annotation
    assert known
    page.goto(f"{site}#/resource/https%3A%2F%2Fsiboehm.com%2Farticles%2F22%2FCUDA-MMM")
    section = page.locator("section", has=page.get_by_role("heading", name="What it teaches"))

    expect(section.locator("q")).to_have_text(known.says)
    expect(section.locator("cite")).to_have_text(f"{known.source}:{known.line}")
    expect(section.get_by_role("img", name=f"level {known.level} of 5")).to_be_visible()
    expect(section.get_by_role("listitem")).to_have_text([ask for ask in known.asks if ask.endswith("?")])
    headings = page.get_by_role("heading", level=2).all_inner_texts()
    assert headings[:2] == ["What it teaches", "What the lists say"]


def test_a_hit_without_a_note_says_what_it_teaches(page: Page, site: str, starter: Library) -> None:
    bare = starter.resource("Mega Moe Kernels from DeepGEMM")
    assert bare.annotation
    assert not any(mention.note for mention in bare.mentions)
    page.goto(f"{site}#/search?q=mega+moe+kernels+from+deepgemm")
    hit = page.locator(".hit", has_text=bare.title)

    expect(hit.locator("q")).to_have_text(bare.annotation.says)
    expect(hit.locator("cite")).to_have_text(f"{bare.annotation.source}:{bare.annotation.line}")


def test_a_topic_shows_what_helps_beside_what_it_needs(page: Page, site: str, starter: Library) -> None:
    helps = starter.topic("flashattention").topic.helps
    page.goto(f"{site}#/topic/flashattention")
    reasons = page.locator("section", has=page.get_by_role("heading", name="Helped by")).locator("dd")

    expect(page.get_by_role("heading", name="Needs", exact=True)).to_be_visible()
    expect(reasons).to_have_text(list(helps.values()))


def test_topics_are_filtered_and_lead_to_a_page_and_a_path(page: Page, site: str) -> None:
    page.goto(f"{site}#/topics")
    page.get_by_label("Filter").fill("paged")
    expect(page.get_by_role("main").get_by_role("status")).to_have_text(re.compile(r"^\d topics?$"))
    page.get_by_role("link", name="PagedAttention", exact=True).click()
    expect(page.get_by_role("heading", name="Needs")).to_be_visible()
    page.get_by_role("link", name="Plan a path to this").click()

    expect(page.locator(".summary")).to_contain_text("PagedAttention")


def test_kernels_show_the_roofline_and_what_each_step_took(page: Page, site: str) -> None:
    page.goto(f"{site}#/kernels")
    plot = page.get_by_role("img", name=re.compile("Roofline"))
    plot.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('.plot').naturalWidth > 0")
    page.get_by_role("link", name="SGEMM ladder").click()

    expect(page.get_by_role("row", name=re.compile("^v8 "))).to_contain_text("µs")
    expect(page.get_by_role("heading", name="What to learn first")).to_be_visible()


def test_the_devlog_is_a_timeline(page: Page, site: str, starter: Library) -> None:
    page.goto(f"{site}#/devlog")

    expect(page.locator(".timeline > li")).to_have_count(len(starter.devlog()))
    expect(page.get_by_role("heading", name=re.compile(r"Day 83"))).to_be_visible()


def test_the_reference_lists_every_address_and_needs_no_other_host(page: Page, site: str) -> None:
    with httpx.Client(base_url=site, trust_env=False) as client:
        paths = client.get("/openapi.json").json()["paths"]
    page.goto(f"{site}docs")

    expect(page.locator("article:has(.verb)")).to_have_count(sum(map(len, paths.values())))
    page.get_by_role("searchbox").fill("export")
    expect(page.locator("article:has(.verb)")).to_have_count(2)


def test_dark_and_light_follow_the_system_until_one_is_chosen(browser: Browser, site: str) -> None:
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(site)
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.get_by_role("button", name="Switch between dark and light").click()
    light = page.evaluate(colour)
    page.reload()

    assert dark != light
    assert page.evaluate(colour) == light
    context.close()


@pytest.mark.parametrize("view", ["", "#/search?q=tiling", "#/devlog", "#/path?goal=tiling", "#/topic/tiling"])
def test_text_of_lists_stays_text(page: Page, hostile: str, view: str) -> None:
    """No element, script or link comes of what a list says, wherever it is shown."""
    page.goto(hostile + view)
    page.wait_for_load_state("networkidle")

    assert "owned" not in page.title()
    assert page.locator("main img:not(.plot), main script").count() == 0
    assert page.locator("a[href^='javascript:'], a[href^='data:']").count() == 0
    if view:
        expect(page.locator("main")).to_contain_text("<img src=x onerror=")


def test_a_resource_with_an_address_that_is_none_has_no_link(page: Page, hostile: str) -> None:
    page.goto(f"{hostile}#/search?q=tiling+by+script")
    page.get_by_role("link", name="Tiling by script").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tiling by script")

    expect(page.locator(".address")).to_have_text("javascript:document.title='owned'")
    assert page.locator(".address a").count() == 0


def test_an_error_says_what_happened_and_what_to_do(page: Page, site: str) -> None:
    page.goto(f"{site}#/topic/shared-memry")

    expect(page.get_by_role("alert")).to_contain_text("There is no topic called “shared-memry”.")
    expect(page.get_by_role("alert")).to_contain_text("Did you mean shared-memory")


def test_a_service_that_is_away_is_told_and_asked_again(page: Page, site: str) -> None:
    page.goto(site)
    page.context.set_offline(True)
    page.get_by_role("link", name="Devlog").click()
    expect(page.get_by_role("alert")).to_contain_text("The service does not answer.")
    page.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()

    expect(page.locator(".timeline > li").first).to_be_visible()


def test_an_address_of_no_view_is_told(page: Page, site: str) -> None:
    page.goto(f"{site}#/nowhere/%E0%A4%A")

    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")


def test_a_keyed_service_asks_for_the_key(page: Page, starter: Library) -> None:
    key = "k" * 32
    with running(starter, settings(read_keys=key)) as (_, port):
        page.goto(f"http://127.0.0.1:{port}/#/devlog")
        page.get_by_label("API key").fill(key)
        page.get_by_role("button", name="Use it").click()

        expect(page.locator(".timeline > li").first).to_be_visible()
