"""An earlier card changed: everything after it happens again, and hands are read again."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.presses import SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.referee.situations import refereed, turn


def cards(table: Evening) -> int:
    """All cards that the table knows of."""
    round_ = table.round
    return sum(round_.hands.values()) + round_.draw_pile + round_.discard_pile


def test_another_card_may_be_put_into_an_earlier_turn() -> None:
    table = refereed()
    table.play("red-1", "red-2", "red-3")
    table.do(c.ChangePlay(turn(table, 2), Card("red-9")))
    assert [one.card for one in table.round.turns] == ["red-1", "red-9", "red-3"]
    assert (table.round.top, table.round.turn) == ("red-3", BEN)
    assert table.round.seen == {"red-5": 1, "red-1": 1, "red-9": 1, "red-3": 1}
    assert table.round.questions == ()
    assert cards(table) == 112


def test_the_numbers_and_moments_of_turns_stay() -> None:
    table = refereed()
    table.play("red-1", "red-2", "red-3")
    before = [(one.number, one.at, one.seat) for one in table.round.turns]
    table.do(c.ChangePlay(turn(table, 2), Card("red-9")), after=9 * SECOND)
    assert [(one.number, one.at, one.seat) for one in table.round.turns] == before


def test_what_no_longer_fits_stays_and_is_asked_about() -> None:
    table = refereed()
    table.play("red-1", "red-2")
    table.do(c.ChangePlay(turn(table, 2), Card("blue-5")))
    assert table.text(table.question.sentence) == (
        "Cleo played red 2, which no longer fits. Is that right?"
    )
    assert [choice.key for choice in table.question.choices] == ["stands"]
    assert table.round.top == "red-2"
    table.tap(ANA)
    table.wait(SECOND)
    table.answer("stands")
    assert table.round.questions == ()


def test_a_card_that_was_a_street_race_after_all() -> None:
    """The referee tapped red 1; hands had come down, and were read as calls."""
    table = refereed(players=4)
    table.play("red-1")
    table.slaps(ana=300, cleo=330, dan=370)
    table.wait(SECOND)
    table.play("red-2")
    table.do(c.ChangePlay(turn(table, 2), Card("street-race"), colour="red"))
    table.wait(SECOND)
    assert (table.race.layer, table.owed(DAN)) == (BEN, 4)
    assert table.round.colour == "red"
    assert table.round.calls.called == {}


def test_a_street_race_that_was_none_after_all() -> None:
    table = refereed(players=4)
    table.play("street-race red")
    table.slaps(ana=300, cleo=330, dan=370)
    table.wait(SECOND)
    table.play("red-2")
    assert table.owed(DAN) == 4
    table.do(c.ChangePlay(turn(table, 2), Card("red-1")))
    assert (table.round.races, table.round.debts) == ((), ())
    taken_back = table.rules("R12")[0]
    assert taken_back.overruled is not None
    assert table.text(taken_back.overruled) == "Judged again: now Ben's card is known."
    table.do(c.Undo())
    assert table.owed(DAN) == 4
    assert table.race.layer == BEN


def test_somebody_else_may_have_played_it() -> None:
    table = refereed()
    table.play("red-1")
    table.do(c.ChangePlay(turn(table), Card("red-1"), seat=CLEO))
    assert table.round.hands == {ANA: 7, BEN: 7, CLEO: 6}
    assert table.round.turn == ANA


def test_a_card_may_have_been_drawn_instead() -> None:
    table = refereed()
    table.play("red-1", "red-2")
    table.do(c.ChangePlay(turn(table, 2)))
    assert table.round.hands == {ANA: 7, BEN: 8, CLEO: 6}
    assert table.round.turns[0].card is None
    assert cards(table) == 112


def test_a_card_may_have_been_drawn_and_played_at_once() -> None:
    table = refereed()
    table.do(c.Draw())
    table.play("red-2")
    table.do(c.ChangePlay(turn(table, 2), Card("red-1"), drawn=True))
    assert table.round.hands == {ANA: 7, BEN: 7, CLEO: 6}
    assert table.round.turns[0].card == "red-1"


def test_a_turn_may_be_taken_out() -> None:
    table = refereed()
    table.play("red-1", "red-2", "red-3")
    table.do(c.ChangePlay(turn(table, 2), remove=True))
    assert [one.card for one in table.round.turns] == ["red-1", "red-3"]
    assert table.question.kind == "play_stands", "it was Cleo's turn, and Ana's card stays"
    assert table.round.hands == {ANA: 6, BEN: 6, CLEO: 7}
    assert cards(table) == 112


def test_who_draws_for_a_card_follows_the_change() -> None:
    table = refereed()
    table.play("red-draw", "red-2")
    assert table.owed(CLEO) == 2
    table.do(c.ChangePlay(turn(table, 2), Card("red-4")))
    assert table.round.debts == ()
    taken_back = table.rules("R6")[0]
    assert taken_back.overruled is not None
    table.do(c.ChangePlay(turn(table, 2), Card("red-draw")))
    assert table.owed(CLEO) == 2


def test_a_debt_that_was_ticked_stays_ticked() -> None:
    table = refereed()
    table.play("red-1", "red-draw")
    table.do(c.Drawn(table.round.debts[0].number))
    table.play("red-2")
    table.do(c.ChangePlay(turn(table, 3), Card("red-4")))
    assert table.round.debts == ()
    assert table.round.hands[ANA] == 7 + 2
    assert cards(table) == 112


def test_a_debt_that_was_forgiven_stays_forgiven() -> None:
    table = refereed()
    table.play("red-1", "wild-draw blue")
    table.do(c.Forgive(table.round.debts[0].number))
    table.do(c.ChangePlay(turn(table, 2), Card("red-4")))
    assert (table.round.debts, table.round.challenge) == ((), None)


def test_a_debt_that_is_no_more_is_neither_ticked_nor_forgiven() -> None:
    table = refereed()
    table.play("red-draw")
    table.do(c.Drawn(table.round.debts[0].number))
    table.do(c.ChangePlay(turn(table), Card("red-4")))
    assert table.round.hands[CLEO] == 7
    assert cards(table) == 112


@pytest.mark.rule("R11")
@pytest.mark.parametrize("guilty", [True, False])
def test_a_challenge_is_judged_again(guilty: bool) -> None:
    table = refereed()
    table.play("red-1", "wild-draw blue")
    table.do(c.Challenge(guilty=guilty))
    owed = {seat: table.owed(seat) for seat in (ANA, BEN, CLEO)}
    table.do(c.ChangePlay(turn(table, 2), Card("red-4")))
    assert {seat: table.owed(seat) for seat in (ANA, BEN, CLEO)} == owed
    table.do(c.ChangePlay(turn(table), Card("red-7")))
    assert table.round.debts == ()


@pytest.mark.rule("R11")
def test_an_open_challenge_stays_open() -> None:
    table = refereed()
    table.play("red-1", "wild-draw blue")
    table.do(c.ChangePlay(turn(table, 2), Card("red-4")))
    assert table.round.challenge is not None
    table.do(c.Challenge(guilty=True))
    assert (table.owed(CLEO), table.owed(ANA)) == (4, 0)


@pytest.mark.rule("R9")
def test_the_colour_of_a_wild_is_kept_and_that_of_none_goes() -> None:
    table = refereed()
    table.play("wild")
    table.do(c.NameColour("green"))
    table.play("green-2")
    table.do(c.ChangePlay(turn(table, 2), Card("red-1")))
    assert table.round.colour == "green"
    assert table.question.kind == "play_stands"
    again = refereed()
    again.play("red-1", "wild")
    again.do(c.NameColour("green"))
    again.do(c.ChangePlay(turn(again, 2), Card("red-4")))
    assert again.round.colour == "green"


def test_a_correction_is_made_again_where_it_still_can_be() -> None:
    table = refereed()
    table.play("red-1")
    table.hands(cleo=3)
    table.play("red-2")
    table.do(c.ChangePlay(turn(table, 2), Card("red-4")))
    assert table.round.hands[CLEO] == 2
    assert cards(table) == 112


def test_a_correction_that_cannot_be_any_more_is_left_out() -> None:
    table = refereed()
    table.play("red-1", "red-2")
    on_the_pile = table.round.discard_pile - 1
    table.do(c.Correct(draw_pile=table.round.draw_pile + on_the_pile))
    assert table.round.discard_pile == 1
    table.do(c.ChangePlay(turn(table)))
    assert (table.round.top, table.round.hands[CLEO]) == ("red-1", 8)
    assert (table.round.discard_pile, cards(table)) == (2, 112)


@pytest.mark.rule("R14")
def test_a_card_that_made_somebody_go_out_may_have_been_another() -> None:
    table = refereed()
    table.hands(ben=1)
    table.play("red-draw")
    assert (table.round.out, table.owed(CLEO)) == (BEN, 2)
    table.do(c.ChangePlay(turn(table), Card("red-4")))
    assert (table.round.out, table.owed(CLEO)) == (BEN, 0)
    table.do(c.ChangePlay(turn(table)))
    assert (table.round.out, table.round.hands[BEN]) == (None, 2)
    assert table.round.turn == CLEO


@pytest.mark.rule("R14")
def test_what_came_after_somebody_turns_out_to_have_gone_out_is_left_out() -> None:
    table = refereed()
    table.hands(ben=2)
    table.play("red-1", "red-2", "red-3")
    table.do(c.Draw())
    table.play("red-6")
    first = table.round.turns[0].number
    assert table.round.turns[3].card is None
    table.do(c.ChangePlay(table.round.turns[3].number, Card("red-8")))
    assert table.round.out == BEN
    assert table.round.turns[0].number == first
    assert cards(table) == 112


@pytest.mark.rule("R13")
def test_a_window_that_was_none_takes_its_catch_with_it() -> None:
    table = refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    table.catch_by_presses(ANA)
    table.wait(3 * SECOND)
    table.play("red-2")
    assert table.owed(BEN) == 2
    table.do(c.ChangePlay(turn(table, 2)))
    assert table.round.debts == ()
    assert table.in_force == []


def test_the_change_is_one_step_that_can_be_taken_back_and_done_again() -> None:
    table = refereed()
    table.play("red-1", "red-2", "red-3")
    before = table.table.game
    table.do(c.ChangePlay(turn(table, 2), Card("red-9")))
    after = table.table.game
    assert table.table.past is not None
    assert table.text(table.table.past.label) == "Cleo's turn changed"
    table.do(c.Undo())
    assert table.table.game == before
    table.do(c.Redo())
    assert table.table.game == after


def test_changes_that_cannot_be_are_refused() -> None:
    table = refereed()
    table.play("red-1")
    assert str(table.refused(c.ChangePlay(99))) == "There is no such turn in this round."
    first_card = table.round.log[0].number
    assert table.refused(c.ChangePlay(first_card)).sentence.code == "no_such_turn"
    number = turn(table)
    assert table.refused(c.ChangePlay(number, Card("pink-3"))).sentence.code == "unknown_card"
    refusal = table.refused(c.ChangePlay(number, Card("red-2"), seat=9))
    assert refusal.sentence.code == "unknown_seat"
    free = Evening().start()
    assert free.refused(c.ChangePlay(1)).sentence.code == "no_such_turn"
