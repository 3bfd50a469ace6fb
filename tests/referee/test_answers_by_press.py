"""R12: one press of who may have laid a Street Race answers, where the lamp had asked."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, EVA, Evening
from tests.referee.situations import (
    presses,
    proposed,
    who_laid,
)

MS = MILLISECOND


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("after", "answers"),
    [
        pytest.param(799, False, id="before anybody can have understood the lamp"),
        pytest.param(800, True, id="as soon as somebody can have understood it"),
        pytest.param(6000, True, id="at leisure"),
    ],
)
def test_one_press_of_who_may_have_laid_it_answers(after: int, answers: bool) -> None:
    table = who_laid()
    table.wait(table.question.at + after * MS - table.now)
    table.tap(EVA)
    table.wait(SECOND)
    assert (table.race.layer, table.race.state) == (
        (EVA, "running") if answers else (None, "proposed")
    )
    assert (EVA in table.round.calls.called) is not answers, "an answer says nothing else"


@pytest.mark.rule("R12")
def test_an_answer_by_a_press_is_taken_a_moment_later() -> None:
    table = who_laid()
    table.wait(SECOND)
    table.tap(EVA)
    table.wait(500 * MS - MS)
    assert (table.race.state, len(table.round.questions)) == ("proposed", 1)
    assert EVA not in table.round.calls.called
    table.wait(MS)
    assert (table.race.layer, table.round.questions) == (EVA, ())
    assert table.table.past is not None
    assert table.text(table.table.past.label) == "Answer to the table"


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("apart", "answers"),
    [
        pytest.param(-1501, True, id="Ben pressed well before"),
        pytest.param(-1500, False, id="Ben pressed just before"),
        pytest.param(0, False, id="Ben pressed at the same time"),
        pytest.param(490, False, id="Ben pressed just after"),
        pytest.param(1490, False, id="Ben pressed soon after, when it was answered already"),
        pytest.param(1510, True, id="Ben pressed well after"),
    ],
)
def test_a_press_in_company_is_no_answer(apart: int, answers: bool) -> None:
    table = who_laid()
    table.wait(2 * SECOND)
    start = table.now
    for ms, seat in sorted([(0, EVA), (apart, BEN)]):
        table.wait(max(0, start + (ms + 1501) * MS - table.now))
        table.tap(seat)
    table.wait(SECOND)
    assert (table.race.layer == EVA) is answers
    assert bool(table.round.questions) is not answers, "what has no answer any more is asked again"


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("apart", "after", "answers"),
    [
        pytest.param(300, 2300, True, id="both slapped together, so hers is none that comes late"),
        pytest.param(301, 2999, False, id="one of them was slow, so she may be slower still"),
        pytest.param(301, 3001, True, id="nobody is as slow as that"),
    ],
)
def test_of_three_players_a_hand_that_may_be_late_is_no_answer(
    apart: int, after: int, answers: bool
) -> None:
    table = Evening(3).start()
    table.slaps(ben=0, cleo=apart)
    table.wait(table.round.races[0].anchor + after * MS - table.now)
    table.tap(ANA)
    table.wait(SECOND)
    assert (table.round.named != ()) is answers


@pytest.mark.rule("R12")
@pytest.mark.parametrize("order", ["first the press, then the tap", "first the tap"])
def test_a_press_that_caught_somebody_is_no_answer(order: str) -> None:
    """Ben and Cleo come together, and Ana, who may have laid a race, catches Cleo."""
    table = Evening(3).start()
    table.slaps(ben=0, cleo=100)
    table.wait(3 * SECOND)
    assert table.question.seats == (ANA,)
    table.tap(ANA)
    table.wait(100 * MS if order == "first the tap" else 2 * SECOND)
    table.do(c.Catch(CLEO, ANA))
    table.wait(2 * SECOND)
    assert (table.round.named, table.round.races[0].state) == ((), "proposed")
    assert table.question.kind == "was_race"


@pytest.mark.rule("R12")
def test_a_press_of_somebody_who_is_not_asked_is_no_answer() -> None:
    table = who_laid()
    table.wait(SECOND)
    table.tap(CLEO)
    table.wait(SECOND)
    assert (table.race.state, len(table.round.questions)) == ("proposed", 1)
    assert CLEO in table.round.calls.called
    table.wait(SECOND)
    table.tap(ANA)
    table.wait(SECOND)
    assert (table.race.layer, table.round.questions) == (ANA, ())


@pytest.mark.rule("R12")
def test_of_two_answers_the_first_one_counts() -> None:
    table = who_laid()
    table.wait(SECOND)
    table.tap(ANA)
    table.wait(2 * SECOND)
    table.tap(EVA)
    table.wait(2 * SECOND)
    assert table.race.layer == ANA
    assert EVA in [press.seat for press in table.race.slaps], "the second one is a late slap"


@pytest.mark.rule("R12")
def test_one_press_answers_one_question() -> None:
    """Ben and Cleo came down together twice, and Ana is asked about both."""
    table = Evening(3).start()
    table.slaps(ben=0, cleo=40)
    table.wait(3 * SECOND)
    table.slaps(cleo=0, ben=40)
    table.wait(5 * SECOND)
    assert len(table.round.questions) == 2
    table.tap(ANA)
    table.wait(SECOND)
    assert len(table.round.questions) == 1
    assert len(table.in_force) == 1


@pytest.mark.rule("R12")
def test_slaps_of_the_next_race_answer_nothing() -> None:
    table = who_laid()
    table.wait(SECOND)
    table.hands_off(BEN)
    table.wait(SECOND)
    first, second = table.round.races
    assert (first.state, second.layer, second.state) == ("proposed", BEN, "ruled")
    assert table.question.about == f"race {first.anchor}"


@pytest.mark.rule("R12")
def test_a_hand_that_may_be_late_in_the_next_race_answers_nothing() -> None:
    table = who_laid()
    table.wait(SECOND)
    presses(table, (0, ANA), (60, CLEO), (90, DAN))
    table.wait(2 * SECOND)
    table.tap(EVA)
    table.wait(SECOND)
    assert table.round.races[0].state == "proposed"


@pytest.mark.rule("R12")
@pytest.mark.parametrize("again", [300, 400, 650])
def test_whoever_slaps_twice_in_the_next_race_answers_nothing(again: int) -> None:
    table = who_laid()
    table.wait(SECOND)
    presses(table, (0, ANA), (60, CLEO), (90, EVA), (150, DAN), (90 + again, EVA))
    table.wait(12 * SECOND)
    assert table.question.seats == (ANA, EVA)
    assert table.in_force == ["last"]
    assert (table.race.layer, table.owed(DAN), table.owed(ANA)) == (BEN, 4, 0)


@pytest.mark.rule("R12")
def test_an_answer_that_was_pressed_just_before_the_question_lapses_still_counts() -> None:
    table = proposed()
    table.wait(table.race.anchor + 10 * SECOND - table.now - 100 * MS)
    table.tap(ANA)
    table.wait(2 * SECOND)
    assert (table.race.layer, table.race.state) == (ANA, "ruled")
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_an_answer_by_a_press_can_be_taken_back_and_its_press_answers_nothing_more() -> None:
    table = who_laid()
    table.wait(SECOND)
    table.tap(EVA)
    table.wait(SECOND)
    assert table.race.layer == EVA
    table.do(c.Undo())
    assert (table.race.layers, table.question.kind) == ((ANA, EVA), "who_laid")
    table.wait(2 * SECOND)
    assert table.race.state == "proposed"
    table.answer("1")
    assert table.race.layer == ANA


@pytest.mark.rule("R12")
def test_a_press_that_answers_because_of_an_undo_leaves_the_way_forward_open() -> None:
    """Cleo's hand was taken for a late slap; without that race it answers what was asked before."""
    table = Evening(4).start()
    table.slaps(ben=0, dan=290)
    table.wait(7 * SECOND)
    assert table.question.kind == "who_laid"
    table.slaps(ben=0, dan=5, cleo=4500)
    table.wait(SECOND)
    shown = table.race.key
    table.do(c.Undo())
    assert (table.race.layer, table.race.state) == (CLEO, "running")
    table.do(c.Redo())
    assert shown in [race.key for race in table.round.races]
    assert table.round.named == ()
    assert table.table.past is not None
    assert table.text(table.table.past.label) == "Round 1 dealt"


