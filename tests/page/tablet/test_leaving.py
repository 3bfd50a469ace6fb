"""Somebody leaves in the middle of a round, and a round that nobody wants to finish."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served
from tests.page.every_screen.test_accessibility import PHONE, TABLET, check
from tests.page.fingers import Fingers

ANA, BEN, CLEO = 1, 2, 3


@pytest.fixture
def dealt(served: Served) -> Served:
    """A round of free play among three, with everybody's hand still up."""
    served.pair()
    for number, name in enumerate(("Ana", "Ben", "Cleo"), 1):
        assert served.do("sit", name=name, button=number).status == 200
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": ANA}), ("deal", {})):
        assert served.do(kind, **fields).status == 200
    return served


def leave(referee: Fingers, seat: int, how: str) -> None:
    referee.page.locator(f".seat[data-seat='{seat}'] .seat-face").click()
    check(referee, TABLET, PHONE)
    referee.tap(how)
    expect(referee.page.locator("dialog")).to_have_count(0)


def test_who_leaves_with_the_hand_under_the_pile_has_no_part_in_the_count(
    dealt: Served, referee: Fingers
) -> None:
    leave(referee, CLEO, "Leaves, hand under the draw pile")
    assert [seat["name"] for seat in dealt.table["seats"] if seat["playing"]] == ["Ana", "Ben"]
    referee.tap_like("Undo")
    expect(referee.page.get_by_role("button", name="Redo Cleo leaves")).to_be_visible()
    leave(referee, CLEO, "Leaves, hand under the draw pile")
    assert dealt.do("go_out", seat=ANA).status == 200
    expect(referee.page.get_by_role("tab", name="Ben")).to_be_visible()
    expect(referee.page.get_by_role("tab", name="Cleo")).to_have_count(0)


def test_who_leaves_with_the_hand_on_the_table_is_counted(dealt: Served, referee: Fingers) -> None:
    leave(referee, CLEO, "Leaves, hand counted at the end")
    assert dealt.do("go_out", seat=ANA).status == 200
    referee.total("Ben", 12)
    referee.total("Cleo", 30)
    assert dealt.do("score_round").status == 200
    expect(referee.seat("Cleo")).to_have_count(0)
    expect(referee.seat("Ana")).to_contain_text("42")


def test_a_round_is_abandoned_from_the_menu_and_dealt_again_by_the_same_player(
    dealt: Served, referee: Fingers
) -> None:
    referee.tap_like("Menu")
    check(referee, TABLET, PHONE)
    referee.tap("Abandon this round")
    expect(referee.page.locator("dialog")).to_have_count(0)
    referee.says("Ana shuffles and deals")
    assert dealt.table["round"] is None
    referee.tap_like("Menu")
    expect(referee.button("Abandon this round")).to_have_count(0)
    referee.close_dialog()
    referee.tap_like("start round 1")
    referee.says("Play")
