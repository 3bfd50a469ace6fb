"""The tablet's page on the referee's phone: nothing sticks out, in any phase and language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers

WIDTHS = (320, 360, 390)
SCROLLS = "() => document.documentElement.scrollWidth - innerWidth"
MENU = ".bar-actions .button:last-child"


@pytest.mark.parametrize("country", ["en-GB", "de-DE", "fr-FR"])
def test_a_referee_sees_the_whole_width_in_every_phase(
    tablet: Callable[..., Fingers], served: Served, country: str
) -> None:
    referee = tablet(width=390, height=844, country=country)
    served.pair()

    def after(*steps: tuple[str, dict[str, Any]]) -> None:
        for kind, fields in steps:
            assert served.do(kind, **fields).status == 200, kind
        shown = referee.page.locator("[data-version]")
        # The table goes on by itself meanwhile: what it asks or rules has a version of its own.
        eventually(lambda: shown.get_attribute("data-version") == str(served.table["version"]))
        for width in WIDTHS:
            referee.page.set_viewport_size({"width": width, "height": 844})
            where = (served.table["phase"], steps[-1][0], width)
            assert referee.page.evaluate(SCROLLS) <= 0, where
            menu = referee.page.locator(MENU).bounding_box()
            assert menu, where
            assert menu["x"] + menu["width"] <= width, where

    names = ("Ana", "Benedikta", "Cleo", "Dan")
    after(*(("sit", {"name": name, "button": at}) for at, name in enumerate(names, 1)))
    after(("start_match", {}))
    after(("choose_dealer", {"seat": 4}))
    after(("deal", {}), ("set_handicap", {"seat": 3, "milliseconds": 200}))
    after(("declare_race", {"layer": 1}))
    after(*(("press_seat", {"seat": seat}) for seat in (3, 2, 4)))
    after(("cancel_race", {}), ("catch", {"seat": 2, "by": 1}))
    (asked,) = eventually(lambda: served.table["questions"])
    after(("answer", {"question": asked["number"], "answer": "caught"}))
    after(*(("drawn", {"debt": debt["number"]}) for debt in served.table["debts"]))
    after(("go_out", {"seat": 1}))
    after(
        ("enter_hand", {"seat": 2, "cards": {"red-5": 1, "wild": 1}}),
        *(("enter_points", {"seat": seat, "points": 120}) for seat in (3, 4)),
    )
    after(("score_round", {}))
    after(("switch_way", {"way": "refereed"}), ("deal", {}))
    after(("turn_up", {"card": "red-5"}))
    turn = served.table["round"]["turn"]
    after(("correct", {"hands": {str(turn): 2}}), ("play", {"card": "red-7"}))
    after(("play", {"card": "wild-draw", "colour": "green"}))
    after(
        *(("drawn", {"debt": debt["number"]}) for debt in served.table["debts"]),
        ("go_out", {"seat": 1, "confirm": True}),
        *(("enter_points", {"seat": seat, "points": 200}) for seat in (2, 3, 4)),
        ("score_round", {}),
    )
    assert served.table["phase"] == "won"
