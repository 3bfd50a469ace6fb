"""Pages to read: the rules with "may I play this?", and the nights that are over."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.kit.served import eventually
from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, check


@pytest.mark.parametrize(
    ("top", "colour", "card", "answer", "why"),
    [
        pytest.param("red-5", None, "blue-5", "Yes", "play a blue 5 on a red 5", id="same number"),
        pytest.param("red-5", None, "blue-7", "No", "the colour is red", id="no match"),
        pytest.param("wild", "green", "green-2", "Yes", "on a Wild", id="the colour named"),
        pytest.param("wild", "green", "wild-draw", "Only", "hold no green card", id="honestly"),
    ],
)
def test_the_rules_answer_whether_a_card_may_be_played(read, top, colour, card, answer, why):
    page = read("/rules")
    page.locator(f"[data-card='{top}']").click()
    if colour:
        page.locator(f"[data-colour='{colour}']").click()
    page.locator(f"[data-card='{card}']").click()
    expect(page.locator(".lookup-answer strong")).to_contain_text(answer)
    expect(page.locator(".lookup-answer")).to_contain_text(re.compile(why, re.IGNORECASE))


def test_the_rules_know_the_numbers_of_each_edition(read):
    page = read("/rules")
    expect(page.locator("#R12")).to_contain_text("The last hand draws 4")
    expect(page.locator("#R3")).to_contain_text("everyone 7 cards")
    expect(page.locator("#R11")).to_contain_text("draws 6")
    page.get_by_role("radio", name="Express").click()
    expect(page.locator("#R12")).to_have_count(0)
    expect(page.locator("#R3")).to_contain_text("everyone 5 cards")
    expect(page.locator("#R11")).to_contain_text("draws 4")
    expect(page.locator("#R14")).to_contain_text("count: Wild Draw Two.")
    expect(page.locator("#R7 .here")).to_have_text("At this table: No")


def test_the_card_that_lies_on_the_table_is_already_on_top(screen, served):
    served.pair()
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    served.do("set_up", way="refereed")
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("turn_up", {"card": "green-4"}),
    ):
        assert served.do(kind, **fields).status == 200
    page = screen("/rules").page
    expect(page.locator(".slot").first).to_contain_text("Green 4")
    page.locator("[data-card='green-9']").click()
    expect(page.locator(".lookup-answer strong")).to_have_text("Yes")


def test_a_night_is_told_with_its_sheets_and_its_figures(screen, night, push, lay):
    empty = night.get("/api/statistics").json
    assert (empty["rounds"], empty["hands"], empty["shave"]) == (0, [], None)
    lay(1)
    push(3)
    push(2)
    (debt,) = eventually(lambda: night.table["debts"])
    night.do("drawn", debt=debt["number"])
    night.do("catch", seat=3, by=1)
    night.do("go_out", seat=1)
    night.do("enter_points", seat=2, points=30)
    night.do("enter_points", seat=3, points=40)
    night.do("score_round")
    page = screen("/history").page
    page.locator(".match-card").click()
    expect(page.locator(".past-match .sheet")).to_contain_text("out")
    expect(page.locator(".past-match .bar-line.leader .bar-total")).to_have_text("70")
    assert page.locator("a", has_text="CSV").get_attribute("href") == "/api/matches/1.csv"
    page.get_by_role("link", name="Stats of this match").click()
    figures = page.locator(".statistics")
    expect(figures.locator("[data-highlight=first]")).to_contain_text("Cam")
    shave = figures.locator("[data-highlight=shave]")
    expect(shave).to_contain_text("Ben was last, Cam got away (match 1, round 1)")
    shave.get_by_role("link", name="Look at this race").click()
    expect(page.get_by_role("dialog").locator(".verdict-text")).to_contain_text("Ben draws 4")


def test_a_table_without_matches_says_so(read):
    page = read("/history")
    expect(page.locator("main")).to_contain_text("No match has been played")


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_pages_to_read_can_be_read_by_everybody(screen, night, push, lay):
    lay(1)
    push(3)
    push(2)
    eventually(lambda: night.table["debts"])
    night.do("go_out", seat=1)
    for seat in (2, 3):
        night.do("enter_points", seat=seat, points=30)
    night.do("score_round")
    rules = screen("/rules")
    rules.page.locator("[data-card='wild']").click()
    check(rules, TABLET, PHONE)
    rules.page.locator("[data-colour='red']").click()
    rules.page.locator("[data-card='red-5']").click()
    expect(rules.page.locator(".lookup-answer strong")).to_be_visible()
    check(rules, TABLET, PHONE)
    history = screen("/history")
    expect(history.page.locator(".match-card").first).to_be_visible()
    check(history, TABLET, PHONE)