@pytest.mark.rule("R12")
def test_an_answer_counts_by_when_it_was_pressed_and_not_by_when_it_arrives() -> None:
    table = proposed()
    pressed = table.race.anchor + 9 * SECOND
    table.wait(table.race.anchor + 12 * SECOND - table.now)
    assert (table.round.questions, table.round.races) == ((), ())
    table.tap(ANA, pressed)
    assert (table.race.layer, table.race.state, table.round.questions) == (ANA, "ruled", ())
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_a_press_after_the_question_was_gone_is_no_answer() -> None:
    table = proposed()
    table.wait(table.race.anchor + 10 * SECOND - table.now)
    table.tap(ANA)
    table.wait(2 * SECOND)
    assert table.round.races == ()


@pytest.mark.rule("R12")
def test_company_that_arrives_late_shows_that_a_press_was_no_answer() -> None:
    """Ana's press had answered; with a hand beside it, of which news comes late, it was a slap."""
    table = proposed()
    table.wait(3 * SECOND)
    slap = table.tap(ANA)
    table.wait(SECOND)
    assert (table.race.layer, table.owed(CLEO)) == (ANA, 4)
    table.tap(BEN, slap - 90 * MS)
    assert [race.state for race in table.round.races] == ["proposed", "proposed"]
    assert (table.owed(CLEO), table.question.seats) == (0, (ANA,))
    assert table.table.past is not None
    assert table.text(table.table.past.label) == "Round 1 dealt", "the step is gone with it"
    table.wait(12 * SECOND)
    assert table.round.races == ()


