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
