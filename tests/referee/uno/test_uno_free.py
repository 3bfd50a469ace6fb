"""R13 in free play: somebody says on the tablet who was caught, and a press dates it."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.rulings import Calling
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.referee.situations import free, presses

MS = MILLISECOND


def catcher(table: Evening) -> tuple[int | None, int]:
    """Who caught by the latest ruling, and when."""
    evidence = table.ruling.evidence
    assert isinstance(evidence, Calling)
    return evidence.by, evidence.catch.at


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("call", "draws"),
    [
        pytest.param(None, 2, id="Ben never called"),
        pytest.param(5, 0, id="he called five seconds before Ana pressed"),
        pytest.param(7, 2, id="a stray tap of seven seconds before protects nobody"),
    ],
)
def test_the_catchers_press_dates_the_catch_and_a_call_counts_six_seconds_back(
    call: int | None, draws: int
) -> None:
    table = free()
    if call is not None:
        table.tap(BEN)
        table.wait(call * SECOND)
    pressed = table.tap(ANA)
    table.wait(3 * SECOND)
    table.do(c.Catch(BEN, ANA))
    table.wait(SECOND)
    assert table.owed(BEN) == draws
    assert catcher(table) == (ANA, pressed)
    assert table.ruling.outcome == ("called" if draws == 0 else "caught")


@pytest.mark.rule("R13")
def test_a_press_on_hearing_caught_is_too_late() -> None:
    table = free()
    presses(table, (0, ANA), (600, BEN))
    table.do(c.Catch(BEN, ANA), after=4 * SECOND)
    table.wait(SECOND)
    assert table.said == "Ben did not call UNO and draws 2."


@pytest.mark.rule("R13")
def test_a_press_long_after_the_catchers_last_one_may_have_been_the_call() -> None:
    """Ana pressed for something else, Ben called seven seconds later, and Ana only tapped."""
    table = free()
    presses(table, (0, ANA), (7000, BEN))
    table.do(c.Catch(BEN, ANA), after=6 * SECOND)
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert table.question.kind == "called_in_time"
    table.answer("caught")
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_the_catcher_need_not_be_named() -> None:
    table = free()
    start = presses(table, (0, CLEO))
    table.do(c.Catch(BEN), after=4 * SECOND)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    assert catcher(table) == (CLEO, start)


@pytest.mark.rule("R13")
def test_a_press_of_long_before_the_tap_is_no_catch() -> None:
    """Ana's press of sixteen seconds ago was something else, so the tap itself is the catch."""
    table = free()
    presses(table, (0, ANA), (2000, BEN))
    table.do(c.Catch(BEN, ANA), after=14 * SECOND)
    table.wait(SECOND)
    evidence = table.ruling.evidence
    assert isinstance(evidence, Calling)
    assert evidence.catch.source == "tablet"
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("before", "outcome"),
    [
        pytest.param(13, "caught", id="thirteen seconds before the tap: too long ago"),
        pytest.param(11, "called", id="eleven seconds before it: called"),
        pytest.param(8, None, id="eight seconds before it: a call, or the answer to a shout"),
        pytest.param(1, None, id="one second before it: the same doubt"),
    ],
)
def test_without_a_press_of_the_catcher_a_call_counts_twelve_seconds_back_from_the_tap(
    before: int, outcome: str | None
) -> None:
    table = free()
    table.tap(BEN)
    table.do(c.Catch(BEN), after=before * SECOND)
    table.wait(SECOND)
    if outcome is None:
        assert table.text(table.question.sentence) == "Did Ben call UNO before being caught?"
        assert table.rules("R13") == []
    else:
        assert table.in_force == [outcome]
        assert table.round.questions == ()


@pytest.mark.rule("R13")
@pytest.mark.parametrize(("answer", "draws"), [("called", 0), ("caught", 2)])
def test_the_table_answers_whether_it_was_called_in_time(answer: str, draws: int) -> None:
    table = free()
    table.tap(BEN)
    table.do(c.Catch(BEN), after=3 * SECOND)
    table.wait(20 * SECOND)
    table.tap(DAN)
    table.wait(20 * SECOND)
    table.answer(answer)
    assert table.owed(BEN) == draws
    assert table.in_force == [answer]
    assert table.round.questions == ()


@pytest.mark.rule("R13")
def test_a_call_that_was_tapped_in_is_sure() -> None:
    table = free()
    table.do(c.Call(BEN))
    table.do(c.Catch(BEN), after=3 * SECOND)
    table.wait(SECOND)
    assert table.said == "Ben had called UNO 3.0 s before the catch."


