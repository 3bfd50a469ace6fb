"""Moments that take the whole screen, and how the score comes back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served
from tests.kit.waiting import until
from tests.page.fingers import Fingers


@pytest.fixture
def playing(served: Served) -> Served:
    """Three in free play."""
    served.pair()
    for number, name in enumerate(("Ana", "Ben", "Cam"), 1):
        served.do("sit", name=name, button=number)
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        assert served.do(kind, **fields).status == 200
    return served


def test_a_call_a_catch_and_going_out_fill_the_screen_until_they_are_tapped(playing, tablet):
    fingers: Fingers = tablet()
    moment = fingers.page.locator(".moment-screen")
    playing.do("call", seat=1)
    expect(moment.locator(".large-words")).to_have_text("Ana: UNO!")
    playing.do("catch", seat=1, by=2)
    expect(moment.locator(".large-words")).to_have_text("Ana is safe")
    moment.click()
    expect(moment).to_have_count(0)
    playing.do("catch", seat=3, by=2)
    expect(moment.locator(".large-words")).to_have_text("Cam draws 2")
    expect(moment.locator(".race-sub")).to_have_text("Did not call UNO")
    moment.get_by_role("button", name="Cam has drawn").click()
    expect(moment).to_have_count(0)
    until(lambda: playing.table["debts"] == [])
    playing.do("go_out", seat=2)
    expect(moment.locator(".large-words")).to_have_text("Ben is out!")
    expect(moment).to_have_count(0)


def test_whoever_wants_no_big_moments_has_none(playing, tablet):
    fingers: Fingers = tablet(before="localStorage.setItem('quiet', 'yes')")
    playing.do("catch", seat=3, by=2)
    expect(fingers.page.locator(".ruling.latest")).to_contain_text("Cam did not call UNO")
    expect(fingers.page.locator(".moment-screen")).to_have_count(0)
