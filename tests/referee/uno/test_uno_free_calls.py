"""R13 in free play: which presses call, and for how long."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.rulings import Calling
from tests.kit.evening import ANA, BEN, CLEO, DAN
from tests.referee.situations import free, presses

MS = MILLISECOND


@pytest.mark.rule("R13")
def test_a_call_whose_news_comes_late_saves_its_caller() -> None:
    table = free()
    start = presses(table, (0, ANA))
    table.do(c.Catch(BEN, ANA), after=2 * SECOND)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    table.press(BEN, start - SECOND)
    assert table.in_force == ["called"]
    assert table.owed(BEN) == 0


@pytest.mark.rule("R13")
def test_a_call_is_spent_when_its_player_draws() -> None:
    table = free()
    table.do(c.Catch(BEN))
    table.wait(SECOND)
    table.tap(BEN)
    table.wait(SECOND)
    assert BEN in table.round.calls.called
    table.do(c.Drawn(table.round.debts[0].number))
    assert BEN not in table.round.calls.called
    table.do(c.Catch(BEN))
    table.wait(SECOND)
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_cards_drawn_later_do_not_make_an_earlier_call_worthless() -> None:
    """Ben had called and the catch failed; that he then draws for a race changes nothing of it."""
    table = free()
    presses(table, (0, BEN), (3000, ANA))
    table.do(c.Catch(BEN, ANA), after=2 * SECOND)
    table.wait(2 * SECOND)
    assert table.in_force == ["called"]
    table.do(c.DeclareRace(ANA))
    table.slaps(cleo=0, dan=40, ben=90)
    table.wait(SECOND)
    table.do(c.Drawn(table.round.debts[0].number))
    table.wait(SECOND)
    assert "called" in table.in_force
    assert table.owed(BEN) == 0


@pytest.mark.rule("R13")
def test_the_cards_drawn_for_a_catch_do_not_undo_it() -> None:
    table = free()
    start = presses(table, (0, ANA))
    table.do(c.Catch(BEN, ANA), after=2 * SECOND)
    table.wait(SECOND)
    table.do(c.Drawn(table.round.debts[0].number))
    table.wait(SECOND)
    table.press(CLEO, start + 20 * MS)
    assert table.in_force == ["caught"]
    assert table.round.debts == ()


@pytest.mark.rule("R13")
def test_slaps_are_no_calls_and_no_catches() -> None:
    table = free()
    table.hands_off(ANA)
    table.wait(SECOND)
    table.do(c.Catch(BEN))
    table.wait(SECOND)
    evidence = table.ruling.evidence
    assert isinstance(evidence, Calling)
    assert (table.owed(BEN), evidence.catch.source) == (2, "tablet")


@pytest.mark.rule("R13")
def test_the_call_of_a_layer_is_a_call() -> None:
    table = free()
    table.tap(ANA)
    table.wait(SECOND)
    table.hands_off(ANA)
    table.wait(SECOND)
    table.tap(BEN)
    table.do(c.Catch(ANA, BEN), after=SECOND)
    table.wait(SECOND)
    assert table.owed(ANA) == 0


@pytest.mark.rule("R13")
def test_who_has_called_is_shown_a_moment_after_the_press() -> None:
    """The first hand of a race looks just like a call, so the table waits for the others."""
    table = free()
    pressed = table.tap(DAN)
    assert table.round.calls.pending == {DAN: pressed}
    assert table.round.calls.called == {}
    table.wait(400 * MS)
    assert table.round.calls.called == {DAN: pressed}
    two = free(2)
    two.tap(BEN)
    assert set(two.round.calls.called) == {BEN}, "between two there is no such doubt"


@pytest.mark.rule("R13")
def test_a_call_is_shown_for_as_long_as_its_player_has_not_drawn() -> None:
    table = free()
    pressed = table.tap(DAN)
    table.wait(300 * SECOND)
    table.tap(ANA)
    table.wait(SECOND)
    assert table.round.calls.called[DAN] == pressed
