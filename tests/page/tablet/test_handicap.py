"""Head starts on the screens: given at a seat, and seen in every race that used one."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served
from tests.page.every_screen.test_accessibility import PHONE, TABLET, TELEVISION, check
from tests.page.fingers import Fingers

ANA, BEN, CLEO = 1, 2, 3


@pytest.fixture
def seated(served: Served) -> Served:
    """Three at the table, with buttons."""
    served.pair()
    for number, name in enumerate(("Ana", "Ben", "Cleo"), 1):
        assert served.do("sit", name=name, button=number).status == 200
    return served


def deal(served: Served) -> None:
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": ANA}), ("deal", {})):
        assert served.do(kind, **fields).status == 200


def test_a_head_start_is_given_at_the_seat_and_taken_back_in_one_step(
    seated: Served, referee: Fingers, screens: Callable[..., Fingers]
) -> None:
    page = referee.page
    page.locator(".person[data-seat='3'] .seat-menu").click()
    referee.tap("Head start in races")
    expect(page.get_by_role("heading", name="Cleo’s head start")).to_be_visible()
    chosen = page.locator(".head-start-step output")
    expect(chosen).to_have_text("0 ms")
    expect(referee.button("50 ms less")).to_be_disabled()
    expect(referee.button("No head start")).to_be_disabled()
    for _ in range(3):
        referee.tap("50 ms more")
    expect(chosen).to_have_text("150 ms")
    page.locator("dialog").get_by_role("radio", name="1000").click()
    referee.tap("50 ms less")
    expect(chosen).to_have_text("950 ms")
    check(referee, TABLET, PHONE)
    assert seated.table["seats"][2]["handicap"] == 0, "nothing is given before it is said"
    referee.tap("Give 950 ms")
    expect(page.locator("dialog")).to_have_count(0)
    chip = page.locator(".person[data-seat='3'] .chip.start")
    expect(chip).to_have_text(re.compile("−950 ms"))
    expect(page.locator(".chip.start")).to_have_count(1)

    board = screens(seated, width=1920, height=1080)
    board.page.goto(seated.address + "/board")
    expect(board.page.locator(".chair[data-seat='3'] .chip.start")).to_be_visible()
    assert seated.do("set_up", edition="express").status == 200
    expect(board.page.locator(".chip.start")).to_have_count(0)
    assert seated.do("undo").status == 200
    expect(board.page.locator(".chip.start")).to_have_count(1)

    referee.tap_like("Undo")
    expect(page.locator(".chip.start")).to_have_count(0)
    expect(page.locator(".bar-actions")).to_contain_text("Head start of 950 ms for Cleo")


def test_the_house_rules_and_the_printed_rules_name_who_has_one(
    seated: Served, referee: Fingers, screens: Callable[..., Fingers]
) -> None:
    assert seated.do("set_handicap", seat=CLEO, milliseconds=200).status == 200
    deal(seated)
    referee.tap_like("Menu")
    referee.tap("House rules")
    expect(referee.page.locator("dialog .who", has_text="Cleo")).to_contain_text("200 ms")
    check(referee, TABLET, PHONE)
    referee.pick("Cleo")
    expect(referee.page.locator("dialog").get_by_role("radio", name="200")).to_be_checked()
    rules = screens(seated, width=390, height=844)
    rules.page.goto(seated.address + "/rules")
    expect(rules.page.locator("#R12")).to_contain_text("At this table: Cleo 200 ms")
    phone = screens(seated, width=390, height=844)
    phone.page.goto(seated.address + "/seat/3")
    expect(phone.page.locator(".phone-top .chip.start")).to_be_visible()


def test_a_race_shows_the_hand_and_the_moment_at_which_it_counts(
    seated: Served, referee: Fingers, screens: Callable[..., Fingers]
) -> None:
    assert seated.do("set_handicap", seat=CLEO, milliseconds=2000).status == 200
    deal(seated)
    board = screens(seated, width=1920, height=1080, country="de-DE")
    board.page.goto(seated.address + "/board")
    assert seated.do("declare_race", layer=ANA).status == 200
    seated.push(BEN)
    seated.push(CLEO)
    expect(board.page.locator(".verdict-line")).to_have_text("Ben zieht 4")
    expect(board.page.locator(".verdict-why")).to_contain_text("Vorsprung")
    loser, saved = board.page.locator(".photo-lane").all()
    expect(loser).to_contain_text("Ben")
    expect(saved).to_contain_text("−2000 ms")
    real, counts = (saved.locator(mark).bounding_box() for mark in (".real-hand", ".hand-mark"))
    assert real
    assert counts
    assert counts["x"] < real["x"]
    expect(loser.locator(".real-hand")).to_have_count(0)
    expect(board.page.locator(".head-start-note")).to_be_visible()
    check(board, TELEVISION)
    expect(referee.page.locator(".verdict .why")).to_have_text("The head start of Cleo decided.")
    expect(referee.page.locator(".verdict")).to_contain_text("House rule: Head start")
    page = referee.page
    first, second = (page.locator(f".lane[data-seat='{seat}']") for seat in (CLEO, BEN))
    counted, hand = (first.locator(mark).bounding_box() for mark in (".hand-mark", ".real-hand"))
    track = first.locator(".track").bounding_box()
    assert counted is not None
    assert hand is not None
    assert track is not None
    assert track["x"] <= counted["x"] < hand["x"]
    assert hand["x"] + hand["width"] <= track["x"] + track["width"]
    expect(first.locator(".lane-time")).to_contain_text("−2000 ms")
    expect(first.locator(".lane-time")).to_contain_text("1st")
    expect(second.locator(".lane-time")).to_contain_text(re.compile(r"\+1\d\d\d ms"))
    expect(second.locator(".real-hand")).to_have_count(0)
    expect(page.locator(".head-start-note")).to_be_visible()
    green = "e => getComputedStyle(e).backgroundColor"
    assert first.locator(".track").evaluate(green) != second.locator(".track").evaluate(green)
    check(referee, TABLET, PHONE)
