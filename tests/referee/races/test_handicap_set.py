"""Head starts: who has one, from when on, and how one is taken back."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Seat
from tests.kit.evening import ANA, CLEO, Evening
from tests.referee.situations import raced, with_head_start

MS = MILLISECOND


def seat(table: Evening, number: int) -> Seat:
    found = table.table.game.seat(number)
    assert found is not None
    return found


def test_a_head_start_goes_with_the_player_and_not_with_the_seat() -> None:
    table = Evening(3)
    table.do(c.SetHandicap(CLEO, 200))
    table.do(c.Swap(CLEO, ANA))
    assert [s.handicap // MS for s in table.table.game.seats] == [200, 0, 0]
    assert [s.button for s in table.table.game.seats] == [1, 2, 3]
    table.do(c.Swap(ANA, 7))
    assert seat(table, 7).handicap == 200 * MS
    table.do(c.Rename(7, "Clea"))
    table.do(c.AssignButton(7, 9))
    assert seat(table, 7).handicap == 200 * MS
    table.do(c.Stand(7))
    table.do(c.Sit("Clea", 7))
    assert seat(table, 7).handicap == 0, "who leaves takes it along"


def test_a_head_start_stays_over_rounds_matches_and_restarts() -> None:
    table = with_head_start(CLEO, 200)
    table.do(c.CloseMatch())
    table.start()
    table.do(c.OpenTable((), table.table.timing, None))
    assert seat(table, CLEO).handicap == 200 * MS


def test_setting_one_is_a_step_that_can_be_taken_back_and_done_again() -> None:
    table = with_head_start(CLEO, 200)
    events = table.do(c.SetHandicap(CLEO, 350))
    assert events[1:] == (e.HandicapSet(CLEO, 350 * MS),)
    assert table.table.past is not None
    assert table.text(table.table.past.label) == "Head start of 350 ms for Cleo"
    table.do(c.Undo())
    assert seat(table, CLEO).handicap == 200 * MS
    table.do(c.Redo())
    assert seat(table, CLEO).handicap == 350 * MS


def test_taking_back_a_head_start_does_not_change_what_the_hands_were_worth() -> None:
    table = with_head_start(CLEO, 200)
    raced(table, ben=300, cleo=450)
    ruled = table.finish
    table.do(c.SetHandicap(CLEO, 0))
    table.do(c.Undo())
    table.do(c.Redo())
    table.wait(SECOND)
    assert table.finish == ruled


@pytest.mark.parametrize("ms", [-1, 2001, 10**30])
def test_a_head_start_has_its_limits(ms: int) -> None:
    table = Evening(3)
    refusal = table.refused(c.SetHandicap(CLEO, ms))
    assert str(refusal) == "A head start is between 0 and 2000 ms."
    assert table.refused(c.SetHandicap(9, 100)).sentence.code == "unknown_seat"
