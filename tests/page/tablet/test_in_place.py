"""What a finger is on its way to stays where it is, over a whole refereed match."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers
from tests.page.layout import NAMES

PLACES = """() => Object.fromEntries(
    [...document.querySelectorAll(
        ".cards-side [data-card], .cards-side .action, .bar-top .button, .seats .seat-face")]
    .map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        const name = one.dataset.card ?? one.parentElement.dataset.seat;
        const siblings = [...one.parentElement.children];
        return [name ?? `${one.parentElement.className} ${siblings.indexOf(one)}`,
                [x, y, width, height].map(Math.round).join(" ")];
    }))"""
SIZES = """(wanted) => Math.min(...[...document.querySelectorAll(wanted)]
    .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""


class Play:
    """A refereed match, one command after the other, and where everything was after each."""

    def __init__(self, served: Served, fingers: Fingers) -> None:
        self.served = served
        self.page = fingers.page
        self.seen: dict[str, str] = {}
        self.looks = 0

    def do(self, kind: str, **fields: Any) -> None:
        answer = self.served.do(kind, **fields)
        assert answer.status == 200, (kind, answer.body)
        self.look()

    def look(self) -> None:
        version = self.served.table["version"]
        self.page.locator(f"[data-version='{version}']").wait_for()
        if self.served.table["phase"] != "play":
            return
        places: dict[str, str] = self.page.evaluate(PLACES)
        self.looks += 1
        for name, place in places.items():
            assert self.seen.setdefault(name, place) == place, name

    def round(self, seats: int) -> None:
        """All kinds of cards, then somebody goes out."""
        self.do("deal")
        self.do("turn_up", card="red-5")
        for number in (7, 3, 9, 1):
            self.do("play", card=f"red-{number}")
        self.do("draw")
        self.do("play", card="wild")
        self.do("name_colour", colour="blue")
        self.do("play", card="blue-draw")
        self.do("drawn", debt=self.served.table["debts"][0]["number"])
        self.do("play", card="wild-draw", colour="green")
        self.do("challenge", guilty=False)
        self.do("play", card="green-reverse")
        turn = self.served.table["round"]["turn"]
        self.do("correct", hands={str(turn): 2})
        self.do("play", card="green-4")
        self.do("call", seat=turn)
        self.do("play", card="green-skip")
        self.do("go_out", seat=turn, confirm=True)
        for seat in range(1, seats + 1):
            if seat != turn:
                self.do("enter_points", seat=seat, points=30)
        self.do("score_round")


def seated(served: Served, count: int) -> None:
    served.pair()
    house = {**served.table["setup"]["house"], "target": 100}
    for number, name in enumerate(NAMES[:count], 1):
        served.do("sit", name=name, **({"button": number} if number < 6 else {}))
    for kind, fields in (
        ("set_up", {"way": "refereed", "house": house}),
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
    ):
        assert served.do(kind, **fields).status == 200


@pytest.mark.parametrize(
    ("count", "width", "height"),
    [
        pytest.param(4, 1280, 800, id="four at a tablet"),
        pytest.param(10, 1280, 800, id="ten at a tablet"),
        pytest.param(10, 360, 640, id="ten at the smallest phone"),
        pytest.param(4, 1920, 1080, id="four at a large screen"),
    ],
)
def test_no_control_moves_in_a_refereed_match(served, tablet, count, width, height):
    seated(served, count)
    play = Play(served, tablet(width=width, height=height))
    while served.table["phase"] != "won":
        play.round(count)
    assert play.looks > 15
    expect(play.page.locator(".winner")).to_be_visible()


def test_the_score_is_read_from_two_metres_with_ten(served, tablet):
    seated(served, 10)
    served.do("deal")
    page = tablet().page
    page.locator(".seats .total").first.wait_for()
    assert page.evaluate(SIZES, ".total, .chip.hand") >= 28
    served.do("abandon_round")
    served.do("switch_way", way="free")
    served.do("deal")
    page.locator(".roads .total").first.wait_for()
    assert page.evaluate(SIZES, ".total") >= 28


def test_a_card_that_does_not_fit_is_dimmed_and_still_tapped(served, tablet):
    seated(served, 3)
    served.do("deal")
    served.do("turn_up", card="red-5")
    fingers: Fingers = tablet()
    dimmed = fingers.page.locator(".cell.unfit")
    expect(dimmed).to_have_count(3 * 12)
    fingers.card("blue-7")
    fingers.tap("Record it anyway")
    assert eventually(lambda: served.table["round"]["top"] == "blue-7")
