"""R13 in refereed play: catches that may have been something else, and catches on the tablet."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, Evening
from tests.referee.situations import before_one, on_one

MS = MILLISECOND


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("late", "caught"),
    [
        pytest.param(2, True, id="the card is recorded two seconds after the catch"),
        pytest.param(14, True, id="fourteen seconds after it"),
        pytest.param(16, False, id="sixteen seconds after it"),
    ],
)
def test_a_catch_lies_at_most_fifteen_seconds_before_its_record(late: int, caught: bool) -> None:
    table = before_one()
    at = table.catch_by_presses(ANA)
    table.wait(at + late * SECOND - table.now - 100 * MS)
    table.play("red-1")
    table.wait(SECOND)
    assert table.owed(BEN) == (2 if caught else 0)
    table.do(c.Call(CLEO))
    table.do(c.Undo())
    table.wait(SECOND)
    assert table.owed(BEN) == (2 if caught else 0), "nor when everything is read again"


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("later", "caught"),
    [
        pytest.param(1400, True, id="he called 1.4 s after it"),
        pytest.param(1600, False, id="he called so much later that it was something else"),
    ],
)
def test_a_catch_before_the_record_lies_shortly_before_the_call(later: int, caught: bool) -> None:
    table = before_one()
    at = table.catch_by_presses(ANA)
    table.wait(at + later * MS - table.now)
    table.tap(BEN)
    table.wait(SECOND)
    table.play("red-1")
    table.wait(SECOND)
    assert table.owed(BEN) == (2 if caught else 0)


@pytest.mark.rule("R13")
def test_after_the_record_a_late_call_saves_nobody_however_late_it_is() -> None:
    table = on_one()
    table.wait(200 * MS)
    table.catch_by_presses(ANA)
    table.wait(3 * SECOND)
    table.tap(BEN)
    table.wait(SECOND)
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_a_press_on_hearing_the_ruling_saves_nobody_where_the_record_was_late() -> None:
    table = before_one()
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    table.play("red-1")
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    table.wait(2 * SECOND)
    table.tap(BEN)
    table.wait(SECOND)
    assert (table.owed(BEN), table.in_force) == (2, ["caught"])


@pytest.mark.rule("R13")
def test_a_catch_belongs_to_the_earliest_window_that_it_can() -> None:
    """Ben and Cleo both come to one card; the record of both comes after Ana's catch."""
    table = before_one()
    table.hands(cleo=2)
    table.wait(40 * SECOND)
    table.catch_by_presses(ANA)
    table.wait(3 * SECOND)
    table.play("red-1", "red-2")
    table.wait(SECOND)
    assert (table.owed(BEN), table.owed(CLEO)) == (2, 0)


@pytest.mark.rule("R13")
def test_a_catch_that_a_call_beat_is_used_up() -> None:
    """It does not go on to the next player who comes to one card."""
    table = before_one()
    table.hands(cleo=2)
    table.wait(40 * SECOND)
    table.tap(BEN)
    table.wait(500 * MS)
    table.catch_by_presses(ANA)
    table.wait(3 * SECOND)
    table.play("red-1", "red-2")
    table.wait(SECOND)
    assert (table.owed(BEN), table.owed(CLEO)) == (0, 0)
    assert table.in_force == ["called"]


@pytest.mark.rule("R13")
@pytest.mark.parametrize(("answer", "draws"), [("caught", 2), ("too_late", 0)])
def test_within_two_seconds_before_the_next_record_the_table_asks(answer: str, draws: int) -> None:
    table = on_one()
    table.wait(5 * SECOND)
    table.catch_by_presses(ANA, 400 * MS)
    table.play("red-2")
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert table.text(table.question.sentence) == "Was Ben caught before the next turn began?"
    assert [choice.key for choice in table.question.choices] == ["caught", "too_late"]
    table.answer(answer)
    assert table.owed(BEN) == draws
    assert table.in_force == [answer]
    assert table.round.questions == ()


@pytest.mark.rule("R13")
def test_what_was_asked_about_a_catch_stays_asked_until_somebody_answers() -> None:
    table = on_one()
    table.wait(5 * SECOND)
    table.catch_by_presses(ANA, 400 * MS)
    table.play("red-2")
    table.wait(60 * SECOND)
    table.play("red-3")
    table.wait(SECOND)
    table.answer("caught")
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_a_window_that_drawing_has_ended_stays_ended_when_more_is_drawn() -> None:
    table = on_one()
    for cards in (1, 2):
        table.do(c.Overrule(table.ruling.number, (BEN,), cards))
        table.do(c.Drawn(table.round.debts[0].number))
        table.wait(3 * SECOND)
        table.catch_by_presses(ANA)
        table.wait(11 * SECOND)
    assert table.rules("R13") == []


