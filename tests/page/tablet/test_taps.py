"""How many taps and presses the common things of an evening take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers

COUNT = """() => {
  window.taps = 0;
  addEventListener("pointerup", () => { window.taps += 1; }, { capture: true });
}"""
NAMES = ("Ana", "Ben", "Cleo", "Dan")


def played_before(served: Served) -> None:
    """A match of these four, after which everybody went home."""
    served.pair()
    for number, name in enumerate(NAMES, 1):
        served.do("sit", name=name, button=number)
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("go_out", {"seat": 1}),
        *(("enter_points", {"seat": seat, "points": 9}) for seat in (2, 3, 4)),
        ("score_round", {}),
        ("close_match", {}),
        *(("stand", {"seat": seat}) for seat in (1, 2, 3, 4)),
    ):
        assert served.do(kind, **fields).status == 200, kind


@pytest.fixture
def known(served: Served, tablet) -> Fingers:
    played_before(served)
    fingers: Fingers = tablet()
    fingers.page.evaluate(COUNT)
    return fingers


@contextmanager
def taps(fingers: Fingers, most: int) -> Iterator[None]:
    before = fingers.page.evaluate("window.taps")
    yield
    assert fingers.page.evaluate("window.taps") - before <= most


def test_who_was_here_before_sits_down_with_a_press_and_a_tap(known):
    with taps(known, 2 * 4 + 1):
        for number, name in enumerate(NAMES, 1):
            known.push(number)
            known.tap(name)
            expect(known.seat(name)).to_be_visible()
        known.tap("Start the match")
    with taps(known, 1):
        known.page.locator(".deal .who", has_text="Ben").click()
        known.says("Ben shuffles and deals")


def test_the_same_people_as_last_time_sit_down_with_one_tap(known):
    with taps(known, 1):
        known.tap_like("Same as last time")
        assert eventually(
            lambda: [seat["name"] for seat in known.served.table["seats"]] == list(NAMES)
        )


def test_a_catch_a_late_race_nine_cards_and_going_out(known, served):
    for number, name in enumerate(NAMES, 1):
        served.do("sit", name=name, button=number)
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        served.do(kind, **fields)
    known.says("Play")
    with taps(known, 3):
        known.push(1)
        known.tap_like("Caught!")
        known.pick("Ben")
        known.ruled("Ben did not call UNO")
    known.settled()
    with taps(known, 2):
        known.lay_race("Ana")
    served.do("cancel_race")
    with taps(known, 2):
        known.tap_like("Went out")
        known.pick("Ana")
        expect(known.page.get_by_role("tab").first).to_be_visible()
    known.settled()
    with taps(known, 10):
        for number in range(1, 10):
            known.card(f"red-{number}")
        known.tap("Ben’s hand is done")
    expect(known.page.get_by_role("tab", name="Ben 45")).to_be_visible()
    known.settled()
    with taps(known, 4):
        known.page.locator(".typed input").click()
        known.page.keyboard.type("45")
        known.page.keyboard.press("Enter")
        expect(known.page.get_by_role("tab", name="Cleo 45")).to_be_visible()
