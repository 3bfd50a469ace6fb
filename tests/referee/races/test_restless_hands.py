"""Somebody who touches the button all the time, though too seldom to hammer it."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening, stands
from tests.referee.situations import free, on_one, presses

MS = MILLISECOND


def last(table: Evening) -> list[int]:
    """Who draws for races."""
    return [one.seat for ruling in table.rules("R12") if stands(ruling) for one in ruling.draws]


@pytest.mark.rule("R12")
@pytest.mark.parametrize("touch", [8080, 8200, 8320], ids=lambda ms: f"{8430 - ms} ms before")
@pytest.mark.parametrize("named", [True, False])
def test_a_touch_that_comes_by_chance_with_the_card_does_not_replace_the_slap(
    touch: int, named: bool
) -> None:
    table = free(4)
    presses(table, (0, DAN), (4000, DAN), (touch, DAN), (8250, BEN), (8330, CLEO), (8430, DAN))
    if named:
        table.do(c.DeclareRace(ANA), after=SECOND)
    table.wait(3 * SECOND)
    assert last(table) == [DAN]


@pytest.mark.rule("R12")
def test_whoever_kept_still_before_is_dated_by_the_first_touch_of_two() -> None:
    table = free(4)
    presses(table, (0, DAN), (8150, DAN), (8250, BEN), (8330, CLEO), (8430, DAN))
    table.wait(3 * SECOND)
    assert last(table) == [CLEO]


@pytest.mark.rule("R12")
def test_a_catch_of_two_presses_before_the_race_is_nothing_restless() -> None:
    table = free(4)
    presses(table, (0, DAN), (700, DAN), (8150, DAN), (8250, BEN), (8330, CLEO), (8430, DAN))
    table.wait(3 * SECOND)
    assert last(table) == [CLEO]


@pytest.mark.rule("R12")
@pytest.mark.parametrize("apart", [300, 750, 1150])
def test_whoever_caught_somebody_with_two_presses_right_before_a_race_was_not_hammering(
    apart: int,
) -> None:
    table = on_one(4)
    table.wait(700 * MS)
    table.tap(BEN)
    table.wait(300 * MS)
    presses(table, (0, DAN), (apart, DAN), (apart + 900, DAN), (apart + 950, ANA))
    presses(table, (100, BEN))
    table.play("street-race blue")
    table.wait(2 * SECOND)
    assert last(table) == [BEN]