@pytest.mark.rule("R13")
def test_several_may_have_caught_and_the_latest_press_before_the_tap_dates_it() -> None:
    """Ana pressed before Ben called, Cleo after it, and nobody said who noticed."""
    table = free()
    presses(table, (0, ANA), (2000, BEN), (4000, CLEO))
    table.do(c.Catch(BEN), after=3 * SECOND)
    table.wait(SECOND)
    assert catcher(table)[0] == CLEO
    assert (table.round.questions, table.in_force) == ((), ["called"])


@pytest.mark.rule("R13")
def test_several_may_have_caught_and_where_it_makes_no_difference_any_of_them_has() -> None:
    table = free()
    presses(table, (0, ANA), (2000, CLEO), (4000, BEN))
    table.do(c.Catch(BEN), after=3 * SECOND)
    table.wait(SECOND)
    assert (table.round.questions, table.in_force) == ((), ["caught"])


@pytest.mark.rule("R13")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("apart", [0, 300, 1400])
def test_a_call_and_a_catch_that_look_like_two_slaps_are_told_by_the_tap(
    players: int, apart: int
) -> None:
    """Few hands only propose a race, and what is only proposed takes no press from anything."""
    table = free(players)
    presses(table, (0, BEN), (apart, ANA))
    table.do(c.Catch(BEN, ANA), after=3 * SECOND)
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert "caught" not in [ruling.outcome for ruling in table.rules("R13")]


@pytest.mark.rule("R13")
@pytest.mark.parametrize(("tie", "draws"), [pytest.param("caller", 0), pytest.param("catcher", 2)])
def test_call_and_catch_together(tie: str, draws: int) -> None:
    table = free(5, house={"tie_goes_to": tie})
    pressed = table.tap(ANA)
    table.tap(BEN, pressed)
    table.do(c.Catch(BEN, ANA), after=2 * SECOND)
    table.wait(SECOND)
    assert table.owed(BEN) == draws
    assert "tie_goes_to" in table.ruling.house


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("calls", "said"),
    [
        pytest.param((), "Ben did not call UNO and draws 2.", id="never called"),
        pytest.param((3000,), "Ben did not call UNO and draws 2.", id="called while they tapped"),
        pytest.param((-10_500,), "Ben had called UNO 10.5 s before the catch.", id="before it"),
    ],
)
def test_the_first_tap_is_the_catch_however_long_the_names_take(
    calls: tuple[int, ...], said: str
) -> None:
    table = free()
    tapped = table.now + 11 * SECOND
    for after in calls:
        table.wait(max(0, tapped + after * MS - table.now))
        table.tap(BEN)
    table.wait(tapped + 7 * SECOND - table.now)
    table.do(c.Catch(BEN, ANA, 7000), after=0)
    table.wait(SECOND)
    assert table.said == said


@pytest.mark.rule("R13")
def test_two_catches_at_once_are_both_judged() -> None:
    table = free()
    table.do(c.Catch(BEN))
    table.do(c.Catch(CLEO))
    table.wait(SECOND)
    assert (table.owed(BEN), table.owed(CLEO)) == (2, 2)


@pytest.mark.rule("R13")
def test_a_wrong_catch_costs_what_the_house_says() -> None:
    table = free(house={"wrong_catch_draws": 2})
    presses(table, (0, BEN), (2000, ANA))
    table.do(c.Catch(BEN, ANA), after=SECOND)
    table.wait(SECOND)
    assert (table.owed(BEN), table.owed(ANA)) == (0, 2)


@pytest.mark.rule("R14")
def test_who_was_caught_and_goes_out_later_has_drawn_meanwhile() -> None:
    table = free()
    table.do(c.Catch(BEN, ANA))
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    table.do(c.GoOut(BEN))
    assert (table.round.out, table.round.debts) == (BEN, ())


@pytest.mark.rule("R13")
def test_a_press_that_caught_somebody_long_ago_is_still_no_call() -> None:
    table = free()
    table.tap(ANA)
    table.do(c.Catch(BEN, ANA), after=4 * SECOND)
    table.do(c.Catch(ANA, CLEO), after=3 * SECOND)
    table.wait(14 * SECOND)
    assert table.in_force == ["caught", "caught"]
    table.tap(DAN)
    table.wait(SECOND)
    assert table.round.questions == ()
    assert table.in_force == ["caught", "caught"]
    assert (table.owed(ANA), table.owed(BEN)) == (2, 2)
