"""What the table asks: when, of whom, how it is answered, and when it goes away by itself."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.questions import Question
from tests.kit.evening import ANA, BEN, CLEO, DAN, EVA, Evening
from tests.referee.situations import (
    called_in_time,
    caught_in_time,
    play_stands,
    proposed,
    who_laid,
    who_was_last,
)

MS = MILLISECOND


def asked(table: Evening) -> list[Question]:
    """Every question that was ever asked, in its order."""
    return [event.question for event in table.events if isinstance(event, e.QuestionAsked)]


@pytest.mark.parametrize(
    ("situation", "sentence", "choices", "seats", "lasts"),
    [
        pytest.param(
            proposed,
            "Was that a Street Race, laid by Ana?",
            ["Yes", "No"],
            (ANA,),
            8500 * MS,
            id="a race among three",
        ),
        pytest.param(
            who_laid,
            "Who laid the Street Race: Ana, Eva?",
            ["Ana", "Eva", "No Street Race"],
            (ANA, EVA),
            25 * SECOND,
            id="a race with two hands missing",
        ),
        pytest.param(
            who_was_last,
            "No working button: Dan. Who was last?",
            ["Dan", "Somebody else"],
            (DAN,),
            None,
            id="a broken button",
        ),
        pytest.param(
            called_in_time,
            "Did Ben call UNO before being caught?",
            ["Called in time", "Caught"],
            (BEN,),
            None,
            id="a press before a tap",
        ),
        pytest.param(
            caught_in_time,
            "Was Ben caught before the next turn began?",
            ["Caught", "Too late to catch"],
            (BEN,),
            None,
            id="a catch as the next turn began",
        ),
        pytest.param(
            play_stands,
            "Cleo played red 2, which no longer fits. Is that right?",
            ["It was played"],
            (),
            None,
            id="a card that no longer fits",
        ),
    ],
)
def test_a_question_says_what_it_is_about_whom_it_asks_and_how_long_it_stays(
    situation, sentence, choices, seats, lasts
) -> None:
    table = situation()
    question = table.question
    assert table.text(question.sentence) == sentence
    assert [table.text(choice.sentence) for choice in question.choices] == choices
    assert question.seats == seats
    assert (question.until and question.until - question.at) == lasts


@pytest.mark.parametrize(
    ("situation", "seats"),
    [
        pytest.param(who_laid, True, id="a layer says so by a press"),
        pytest.param(called_in_time, False, id="who may have to draw does not decide that alone"),
    ],
)
def test_only_what_a_press_may_answer_is_asked_by_lamps(situation, seats: bool) -> None:
    question = situation().question
    assert question.seats
    assert question.asked_seats == (question.seats if seats else ())


@pytest.mark.parametrize(
    ("situation", "answer", "in_force"),
    [
        pytest.param(proposed, "yes", ["last"], id="it was a race"),
        pytest.param(proposed, "no", [], id="it was none"),
        pytest.param(who_laid, "5", ["never_slapped"], id="Eva laid it"),
        pytest.param(who_laid, "none", [], id="nobody laid any"),
        pytest.param(who_was_last, "4", ["unusable", "picked"], id="Dan was last"),
        pytest.param(who_was_last, "others", ["unusable", "last"], id="it was somebody else"),
        pytest.param(called_in_time, "called", ["called"], id="he called"),
        pytest.param(called_in_time, "caught", ["caught"], id="he was caught"),
        pytest.param(caught_in_time, "caught", ["caught"], id="in time"),
        pytest.param(caught_in_time, "too_late", ["too_late"], id="too late"),
        pytest.param(play_stands, "stands", [], id="it was played"),
    ],
)
def test_a_tap_answers_and_what_was_asked_is_not_asked_again(situation, answer, in_force) -> None:
    table = situation()
    number = table.question.number
    table.answer(answer)
    assert table.round.questions == ()
    assert table.refused(c.Answer(number, answer)).sentence.code == "no_such_question"
    table.wait(60 * SECOND)
    assert table.in_force == in_force
    assert len(asked(table)) == 1


def test_only_what_is_offered_answers() -> None:
    table = who_laid()
    number = table.question.number
    refusal = table.refused(c.Answer(number, "2"))
    assert str(refusal) == "2 isn't one of the answers."
    assert table.refused(c.Answer(number + 1, "1")).sentence.code == "no_such_question"
    table.do(c.CloseMatch())
    assert table.refused(c.Answer(number, "1")).sentence.code == "no_match"


def test_two_questions_are_open_at_once_and_each_has_its_own_answer() -> None:
    table = who_was_last()
    table.tap(BEN)
    table.do(c.Catch(BEN), after=5 * SECOND)
    table.wait(SECOND)
    first, second = table.round.questions
    assert (first.kind, second.kind) == ("who_was_last", "called_in_time")
    table.do(c.Answer(second.number, "caught"))
    assert (table.round.questions, table.owed(BEN)) == ((first,), 2)
    table.do(c.Answer(first.number, "4"))
    assert (table.round.questions, table.owed(DAN)) == ((), 4)


def test_play_goes_on_while_something_is_asked() -> None:
    table = caught_in_time()
    table.play("red-3")
    assert table.round.turn == BEN
    table.answer("caught")
    assert table.owed(BEN) == 2


@pytest.mark.rule("R12")
@pytest.mark.parametrize(("situation", "lasts"), [(proposed, 10 * SECOND), (who_laid, 30 * SECOND)])
def test_a_question_that_nobody_answers_lapses(situation, lasts: int) -> None:
    table = situation()
    start = table.race.anchor
    assert table.question.until == start + lasts
    table.wait(start + lasts - table.now - MS)
    assert len(table.round.questions) == 1
    table.wait(MS)
    assert (table.round.questions, table.round.races) == ((), ())
    table.wait(60 * SECOND)
    assert (len(asked(table)), table.match.rulings) == (1, ())


@pytest.mark.rule("R12")
@pytest.mark.parametrize("situation", [who_was_last, called_in_time, caught_in_time, play_stands])
def test_what_cards_depend_on_stays_asked_until_somebody_answers(situation) -> None:
    table = situation()
    question = table.question
    table.wait(300 * SECOND)
    assert table.question == question
    table.answer(question.choices[0].key)
    assert table.round.questions == ()


@pytest.mark.rule("R12")
@pytest.mark.parametrize("situation", [proposed, who_laid])
@pytest.mark.parametrize("named", [ANA, BEN])
def test_naming_the_layer_on_the_tablet_closes_the_question(situation, named: int) -> None:
    table = situation()
    table.do(c.DeclareRace(named))
    assert table.round.questions == ()
    assert (table.race.layer, len(table.round.races)) == (named, 1)


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    "then",
    [
        pytest.param(c.CancelRace(), id="there was no race"),
        pytest.param(c.ChangeLayer(BEN), id="Ben laid it"),
        pytest.param(c.PickLast((BEN,)), id="Ben was last"),
        pytest.param(c.RerunRace(), id="it is run again"),
    ],
)
def test_deciding_otherwise_closes_the_question(then: c.Command) -> None:
    table = who_was_last()
    table.do(then)
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_a_late_slap_on_a_screen_closes_the_question() -> None:
    table = who_was_last()
    table.do(c.PhonePress(DAN, table.race.anchor + 20 * MS, 5 * MS))
    table.wait(SECOND)
    assert (table.round.questions, table.owed(CLEO)) == ((), 4)


@pytest.mark.rule("R12")
def test_a_question_that_concerns_one_more_is_put_anew() -> None:
    table = who_was_last()
    before = table.question
    table.do(c.SetAside(CLEO, "noise", table.race.anchor))
    table.wait(2 * SECOND)
    assert table.question.number != before.number
    assert (table.question.about, table.question.seats) == (before.about, (CLEO, DAN))
    assert table.refused(c.Answer(before.number, "4")).sentence.code == "no_such_question"


@pytest.mark.rule("R13")
def test_a_call_that_becomes_known_closes_the_question() -> None:
    table = caught_in_time()
    at = table.round.claims[0].catch.at
    table.do(c.PhonePress(BEN, at - 500 * MS, 5 * MS))
    table.wait(SECOND)
    assert (table.round.questions, table.in_force) == ((), ["called"])


@pytest.mark.rule("R12")
def test_a_question_about_a_race_that_the_referee_overruled_is_closed() -> None:
    table = who_was_last()
    table.do(c.Overrule(table.ruling.number, (BEN,), 4))
    assert table.round.questions == ()


@pytest.mark.rule("R12")
@pytest.mark.parametrize(("key", "owes"), [("4", DAN), ("others", BEN)])
def test_an_answer_is_about_the_race_that_was_asked_about_not_one_cancelled_before(
    key: str, owes: int
) -> None:
    table = Evening(4).start()
    table.do(c.SetAside(DAN, "stuck", table.now))
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=0)
    table.do(c.CancelRace())
    table.do(c.DeclareRace(CLEO))
    table.wait(12 * SECOND)
    assert table.question.kind == "who_was_last"
    assert len({race.anchor for race in table.round.races}) == 1
    table.answer(key)
    assert table.round.questions == ()
    if key == "4":
        assert table.owed(DAN) == 4
        assert table.in_force == ["unusable", "picked"]
    else:
        assert table.race.outcome != "unusable"


@pytest.mark.rule("R12")
def test_an_answer_can_be_taken_back_and_is_asked_again() -> None:
    table = proposed()
    table.answer("yes")
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    table.do(c.Undo())
    assert (table.owed(CLEO), table.race.state) == (0, "proposed")
    assert table.question.kind == "was_race"
    table.do(c.Redo())
    table.wait(SECOND)
    assert (table.owed(CLEO), table.round.questions) == (4, ())


def test_questions_go_with_their_round() -> None:
    table = who_was_last()
    table.do(c.Answer(table.question.number, "4"))
    table.do(c.GoOut(BEN))
    table.wait(SECOND)
    for seat in (ANA, CLEO, DAN):
        table.do(c.EnterPoints(seat, 5))
    table.do(c.ScoreRound())
    table.do(c.Deal())
    assert table.round.questions == ()


@pytest.mark.rule("R14")
def test_hands_are_not_counted_while_it_is_asked_who_was_last() -> None:
    table = who_was_last()
    table.do(c.GoOut(BEN))
    table.wait(SECOND)
    assert table.refused(c.EnterPoints(CLEO, 5)).sentence.code == "race_undecided"
    table.answer("others")
    table.do(c.EnterPoints(CLEO, 5))
    assert table.round.left[CLEO].points == 5


@pytest.mark.rule("R12")
def test_a_race_that_nobody_has_laid_is_gone_with_its_question_and_comes_back_with_undo() -> None:
    table = who_laid()
    table.do(c.CancelRace())
    assert (table.round.races, table.round.questions) == ((), ())
    table.wait(15 * SECOND)
    assert (table.round.races, table.match.rulings) == ((), ())
    table.do(c.Undo())
    assert [race.layers for race in table.round.races] == [(ANA, EVA)]
