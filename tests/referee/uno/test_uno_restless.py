"""R13 in refereed play: hands that press too often, and hands that slap, say nothing."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.referee.situations import before_one, on_one

MS = MILLISECOND


@pytest.mark.rule("R13")
def test_three_touches_in_ten_seconds_say_neither_call_nor_catch() -> None:
    table = on_one()
    for pause in (2000, 2000, 500):
        table.tap(ANA)
        table.wait(pause * MS)
    table.tap(ANA)
    table.wait(SECOND)
    assert table.rules("R13") == []


@pytest.mark.rule("R13")
def test_restless_touches_of_a_minute_ago_do_not_become_a_catch_by_growing_old() -> None:
    table = on_one()
    for pause in (7000, 400, 46_000):
        table.tap(ANA)
        table.wait(pause * MS)
    assert table.rules("R13") == []
    table.tap(CLEO)
    table.wait(SECOND)
    assert table.rules("R13") == []


@pytest.mark.rule("R13")
def test_a_restless_button_does_not_call_either() -> None:
    table = before_one()
    for _ in range(15):
        table.tap(BEN)
        table.wait(3 * SECOND)
    table.play("red-1")
    table.wait(SECOND)
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_after_ten_seconds_of_rest_a_button_is_believed_again() -> None:
    table = on_one()
    for _ in range(4):
        table.tap(ANA)
        table.wait(1300 * MS)
    table.wait(10 * SECOND)
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_three_failed_catches_silence_a_button_for_the_round() -> None:
    table = on_one(house={"wrong_catch_draws": 1})
    table.tap(BEN)
    for _ in range(5):
        table.wait(12 * SECOND)
        table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.in_force == ["called"] * 3
    assert table.owed(ANA) == 3
    table.wait(12 * SECOND)
    table.tap(ANA)
    assert table.round.calls.again == {}
    table.wait(12 * SECOND)
    table.catch_by_presses(CLEO)
    table.wait(SECOND)
    assert table.owed(CLEO) == 1, "everybody else may still be wrong"


@pytest.mark.rule("R13")
def test_slaps_of_a_race_are_neither_calls_nor_catches() -> None:
    table = Evening(4, way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("street-race blue")
    table.slaps(ana=300, cleo=330, dan=360)
    table.wait(100 * MS)
    table.slaps(ana=100, cleo=130)
    table.wait(3 * SECOND)
    assert table.owed(BEN) == 0, "hands that slap twice catch nobody"
    table.wait(10 * SECOND)
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2, "after the race they do"
    assert table.owed(DAN) == 4


@pytest.mark.rule("R13")
@pytest.mark.parametrize("late", [1, 16, 25])
def test_presses_read_as_a_catch_are_slaps_once_the_card_is_known(late: int) -> None:
    """Ben is on one and has not called; hands come down for Cleo's Street Race, some twice."""
    table = on_one(4)
    table.wait(3 * SECOND)
    table.slaps(dan=0, ana=30, ben=60)
    table.slaps(dan=300)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    table.wait(late * SECOND)
    table.do(c.Play(Card("street-race"), colour="blue"))
    table.wait(SECOND)
    assert [ruling.outcome for ruling in table.rules("R13")][-1] == "void"
    assert table.in_force == ["last"]
    assert table.owed(BEN) == 4