@pytest.mark.rule("R13")
def test_three_seconds_before_the_next_record_there_is_nothing_to_ask() -> None:
    table = on_one()
    table.catch_by_presses(ANA, 400 * MS)
    table.wait(2 * SECOND)
    table.play("red-2")
    table.wait(SECOND)
    assert (table.owed(BEN), table.round.questions) == (2, ())


@pytest.mark.rule("R13")
def test_presses_that_may_have_been_a_call_of_their_own_are_asked_about() -> None:
    """Cleo presses twice, and a moment later is recorded with her own next-to-last card."""
    table = on_one()
    table.hands(cleo=2)
    table.wait(SECOND)
    table.catch_by_presses(CLEO)
    table.wait(4 * SECOND)
    table.play("red-2")
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert table.question.kind == "caught_in_time"


@pytest.mark.rule("R13")
def test_a_call_made_twice_does_not_catch_the_next_player() -> None:
    """Ben plays, and calls twice to be sure; Cleo comes down to one card as well, uncalled."""
    table = before_one()
    table.hands(ben=2, cleo=2)
    table.catch_by_presses(BEN)
    table.wait(SECOND)
    table.play("red-1", "red-2")
    table.wait(2 * SECOND)
    assert (table.round.claims, table.round.questions) == ((), ())


@pytest.mark.rule("R13")
def test_a_catcher_who_then_calls_as_well_has_caught() -> None:
    table = on_one()
    table.hands(cleo=2)
    table.wait(SECOND)
    table.catch_by_presses(CLEO)
    table.wait(11 * SECOND)
    table.tap(CLEO)
    table.play("red-2")
    table.wait(SECOND)
    assert (table.owed(BEN), table.round.questions) == (2, ())


@pytest.mark.rule("R13")
def test_a_press_that_was_a_catch_is_no_call_of_the_catcher() -> None:
    """Every press has one meaning: the table said that Cleo caught Ben, so she has not called."""
    table = on_one()
    table.hands(cleo=2)
    table.wait(SECOND)
    table.catch_by_presses(CLEO)
    table.wait(4 * SECOND)
    table.play("red-2")
    table.wait(SECOND)
    table.answer("caught")
    assert table.owed(BEN) == 2
    assert table.round.calls.window is not None
    assert table.round.calls.window.call is None


@pytest.mark.rule("R13")
def test_a_catch_is_not_shown_as_a_call_of_the_catcher() -> None:
    table = on_one()
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    assert ANA not in table.round.calls.called


@pytest.mark.rule("R13")
def test_a_call_by_who_lays_a_street_race_as_the_next_to_last_card() -> None:
    table = Evening(4, way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("street-race blue")
    table.slaps(ana=300, cleo=330, ben=345, dan=360)
    table.wait(12 * SECOND)
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.in_force[-1] == "called"


@pytest.mark.rule("R13")
def test_a_call_from_before_the_race_of_an_earlier_turn_serves_no_later_card() -> None:
    """Nothing that was laid after a Street Race can have been called before its slaps."""
    table = Evening(4, way="refereed").refereed()
    table.hands(cleo=2)
    table.wait(SECOND)
    table.tap(CLEO)
    table.wait(5 * SECOND)
    table.play("street-race red")
    table.slaps(ana=300, cleo=330, dan=360)
    table.wait(12 * SECOND)
    table.play("red-1")
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.owed(CLEO) == 2


@pytest.mark.rule("R13")
def test_a_call_of_more_than_a_minute_ago_serves_no_card_of_now() -> None:
    table = before_one()
    table.tap(BEN)
    table.wait(70 * SECOND)
    table.play("red-1")
    table.wait(SECOND)
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_a_call_serves_one_card_however_long_the_round_is() -> None:
    """Ben calls, draws, and comes down to one card again half a minute later, without a call."""
    table = before_one(players=2)
    table.tap(BEN)
    table.play("red-1")
    table.wait(3 * SECOND)
    for _ in range(3):
        table.do(c.Draw())
    table.wait(20 * SECOND)
    table.play("red-2")
    table.wait(3 * SECOND)
    table.catch_by_presses(ANA)
    for _ in range(4):
        table.wait(9 * SECOND)
        table.do(c.Draw())
        assert table.in_force == ["caught"]
