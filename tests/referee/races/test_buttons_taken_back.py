"""Undo and redo may give seats other buttons: those that work are believed, and no others."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee.model.presses import SECOND
from tests.kit.evening import ANA, BEN, CLEO, Evening

SPARE = 9


def with_a_spare() -> Evening:
    """Ben's button broke in the round, and a spare has taken over."""
    table = Evening(4).start()
    table.do(c.SetAside(BEN, "stuck", table.now))
    table.wait(SECOND)
    table.press(SPARE)
    assert table.table.game.seats[1].button == SPARE
    return table


def race(table: Evening) -> str | None:
    """Let Ana lay a race in which Ben is not heard; tell what comes of it."""
    table.do(c.DeclareRace(ANA))
    table.slaps(cleo=0, dan=20)
    table.wait(12 * SECOND)
    return table.race.outcome


def test_with_the_broken_button_again_somebody_is_asked_about() -> None:
    table = with_a_spare()
    table.do(c.Undo())
    assert table.table.game.seats[1].button == BEN
    assert race(table) == "unusable"


def test_with_the_spare_again_somebody_who_does_not_slap_is_last() -> None:
    table = with_a_spare()
    table.do(c.Undo())
    table.do(c.Redo())
    table.wait(SECOND)
    assert race(table) == "never_slapped"


def test_somebody_without_any_button_stays_without_one() -> None:
    table = Evening(4).start()
    table.do(c.AssignButton(CLEO, BEN))
    table.do(c.Call(ANA))
    table.do(c.Undo())
    assert table.table.game.seats[1].button is None
    table.do(c.DeclareRace(ANA))
    table.wait(12 * SECOND)
    assert BEN in table.race.unusable


def test_a_seat_that_waits_for_a_button_goes_on_waiting() -> None:
    table = with_a_spare()
    table.do(c.Undo())
    table.do(c.AssignButton(CLEO))
    table.do(c.Redo())
    assert table.table.game.seats[1].button == SPARE
    assert table.table.awaiting_button == CLEO
