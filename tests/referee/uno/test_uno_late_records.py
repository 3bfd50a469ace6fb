"""R13 in refereed play: a call counts however late the cards are recorded."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, Evening
from tests.referee.situations import on_one, window

MS = MILLISECOND


@pytest.mark.rule("R13")
@pytest.mark.parametrize("late", [0, 5, 15, 29])
def test_a_call_counts_however_late_its_card_is_recorded(late: int) -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(40 * SECOND)
    table.tap(BEN)
    table.wait(late * SECOND)
    table.play("red-1")
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert window(table).call is not None


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("before", "counts"),
    [
        pytest.param(31, True, id="two seconds before the earliest moment of its card"),
        pytest.param(33, False, id="longer ago than that"),
    ],
)
def test_a_call_counts_from_two_seconds_before_its_card_can_have_been_laid(
    before: int, counts: bool
) -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(40 * SECOND)
    table.tap(BEN)
    table.wait(before * SECOND)
    table.play("red-1")
    assert (window(table).call is not None) is counts


@pytest.mark.rule("R13")
def test_a_call_serves_one_card_only() -> None:
    """Ben calls once, is on one, draws, and comes back to one card within half a minute."""
    table = on_one()
    table.tap(BEN)
    table.play("red-2", "red-3")
    table.do(c.Draw())
    table.play("red-4", "red-6")
    table.play("red-7")
    assert window(table).seat == BEN
    assert window(table).call is None


@pytest.mark.rule("R13")
def test_calling_twice_keeps_the_first_call_of_the_window() -> None:
    table = on_one()
    first = table.tap(BEN)
    table.wait(300 * MS)
    table.tap(BEN)
    call = window(table).call
    assert call is not None
    assert call.at == first


@pytest.mark.rule("R13")
def test_the_record_may_be_two_turns_behind() -> None:
    """Ben lays, calls; Cleo and Ana lay; then all three cards are tapped in."""
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(30 * SECOND)
    table.tap(BEN)
    table.wait(6 * SECOND)
    table.play("red-1", "red-2", "red-3")
    closed = {one.seat: one.call for one in table.round.calls.closed}
    assert closed[BEN] is not None


@pytest.mark.rule("R13")
@pytest.mark.parametrize("later", range(46_000, 48_500, 250))
def test_the_second_press_of_a_catch_never_becomes_a_call(later: int) -> None:
    """Cleo catches Ben and comes down to one card; all that happens then is that time passes."""
    table = on_one()
    table.hands(cleo=2)
    caught = table.now
    table.catch_by_presses(CLEO)
    table.wait(16 * SECOND)
    assert table.owed(BEN) == 2
    table.play("red-2")
    assert window(table).seat == CLEO
    table.wait(caught + later * MS - table.now)
    table.tap(ANA)
    assert window(table).call is None
