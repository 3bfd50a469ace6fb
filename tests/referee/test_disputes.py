"""Overruling, taking back and doing again."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.cards import Card
from companion.referee.presses import MILLISECOND, SECOND
from tests.referee.evening import ANA, BEN, CLEO, Evening

MS = MILLISECOND


def test_a_ruling_can_be_overruled_with_another_consequence() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-draw")
    number = table.ruling.number
    table.do(c.Overrule(number, (ANA, BEN), 1))
    assert [table.owed(seat) for seat in (ANA, BEN, CLEO)] == [1, 1, 0]
    assert table.said == "The referee overrules: Ana, Ben to draw 1."
    old = next(r for r in table.match.rulings if r.number == number)
    assert old.overruled is not None
    assert table.refused(c.Overrule(number)).sentence.code == "no_such_ruling"


def test_overruling_to_nobody() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-draw")
    table.do(c.Overrule(table.ruling.number))
    assert table.round.debts == ()
    assert table.said == "The referee overrules: nobody draws."


@pytest.mark.parametrize(
    "unclear",
    [
        pytest.param(((BEN,), 0), id="somebody draws nothing"),
        pytest.param(((), 2), id="two cards for nobody"),
    ],
)
def test_an_unclear_overruling_is_refused(unclear: tuple[tuple[int, ...], int]) -> None:
    table = Evening(way="refereed").refereed()
    seats, draws = unclear
    refusal = table.refused(c.Overrule(table.ruling.number, seats, draws))
    assert str(refusal) == "Say who draws and how many, or that nobody does."


def test_overruling_a_race_settles_it_with_the_referees_word() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.tap(BEN)
    table.wait(100 * MS)
    table.tap(CLEO)
    table.do(c.Overrule(table.ruling.number, (BEN,), 4))
    assert (table.owed(BEN), table.owed(CLEO)) == (4, 0)
    assert table.race.state == "ruled"


def test_a_ruling_before_the_round_can_be_overruled_too() -> None:
    table = Evening(2)
    table.do(c.StartMatch())
    table.do(c.DrawForDeal({ANA: Card("red-1"), BEN: Card("red-2")}))
    table.do(c.Overrule(table.ruling.number))
    assert table.said == "The referee overrules: nobody draws."


def test_undo_takes_back_one_step_and_redo_does_it_again() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-1")
    after_one = table.table.game
    table.play("red-draw")
    after_two = table.table.game
    table.do(c.Undo())
    assert table.table.game == after_one
    table.do(c.Redo())
    assert table.table.game == after_two
    assert table.refused(c.Redo()).sentence.code == "nothing_to_redo"


def test_what_was_taken_back_is_gone_once_the_game_goes_on() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-1")
    table.do(c.Undo())
    table.play("red-2")
    assert table.refused(c.Redo()).sentence.code == "nothing_to_redo"


def test_a_press_that_changes_the_game_ends_the_way_forwards() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.do(c.Undo())
    assert table.table.future is not None
    table.tap(BEN)
    assert table.table.future is None


def test_nothing_before_the_match_can_be_taken_back_in_it() -> None:
    table = Evening(2)
    assert table.table.past is not None
    table.do(c.StartMatch())
    assert str(table.refused(c.Undo())) == "There is nothing to take back."


def test_undoing_a_race_takes_back_its_slaps_and_its_ruling_together() -> None:
    table = Evening().start()
    at = table.press(ANA)
    table.wait(200 * MS)
    table.tap(BEN)
    table.wait(SECOND)
    table.tap(CLEO)
    table.let_go(ANA, at)
    assert table.owed(CLEO) == 4
    table.do(c.Undo())
    assert table.round.race is None
    assert table.round.debts == ()
    table.wait(SECOND)
    assert table.round.race is None, "the hold that was taken back lays no second race"
    table.do(c.Redo())
    assert table.owed(CLEO) == 4


def test_undoing_a_tap_in_a_running_race_keeps_the_slaps() -> None:
    table = Evening(way="refereed").refereed("red-draw")
    table.hold(CLEO)
    table.tap(ANA)
    table.do(c.Drawn(table.round.debts[0].number))
    table.do(c.Undo())
    assert table.race.state == "running"
    table.tap(BEN)
    assert table.race.state == "ruled"
    assert table.owed(BEN) == 2 + 4


def test_undoing_past_the_end_of_a_race_leaves_it_to_the_referee() -> None:
    table = Evening(way="refereed").refereed("red-draw")
    table.hold(CLEO)
    table.do(c.Drawn(table.round.debts[0].number))
    table.tap(ANA)
    table.wait(100 * MS)
    table.tap(BEN)
    assert table.owed(BEN) == 4
    table.do(c.Undo())
    assert (table.race.state, table.race.tied) == ("undecided", (ANA, BEN))
    table.do(c.PickLast((BEN,)))
    assert table.owed(BEN) == 2 + 4


def test_a_catch_by_press_can_be_taken_back() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    table.tap(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    table.do(c.Undo())
    assert table.round.debts == ()
    table.wait(SECOND)
    assert table.round.debts == (), "the same press does not catch again"
    assert table.round.window is not None


def test_a_restart_forgets_no_step() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-1")
    before = table.table.game
    table.do(c.OpenTable(table.table.editions, table.table.timing, table.now))
    assert table.table.game == before
    table.do(c.Undo())
    assert table.round.top == "red-5"
