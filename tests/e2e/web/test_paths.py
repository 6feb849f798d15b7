"""The path builder: the plan as a list and as a graph, progress, exports."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

GOAL = "#/path?goal=flash-attention"


def steps(page: Page) -> int:
    """How many steps are shown, once they are."""
    expect(page.locator(".step").first).to_be_visible()
    return page.locator(".step").count()


def test_a_goal_with_what_one_knows_and_has_becomes_a_plan(page: Page, site: str) -> None:
    page.goto(f"{site}#/path")
    page.get_by_label("Goal").fill("flash-attention")
    known = page.get_by_label("I know")
    known.fill("softmax")
    known.press("Enter")
    known.fill("tiling, self-attention")
    page.get_by_label("Hardware").select_option("hopper")
    page.get_by_label("Hours", exact=True).fill("40")
    page.get_by_label("Hours a week").fill("4")
    page.get_by_label("Tier, at most").select_option("2")
    page.get_by_role("button", name="Plan", exact=True).click()

    expect(page.locator(".summary")).to_contain_text("FlashAttention")
    expect(page.locator(".summary")).to_contain_text("at 4 h a week")
    expect(page.locator(".summary")).to_contain_text("for hopper")
    for part in ("know=softmax", "know=tiling", "know=self-attention", "hardware=hopper", "hours=40", "max_tier=2"):
        assert part in page.url
    page.get_by_text(re.compile("^Left out: ")).click()
    expect(page.locator(".summary")).to_contain_text("known")


def test_every_step_says_why_and_cites(page: Page, site: str) -> None:
    page.goto(site + GOAL)

    count = steps(page)
    expect(page.locator(".step .why")).to_have_count(count)
    assert all(page.locator(".step .why").all_inner_texts())
    expect(page.locator(".step .quote").first).to_have_text(re.compile(r"“.+” \([\w-]+\.(md|txt):\d+\)"))
    page.locator(".step summary").first.click()
    expect(page.locator(".step details[open] .small").first).to_be_visible()


def test_a_plan_without_a_limit_names_no_hardware(page: Page, site: str) -> None:
    """The choice “any” asks for nothing."""
    page.goto(f"{site}#/path")
    page.get_by_label("Goal").fill("softmax")
    page.get_by_label("Goal").press("Enter")

    steps(page)
    expect(page).to_have_url(re.compile(r"#/path\?goal=softmax$"))


def test_ticks_survive_a_reload_and_shorten_the_plan(page: Page, site: str) -> None:
    page.goto(site + GOAL)
    before = steps(page)
    step = page.locator(".step", has=page.locator("h3 a")).first  # not a gap
    title = step.locator("h3 a").first.inner_text()
    step.locator("input[type=checkbox]").check()
    expect(page.locator(".progress")).not_to_contain_text("0 of")
    page.reload()

    assert steps(page) < before
    page.get_by_text(re.compile("^Left out as done: 1$")).click()
    expect(page.locator(".done-list")).to_contain_text(title)
    page.get_by_role("button", name="not done").click()
    expect(page.locator(".step")).to_have_count(before)


def test_what_is_left_is_planned_when_asked_for(page: Page, site: str) -> None:
    page.goto(site + GOAL)
    before = steps(page)
    page.locator(".step input[type=checkbox]").first.check()
    expect(page.locator(".step")).to_have_count(before)
    page.get_by_role("button", name="Plan what is left").click()

    expect(page.locator(".done-list")).to_be_visible()
    assert steps(page) < before


def test_too_few_hours_offer_those_that_are_needed(page: Page, site: str) -> None:
    page.goto(f"{site}{GOAL}&hours=0.5")
    page.get_by_role("alert").get_by_role("link", name=re.compile("Plan with")).click()

    assert steps(page) > 0


def test_a_goal_that_is_not_covered_is_told(page: Page, site: str) -> None:
    page.goto(f"{site}#/path?goal=knitting+woollen+socks")

    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator(".step")).to_have_count(0)


def test_a_click_on_the_graph_goes_to_the_step(page: Page, site: str) -> None:
    page.goto(site + GOAL)
    last = steps(page)
    node = page.get_by_role("link", name=re.compile(rf"^Step (\d+–)?{last}: "))
    page.get_by_role("button", name="Show all").click()
    node.click()

    target = page.locator(".step:focus")
    expect(target).to_be_in_viewport()
    expect(target).to_have_attribute("id", re.compile(r"step-\d+"))


def test_the_graph_is_used_by_keys_alone(page: Page, site: str) -> None:
    page.goto(site + GOAL)
    steps(page)
    node = page.locator(".graph .node").first
    node.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".step:focus")).to_be_in_viewport()

    world = page.locator(".graph > g")
    page.locator(".graph").focus()
    seen = [world.get_attribute("transform")]
    for key in ("ArrowDown", "ArrowRight", "+", "-", "-", "0"):
        page.keyboard.press(key)
        seen.append(world.get_attribute("transform"))

    assert all(one != other for one, other in pairwise(seen))


def test_the_graph_is_panned_by_dragging_and_zoomed_by_wheel_and_buttons(page: Page, site: str) -> None:
    page.goto(site + GOAL)
    steps(page)
    graph, world = page.locator(".graph"), page.locator(".graph > g")
    box = graph.bounding_box()
    assert box
    x, y = box["x"] + 20, box["y"] + 300
    before = position(world.get_attribute("transform"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 25, steps=4)
    page.mouse.up()
    after = position(world.get_attribute("transform"))
    assert [round(b - a) for a, b in zip(before, after, strict=True)] == [40, 25, 0]

    page.mouse.wheel(0, -200)
    page.wait_for_function(
        "old => !document.querySelector('.graph > g').getAttribute('transform').endsWith(old)",
        arg=f"scale({after[2]:g})",
    )
    larger = position(world.get_attribute("transform"))
    page.get_by_role("button", name="Zoom out").click()
    assert larger[2] > after[2]
    assert position(world.get_attribute("transform"))[2] < larger[2]


def position(transform: str | None) -> list[float]:
    """x, y and scale of a transform."""
    return [float(number) for number in re.findall(r"-?[\d.]+(?:e-?\d+)?", transform or "")]


def test_no_two_nodes_of_the_graph_overlap(page: Page, site: str) -> None:
    page.goto(f"{site}#/path?goal=write+an+MLA+decode+kernel")
    steps(page)
    boxes = [box for node in page.locator(".graph .node rect").all() if (box := node.bounding_box())]

    apart = [
        a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
        or a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
        for number, a in enumerate(boxes) for b in boxes[:number]
    ]  # fmt: skip
    assert len(boxes) > 5
    assert all(apart)


@pytest.mark.parametrize(
    ("title", "suffix", "begins"),
    [
        ("Markdown", ".md", b"#"),
        ("Calendar", ".ics", b"BEGIN:VCALENDAR"),
        ("CSV", ".csv", b""),
        ("Anki", ".apkg", b"PK"),
        ("JSON", ".json", b"{"),
        ("Mermaid", ".mmd", b""),
        ("GraphML", ".graphml", b"<?xml"),
    ],
)
def test_the_plan_is_downloaded_in_every_form(
    page: Page, site: str, tmp_path: Path, title: str, suffix: str, begins: bytes
) -> None:
    page.goto(site + GOAL)
    steps(page)
    with page.expect_download() as started:
        page.get_by_role("group", name="Export").get_by_role("button", name=title, exact=True).click()
    started.value.save_as(tmp_path / "plan")
    content = (tmp_path / "plan").read_bytes()

    assert started.value.suggested_filename.endswith(suffix)
    assert content.lstrip(b"\xef\xbb\xbf").startswith(begins)
    if title == "JSON":
        assert len(json.loads(content)["steps"]) == page.locator(".step").count()


def test_an_export_leaves_out_what_the_plan_does(page: Page, site: str, tmp_path: Path) -> None:
    page.goto(site + GOAL)
    before = steps(page)
    page.locator(".step input[type=checkbox]").first.check()
    page.get_by_role("button", name="Plan what is left").click()
    expect(page.locator(".done-list")).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("button", name="JSON").click()
    started.value.save_as(tmp_path / "plan")

    assert len(json.loads((tmp_path / "plan").read_bytes())["steps"]) < before
