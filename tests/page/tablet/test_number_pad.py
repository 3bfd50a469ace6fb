"""Totals are typed on the page's own pad, where the cards were, or with a keyboard and Enter."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers
from tests.page.layout import NAMES, in_sight


@pytest.fixture
def counting(served: Served) -> Served:
    """Ten at the table, and Ana has gone out."""
    served.pair()
    for name in NAMES:
        served.do("sit", name=name)
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("go_out", {"seat": 1}),
    ):
        assert served.do(kind, **fields).status == 200
    return served


def counted(served: Served, seat: int) -> object:
    left = served.table["round"]["left"].get(str(seat))
    return int(left["points"]) if left else None


def test_a_total_is_tapped_on_the_pad_and_nothing_moves_for_it(counting: Served, tablet) -> None:
    fingers: Fingers = tablet()
    fingers.settled()
    typed = fingers.page.locator(".typed input")
    before = typed.bounding_box()
    typed.click()
    pad = fingers.page.get_by_role("group", name="Number pad")
    keys = pad.get_by_role("button")
    expect(keys).to_have_count(12)
    assert all(in_sight(key) for key in keys.all())
    assert typed.bounding_box() == before
    for digit in "1307":
        fingers.button(digit).click()
    fingers.button("Delete the last digit").click()
    expect(typed).to_have_value("130")
    fingers.tap("Use this total")
    assert eventually(lambda: counted(counting, 2) == 130)


def test_more_than_the_deck_holds_is_doubted_on_the_pad(counting: Served, tablet) -> None:
    fingers: Fingers = tablet()
    fingers.settled()
    fingers.page.locator(".typed input").click()
    for _ in range(4):
        fingers.button("9").click()
    expect(fingers.page.locator(".number-pad .words")).to_be_disabled()
    expect(fingers.page.locator(".number-pad .words")).to_contain_text("in the deck")


def test_a_keyboard_types_it_and_enter_takes_it(counting: Served, tablet) -> None:
    fingers: Fingers = tablet()
    fingers.settled()
    typed = fingers.page.locator(".typed input")
    typed.focus()
    fingers.page.keyboard.type("45")
    fingers.page.keyboard.press("Enter")
    assert eventually(lambda: counted(counting, 2) == 45)


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
def test_points_appear_as_cards_are_tapped(counting: Served, tablet, width, height) -> None:
    fingers: Fingers = tablet(width=width, height=height)
    fingers.settled()
    running = fingers.page.locator(".running")
    fingers.card("wild")
    expect(running).to_contain_text("50 points")
    fingers.card("red-5")
    expect(running).to_contain_text("55 points")
    wilds = fingers.page.locator(".wild-row .cell")
    fingers.page.evaluate("scrollTo(0, 0)")
    assert all(in_sight(wild) for wild in wilds.all())
    assert in_sight(running)


def test_a_player_sees_all_wilds_on_a_phone_too(counting: Served, screens) -> None:
    phone: Fingers = screens(counting, width=360, height=640)
    phone.open(counting.address + "/seat/2")
    wilds = phone.page.locator(".wild-row .cell")
    expect(wilds).to_have_count(3)
    assert all(in_sight(wild) for wild in wilds.all())
    assert in_sight(phone.page.locator(".running"))
