"""R12 and R13: what the table did not hear, because it was away or lost presses."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.referee.situations import free, on_one

MS = MILLISECOND


@pytest.mark.rule("R12")
def test_a_restart_in_mid_race_goes_on_and_guesses_nothing() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100)
    table.restart(2 * SECOND)
    assert table.race.state == "running"
    table.slaps(cleo=100, dan=900)
    table.wait(3 * SECOND)
    assert (table.race.state, table.race.tied) == ("undecided", (CLEO, DAN))
    assert table.finish.gaps


@pytest.mark.rule("R12")
def test_a_gap_leaves_no_doubt_about_the_only_hand_still_missing() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100)
    table.wait(100 * MS)
    table.restart(2 * SECOND)
    table.slaps(cleo=100)
    table.wait(3 * SECOND)
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_a_hand_missing_after_a_gap_may_have_slapped_in_it() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.restart(SECOND)
    table.slaps(ben=100)
    table.wait(12 * SECOND)
    assert table.race.tied == (BEN, CLEO)
    assert table.said == "Dead heat between Ben, Cleo: too close to call."


@pytest.mark.rule("R12")
def test_presses_missed_by_some_buttons_leave_only_those_in_doubt() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    start = table.now
    table.slaps(ben=100)
    table.do(c.MissPresses((CLEO, 30), start, table.now))
    table.do(c.MissPresses((30,), start, table.now))
    table.slaps(dan=800, cleo=1300)
    table.wait(3 * SECOND)
    assert table.race.tied == (CLEO, DAN)


@pytest.mark.rule("R12")
def test_a_gap_before_the_race_is_none_of_its_business() -> None:
    table = Evening().start()
    table.restart(SECOND)
    table.wait(10 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.do(c.MissPresses((BEN,), 0, SECOND))
    table.slaps(ben=100, cleo=200)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    assert table.finish.gaps == ()


@pytest.mark.rule("R12")
def test_a_race_named_right_after_a_restart_knows_of_the_gap() -> None:
    table = Evening().start()
    table.restart(SECOND)
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=200)
    table.wait(SECOND)
    assert table.race.state == "undecided"


@pytest.mark.rule("R12")
def test_a_restart_in_a_slap_off_leaves_it_undecided() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=100)
    table.wait(SECOND)
    table.do(c.SlapOff())
    table.restart(6 * SECOND)
    table.slaps(ben=100, cleo=900)
    table.wait(SECOND)
    assert table.race.state == "undecided"


def test_gaps_and_broken_buttons_between_rounds_are_none_of_any_race() -> None:
    table = Evening()
    table.do(c.StartMatch())
    table.do(c.SetAside(BEN, "stuck", table.now))
    table.do(c.PutBack(BEN, table.now))
    table.do(c.MissPresses((BEN,), table.now, table.now))
    table.restart(SECOND)
    table.do(c.ChooseDealer(ANA))
    table.do(c.Deal())
    (evidence,) = table.table.evidence
    assert (evidence.gaps, evidence.unusable) == ((), ())


@pytest.mark.rule("R13")
@pytest.mark.parametrize("way", ["refereed", "free"])
@pytest.mark.parametrize("away", [1, 100])
def test_a_catch_that_was_not_ruled_before_a_restart_is_ruled_after_it(way: str, away: int) -> None:
    """Nobody is asked, and the table does not wait for a moment that has passed."""
    table = free() if way == "free" else on_one()
    table.wait(SECOND)
    table.do(c.Catch(BEN, ANA))
    table.restart(away * SECOND)
    table.wait(SECOND)
    assert (table.owed(BEN), table.round.questions) == (2, ())


@pytest.mark.rule("R13")
def test_a_catch_by_presses_that_was_not_ruled_before_a_restart_is_ruled_after_it() -> None:
    table = on_one()
    table.wait(SECOND)
    table.catch_by_presses(ANA)
    table.restart(100 * SECOND)
    table.wait(SECOND)
    assert (table.owed(BEN), table.round.questions) == (2, ())
