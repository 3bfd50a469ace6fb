"""A whole round without a finger, what a screen reader reads first, and a page that keeps still."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers

FOCUSED = """() => document.activeElement.matches("button")
    ? (document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()
        .replace(/\\s+/g, " ") : ''"""
MOVING = """() => document.getAnimations().filter((one) => one.playState === "running")
    .map((one) => one.animationName ?? one.transitionProperty)"""
FOLLOWS = """([one, other]) => Boolean(document.querySelector(one)
    .compareDocumentPosition(document.querySelector(other)) & Node.DOCUMENT_POSITION_FOLLOWING)"""


@pytest.fixture
def seated(served: Served, tablet) -> Fingers:
    """Three with buttons, before the match."""
    served.pair()
    for number, name in enumerate(("Ana", "Ben", "Cam"), 1):
        served.do("sit", name=name, button=number)
    fingers: Fingers = tablet()
    return fingers


def reach(fingers: Fingers, words: str) -> None:
    """Go on with the Tab key until something with these words has the focus, and take it."""
    fingers.settled()
    expect(fingers.page.get_by_role("button", name=words).first).to_be_visible()
    for _ in range(120):
        fingers.page.keyboard.press("Tab")
        if words in fingers.page.evaluate(FOCUSED):
            fingers.page.keyboard.press("Enter")
            return
    pytest.fail(f"no key leads to {words}")


def pick(fingers: Fingers, name: str) -> None:
    """Take a player in the dialog that opens."""
    expect(fingers.page.locator("dialog[open]")).to_be_visible()
    reach(fingers, name)


def race(fingers: Fingers) -> None:
    """Ana lays a Street Race, and the others slap, all with keys."""
    reach(fingers, "Start the match")
    reach(fingers, "Pick for us")
    reach(fingers, "start round 1")
    reach(fingers, "Street Race!")
    pick(fingers, "Ana")
    expect(fingers.page.locator(".race .lane").first).to_be_visible()
    for key in ("2", "3"):
        fingers.page.keyboard.press(key, delay=60)
    expect(fingers.page.locator(".verdict")).to_contain_text("draws 4")


def test_a_round_is_played_with_the_keys_alone(seated, served):
    race(seated)
    reach(seated, "has drawn")
    eventually(lambda: served.table["debts"] == [])
    reach(seated, "Went out")
    pick(seated, "Ana")
    count(seated, "40", "7")
    assert eventually(lambda: served.table["match"]["players"][0]["classic"] == 47)


def count(fingers: Fingers, *hands: str) -> None:
    """Type what is left in the hands, and score the round."""
    expect(fingers.page.locator(".hands")).to_be_visible()
    for counted, points in enumerate(hands, 1):
        fingers.settled()
        typed = fingers.page.locator(".typed input:focus")
        for _ in range(120):
            fingers.page.keyboard.press("Tab")
            if typed.count():
                break
        fingers.page.keyboard.type(points)
        fingers.page.keyboard.press("Enter")
        expect(fingers.page.locator(".tab.counted")).to_have_count(counted)
    reach(fingers, "Score the round")


def test_a_refereed_round_is_played_with_the_keys_alone(seated, served):
    served.do("set_up", way="refereed")
    reach(seated, "Start the match")
    reach(seated, "Pick for us")
    reach(seated, "start round 1")
    reach(seated, "Red 5")
    reach(seated, "Red 7")
    eventually(lambda: served.table["round"]["top"] == "red-7")
    layer = served.table["round"]["turn"]
    reach(seated, "Street Race")
    expect(seated.page.locator(".race .lane").first).to_be_visible()
    for seat in {1, 2, 3} - {layer}:
        seated.page.keyboard.press(str(seat), delay=60)
    expect(seated.page.locator(".verdict")).to_contain_text("draws 4")
    reach(seated, "Blue")
    reach(seated, "has drawn")
    eventually(lambda: served.table["debts"] == [])
    before = served.table["round"]["turn"]
    reach(seated, "Drew one card")
    assert eventually(lambda: served.table["round"]["turn"] != before)
    reach(seated, "Went out")
    out = served.table["round"]["turn"]
    pick(seated, ("Ana", "Ben", "Cam")[out - 1])
    reach(seated, "Record it anyway")
    count(seated, "40", "7")
    assert eventually(lambda: served.table["match"]["players"][out - 1]["classic"] == 47)


def test_a_verdict_is_read_before_its_lanes_and_these_before_what_to_do(seated):
    race(seated)
    page = seated.page
    for one, other in (
        (".verdict .large-words", ".verdict .race-sub"),
        (".verdict .race-sub", ".photo-finish"),
        (".photo-finish", ".drama .disputes"),
    ):
        assert page.evaluate(FOLLOWS, [one, other]), (one, other)


def test_whoever_wants_less_motion_sees_none(seated):
    race(seated)
    assert seated.page.evaluate(MOVING) == []
