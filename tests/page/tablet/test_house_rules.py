"""A ruling that a house rule decided names that rule, and what the house had chosen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

WRONG_CATCH = "House rule: A wrong catch costs (2)"


@pytest.mark.parametrize(
    ("country", "told"),
    [("en-GB", WRONG_CATCH), ("de-DE", "Hausregel: Zu Unrecht erwischt (2)")],
)
def test_a_wrong_catch_names_its_price(tablet, served, country, told):
    served.pair()
    house = {**served.table["setup"]["house"], "wrong_catch_draws": 2}
    assert served.do("set_up", house=house).status == 200
    for name in ("Ana", "Ben", "Cam"):
        served.do("sit", name=name)
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        assert served.do(kind, **fields).status == 200
    served.do("call", seat=2)
    assert served.do("catch", seat=2, by=1).status == 200
    screen = tablet(country=country)
    expect(screen.rulings().first).to_contain_text(told)


@pytest.mark.parametrize("shown", [False, True], ids=["as printed", "as the house wants it"])
def test_a_missing_call_is_shown_only_where_the_house_wants_it(tablet, screens, served, shown):
    served.pair()
    house = {**served.table["setup"]["house"], "show_missing_call": shown}
    assert served.do("set_up", house=house, way="refereed").status == 200
    for name in ("Ana", "Ben", "Cam"):
        served.do("sit", name=name)
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("turn_up", {"card": "red-5"}),
        ("correct", {"hands": {"2": 2}}),
        ("play", {"card": "red-7"}),
    ):
        assert served.do(kind, **fields).status == 200, kind
    others = [screens(served), *(screens(served, width=390, height=844) for _ in range(3))]
    for screen, path in zip(others, ("/board", "/seat/1", "/seat/2", "/seat/3"), strict=True):
        screen.open(served.address + path)
        expect(screen.page.locator("[data-link=live]")).to_be_visible()
        expect(screen.page.get_by_text("No call yet")).to_have_count(int(shown))
    strip = tablet().page.locator(".uno-strip")
    expect(strip).to_contain_text("Ben has one card left.")
    expect(strip.get_by_text("No call yet")).to_have_count(int(shown))
    assert served.do("call", seat=2).status == 200
    expect(strip).to_contain_text("Called")
    for page in (strip, *(screen.page for screen in others)):
        expect(page.get_by_text("No call yet")).to_have_count(0)
