"""A second look in a browser: a past race under the lens, and judged by other rules."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.kit.served import Served
from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, check
from tests.page.fingers import Fingers
from tests.page.history.raced import played

pytestmark = pytest.mark.xdist_group("second look")

RULING = 1
"""In both matches the race is the first thing that is ruled."""


@pytest.fixture(scope="module")
def raced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("raced")
    assert played(folder / "data") == (RULING, RULING)
    served = Served(folder)
    yield served
    served.stop()


@pytest.fixture
def look(raced: Served, screens: Callable[..., Fingers]) -> Callable[..., Page]:
    """Opens a page of past nights, as somebody who only looks."""

    def open_page(address: str, **how: Any) -> Page:
        page = screens(raced, **how).page
        page.goto(f"{raced.address}/history?{address}")
        expect(page.locator(".view-link").first).to_be_visible()
        return page

    return open_page


def lane(page: Page, seat: int) -> Any:
    return page.locator(f".look-lane[data-seat='{seat}']")


def step(page: Page, wish: str, times: int) -> None:
    more = page.get_by_role("group", name=wish).get_by_role("button", name="More")
    for _ in range(times):
        more.click()


def test_a_race_opens_from_its_ruling_and_closes_to_where_one_was(look, raced):
    page = look("match=1")
    page.locator(".round-box summary").first.click()
    page.get_by_role("link", name="Photo finish").click()
    expect(page).to_have_url(f"{raced.address}/history?match=1&race={RULING}")
    seen = page.get_by_role("dialog")
    expect(seen.locator(".verdict-text")).to_have_text("Dan draws 4, by 16.0 ms.")
    expect(seen).to_contain_text("Street Race by Ana · seen by everyone’s hands")
    for seat, time in ((2, "first"), (3, "+29.0 ms"), (4, "+45.0 ms")):
        expect(lane(page, seat)).to_contain_text(time)
    expect(lane(page, 4)).to_have_class(re.compile("last"))
    seen.get_by_text("Presses that did not count (1)").click()
    expect(seen.locator(".uncounted li")).to_contain_text("had slapped already")
    page.keyboard.press("Escape")
    expect(page).to_have_url(f"{raced.address}/history?match=1")
    expect(page.locator(".told-ruling").first).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_every_edge_of_a_contact_can_be_counted(look, raced):
    page = look(f"match=1&race={RULING}")
    known = raced.get(f"/api/matches/1/races/{RULING}").json
    page.get_by_role("radio", name="Contacts closing").click()
    for press in known["presses"]:
        if press["why"] != "slap":
            continue
        closing = [after for after, _down in press["edges"] if after < press["held"]]
        bounces = len(closing) - 1 + press["left_out"]
        expect(lane(page, press["seat"])).to_contain_text(f"{bounces} bounce")
        expect(lane(page, press["seat"])).to_contain_text(f"{closing[-1] / 1e6:.2f} ms")
        drawn = lane(page, press["seat"]).locator("path.wave").first.get_attribute("d")
        assert drawn.count("V") >= len(closing)


def test_the_lens_goes_to_the_last_two_hands_and_to_any_other(look):
    page = look(f"match=1&race={RULING}")
    width = page.locator(".zoom output")
    expect(width).to_have_text("184 ms wide")
    page.get_by_role("radio", name="Last two hands").click()
    expect(width).to_have_text("48 ms wide")
    zoom = page.get_by_role("slider")
    zoom.fill("100")
    expect(width).to_have_text("4.0 ms wide")
    expect(lane(page, 2).locator(".hand-mark")).to_have_count(0)
    page.get_by_role("button", name="Ben").click()
    expect(lane(page, 2).locator(".hand-mark")).to_have_count(1)
    expect(lane(page, 4).locator(".hand-mark")).to_have_count(0)


def test_other_rules_give_another_verdict_beside_and_change_nothing(look, raced):
    journal = raced.folder / "data" / "journal.db"
    before = digest(journal)
    page = look(f"match=1&race={RULING}")
    step(page, "Switch tolerance", 6)
    cards = page.locator(".verdict-card")
    expect(cards).to_have_count(2)
    expect(cards.first).to_contain_text("Dan draws 4, by 16.0 ms.")
    expect(cards.last).to_contain_text("too close to call (± 30 ms)")
    expect(lane(page, 3)).to_have_class(re.compile("last"))
    page.get_by_role("button", name="As it was played").click()
    expect(cards).to_have_count(1)
    step(page, "Dan’s head start", 1)
    expect(cards.last).to_contain_text("Cleo draws 4")
    expect(lane(page, 4)).to_contain_text("+20.0 ms")
    assert digest(journal) == before


def digest(journal: Path) -> str:
    return hashlib.sha256(journal.read_bytes()).hexdigest()


def test_three_questions_are_there_to_start_with(look):
    page = look("view=what_if")
    presets = page.locator("[data-preset]")
    expect(presets).to_have_count(3)
    presets.first.click()
    expect(page.locator(".what-if-sum")).to_contain_text("Differences: 1")
    expect(page.locator(".difference")).to_contain_text("Dead heat between Ben, Cleo, Dan")
    presets.first.click()
    expect(page.locator(".what-if-answer")).to_contain_text("Choose a rule")


def test_a_night_is_judged_again_and_its_races_open(look, raced):
    page = look("view=what_if")
    expect(page.locator(".what-if-answer")).to_contain_text("Choose a rule")
    step(page, "Switch tolerance", 2)
    expect(page.locator(".what-if-sum")).to_contain_text(
        "Checked again: 2 matches, 6 rulings that other rules can change. Differences: 1"
    )
    difference = page.locator(".difference")
    expect(difference).to_contain_text("Dan draws 4, by 16.0 ms.")
    expect(difference).to_contain_text("Dead heat between Cleo, Dan")
    expect(page.locator(".what-if-answer")).to_contain_text("Dan: 4 fewer")
    difference.get_by_role("button", name="Photo finish").click()
    expect(page.get_by_role("dialog").locator(".verdict-text")).to_contain_text("by 16.0 ms")
    page.keyboard.press("Escape")


def test_on_a_phone_the_sum_stays_in_sight_and_leads_down_to_the_answers(look):
    page = look("view=what_if", width=390, height=844)
    bar = page.locator(".what-if-bar")
    expect(bar).to_have_count(0)
    step(page, "Switch tolerance", 2)
    expect(bar).to_contain_text("Differences: 1")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(page.locator(".difference")).not_to_be_in_viewport()
    bar.get_by_role("button", name="See them").click()
    expect(page.locator(".what-if-sum")).to_be_in_viewport()
    page = look("view=what_if")
    step(page, "Switch tolerance", 2)
    expect(page.locator(".what-if-sum")).to_be_in_viewport()
    expect(page.locator(".what-if-bar")).not_to_be_visible()


@pytest.mark.parametrize(
    ("country", "width"),
    [("en-GB", 1280), ("de-DE", 390), ("pt-BR", 390)],
)
def test_how_a_race_became_known_stands_beside_its_layer(screens, raced, country, width):
    page = screens(raced, country=country, width=width, height=844).page
    known = raced.get(f"/api/matches/1/races/{RULING}").json
    for seat in known["seats"]:
        seat["name"] = "Émile-Alexandre Dupont"
    known["draws"] = [{"seat": 4, "cards": 4}]
    page.route("**/races/*", lambda route: route.fulfill(json=known))
    page.goto(f"{raced.address}/history?match=1&race={RULING}")
    layer = lane(page, 1)
    name, time = layer.locator(".lane-name .fit-text"), layer.locator(".lane-time small")
    expect(time).to_be_visible()
    one, other = name.bounding_box(), time.bounding_box()
    assert one is not None
    assert other is not None
    assert one["x"] + one["width"] <= other["x"]
    edge = page.locator(".instrument").bounding_box()
    assert edge is not None
    assert other["x"] + other["width"] <= edge["x"] + edge["width"]
    pill = page.locator(".verdict-draws .chip")
    assert pill.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_a_round_is_judged_again_where_it_stands(look):
    page = look("match=2")
    page.locator(".round-box summary").first.click()
    page.get_by_text("What if this round had been judged differently?").click()
    step(page, "Cleo’s head start", 7)
    expect(page.locator(".difference")).to_contain_text("Cleo draws 4, by 140 ms.")
    expect(page.locator(".difference .would")).to_contain_text("Dan draws 4")


def test_the_tablet_looks_again_at_a_race_of_the_running_match(tablet):
    fingers: Fingers = tablet()
    fingers.seat_down("Ana", "Ben", "Cam")
    fingers.start("Ana")
    fingers.lay_race("Ana")
    fingers.push(2)
    expect(fingers.page.locator(".lane[data-seat='2'].landed")).to_be_visible()
    fingers.push(3)
    fingers.tap("Back to the game")
    fingers.rulings().first.get_by_role("button", name="Second look").click()
    expect(fingers.page.locator(".look-lane")).to_have_count(3)
    fingers.close_dialog()


@pytest.mark.parametrize("race", ["2", "99"])
def test_what_was_no_race_says_so(screens, raced, race):
    fingers = screens(raced)
    fingers.forgive("404")
    fingers.page.goto(f"{raced.address}/history?match=1&race={race}")
    expect(fingers.page.get_by_role("dialog").get_by_role("alert")).to_contain_text(
        f"Ruling {race} of match 1 is not a race."
    )


@pytest.mark.parametrize("country", ["es-ES", "fr-FR", "de-DE", "pt-BR"])
def test_every_language_has_all_words_of_it(look, country):
    page = look(f"match=1&race={RULING}", country=country, width=390, height=844)
    expect(page.locator(".look-lane")).to_have_count(4)
    for view in page.locator(".look-tools [role=radio]").all():
        view.click()
    page.locator(".uncounted summary").click()
    page.locator(".wish").first.get_by_role("button").last.click()
    expect(page.locator(".verdict-card.other .verdict-text")).to_contain_text("Dan")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page = look("view=what_if", country=country, width=390, height=844)
    page.locator(".wish").first.get_by_role("radio").last.click()
    expect(page.locator(".what-if-sum")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_everybody_can_look_again(screens, raced):
    fingers = screens(raced)
    fingers.page.goto(f"{raced.address}/history?match=1&race={RULING}")
    expect(fingers.page.locator(".look-lane")).to_have_count(4)
    step(fingers.page, "Switch tolerance", 6)
    expect(fingers.page.locator(".verdict-card.other")).to_contain_text("too close")
    check(fingers, TABLET, PHONE)
    fingers.page.get_by_role("radio", name="Contacts closing").click()
    check(fingers, TABLET, PHONE)
    fingers.page.goto(f"{raced.address}/history?view=what_if")
    step(fingers.page, "Switch tolerance", 2)
    expect(fingers.page.locator(".difference")).to_be_visible()
    check(fingers, TABLET, PHONE)
