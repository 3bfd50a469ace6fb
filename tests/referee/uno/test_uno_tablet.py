"""R13 in refereed play: calls and catches that were tapped in."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.rulings import Calling
from tests.kit.evening import ANA, BEN, CLEO, DAN
from tests.referee.situations import before_one, on_one, window


@pytest.mark.rule("R13")
def test_a_catch_from_the_tablet() -> None:
    table = on_one()
    table.do(c.Catch(BEN, ANA))
    assert table.owed(BEN) == 0, "a call may still be on its way"
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    evidence = table.ruling.evidence
    assert isinstance(evidence, Calling)
    assert (evidence.by, evidence.catch.source) == (ANA, "tablet")
    table.wait(60 * SECOND)
    table.tap(CLEO)
    assert table.in_force == ["caught"], "it is not judged twice"


@pytest.mark.rule("R13")
def test_the_first_tap_is_the_catch_however_long_the_names_take() -> None:
    table = on_one()
    table.wait(SECOND)
    tapped = table.now
    table.wait(2 * SECOND)
    table.tap(BEN)
    table.wait(tapped + 7 * SECOND - table.now)
    table.do(c.Catch(BEN, ANA, 7000), after=0)
    table.wait(SECOND)
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
@pytest.mark.parametrize("cost", [0, 1])
def test_a_catch_of_somebody_with_more_cards_costs_what_the_house_says(cost: int) -> None:
    table = on_one(house={"wrong_catch_draws": cost})
    table.do(c.Catch(CLEO, ANA))
    table.wait(SECOND)
    assert table.said == "Cleo has more than one card."
    assert table.ruling.outcome == "not_on_one"
    assert table.owed(ANA) == cost
    assert table.ruling.house == ("wrong_catch_draws",)


@pytest.mark.rule("R13")
def test_a_wrong_catch_by_nobody_in_particular_costs_nobody() -> None:
    table = on_one(house={"wrong_catch_draws": 1})
    table.do(c.Catch(CLEO))
    table.wait(SECOND)
    assert table.round.debts == ()


@pytest.mark.rule("R13")
def test_a_catch_on_the_tablet_of_somebody_who_has_called() -> None:
    table = on_one()
    table.tap(BEN)
    table.do(c.Catch(BEN, ANA), after=SECOND)
    table.wait(SECOND)
    assert table.said == "Ben had called UNO 1.0 s before the catch."


@pytest.mark.rule("R13")
def test_a_call_from_the_tablet_and_its_withdrawal() -> None:
    table = on_one()
    table.do(c.Call(BEN))
    assert table.round.calls.window is not None
    assert table.round.calls.window.call is not None
    table.do(c.WithdrawCall(BEN))
    assert table.round.calls.window.call is None
    assert table.refused(c.WithdrawCall(BEN)).sentence.code == "no_call"
    table.do(c.Call(ANA))
    assert ANA in table.round.calls.called
    table.do(c.WithdrawCall(ANA))
    assert ANA not in table.round.calls.called


@pytest.mark.rule("R13")
def test_a_call_that_is_withdrawn_has_the_catch_judged_again() -> None:
    table = on_one()
    table.tap(BEN)
    table.wait(SECOND)
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.in_force == ["called"]
    table.do(c.WithdrawCall(BEN))
    table.wait(SECOND)
    assert table.in_force == ["caught"]


@pytest.mark.rule("R13")
def test_a_call_that_is_withdrawn_a_minute_later_has_the_catch_judged_again_at_once() -> None:
    table = on_one()
    table.tap(BEN)
    table.wait(SECOND)
    table.catch_by_presses(ANA)
    table.wait(60 * SECOND)
    assert table.in_force == ["called"]
    table.do(c.WithdrawCall(BEN))
    assert (table.in_force, table.owed(BEN)) == (["caught"], 2)
    table.do(c.Undo())
    assert (table.in_force, table.owed(BEN)) == (["called"], 0)


@pytest.mark.rule("R13")
def test_whoever_was_caught_by_two_presses_is_not_caught_again_by_a_tap() -> None:
    table = on_one(players=4)
    table.wait(SECOND)
    table.tap(CLEO)
    table.wait(600 * MILLISECOND)
    table.tap(CLEO)
    table.wait(30 * SECOND)
    assert table.in_force == ["caught"]
    assert table.refused(c.Catch(BEN, DAN)).sentence.code == "catch_known"
    assert table.in_force == ["caught"]
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_whoever_was_caught_by_a_tap_is_not_caught_again_by_two_presses() -> None:
    table = on_one(players=4)
    table.wait(SECOND)
    table.do(c.Catch(BEN, DAN))
    table.wait(100 * MILLISECOND)
    table.tap(CLEO)
    table.wait(600 * MILLISECOND)
    table.tap(CLEO)
    table.wait(5 * SECOND)
    assert table.owed(BEN) == 2
    assert table.in_force.count("caught") == 1


@pytest.mark.rule("R13")
def test_a_call_that_was_tapped_in_before_its_card_serves_it() -> None:
    table = before_one()
    table.do(c.Call(BEN))
    table.play("red-1")
    call = window(table).call
    assert call is not None
    assert (call.seat, call.source) == (BEN, "tablet")


@pytest.mark.rule("R13")
def test_a_window_in_which_nobody_pressed_or_tapped_is_over_with_the_next_card() -> None:
    table = on_one()
    assert (window(table).seat, window(table).call) == (BEN, None)
    table.play("red-3")
    assert table.round.calls.window is None
    assert table.round.calls.closed == (), "only a window that a call has served is kept"