@pytest.mark.rule("R12")
def test_of_two_answers_the_one_pressed_first_counts_though_it_arrives_second() -> None:
    table = who_laid()
    table.wait(3 * SECOND)
    table.tap(ANA)
    table.wait(SECOND)
    assert table.race.layer == ANA
    table.tap(EVA, table.now - 3 * SECOND)
    assert table.race.layer == EVA


@pytest.mark.rule("R12")
def test_what_a_person_has_decided_about_a_race_stands_whatever_had_named_it() -> None:
    table = proposed()
    table.wait(3 * SECOND)
    slap = table.tap(ANA)
    table.wait(SECOND)
    table.do(c.ChangeLayer(BEN))
    table.tap(BEN, slap - 90 * MS)
    assert table.race.layer == BEN


@pytest.mark.rule("R12")
def test_an_answer_that_was_none_does_not_come_back_with_an_undo() -> None:
    table = proposed()
    table.wait(3 * SECOND)
    slap = table.tap(ANA)
    table.wait(SECOND)
    table.do(c.Call(CLEO))
    table.tap(BEN, slap - 90 * MS)
    assert table.round.named == ()
    table.do(c.Undo())
    assert (table.round.named, table.owed(CLEO)) == ((), 0)
    assert table.table.past is not None
    assert table.text(table.table.past.label) == "Round 1 dealt"


@pytest.mark.rule("R12")
def test_an_answer_stands_when_the_slap_off_after_it_is_taken_back() -> None:
    table = Evening(3).start()
    table.slaps(ben=0, cleo=0)
    table.wait(3 * SECOND)
    table.tap(ANA)
    table.wait(SECOND)
    table.do(c.SlapOff())
    table.wait(SECOND)
    table.do(c.Undo())
    assert (table.race.layer, table.race.state, table.race.tied) == (ANA, "undecided", (BEN, CLEO))


@pytest.mark.rule("R12")
@pytest.mark.parametrize("lag", [1600, 2500])
@pytest.mark.parametrize("tapped", [1, 8])
def test_a_slap_of_the_next_race_answers_nothing_however_slow_the_others_are(
    lag: int, tapped: int
) -> None:
    """Ana is asked whether she laid a race when Ben lays one; she slaps, and Cleo much later."""
    table = proposed()
    table.wait(4 * SECOND)
    presses(table, (0, ANA), (lag, CLEO))
    table.do(c.DeclareRace(BEN), after=tapped * SECOND)
    assert (table.race.layer, table.owed(ANA)) == (BEN, 0)
    assert table.question.seats == (ANA,), "what her slap had answered is open again"
    table.answer("yes")
    table.wait(2 * SECOND)
    assert [race.layer for race in table.round.races] == [ANA, BEN]
    assert (table.in_force, table.owed(CLEO)) == (["last", "last"], 8)
