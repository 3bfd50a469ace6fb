"""Taking back what hands did by themselves: a race, a catch, or a press."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.model.presses import SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.referee.situations import refereed, seen_race


def test_undo_right_after_a_race_that_the_hands_showed_takes_that_back() -> None:
    table = seen_race()
    before = table.table.past
    (dismissed, *_) = table.do(c.Undo())
    assert isinstance(dismissed, e.PressesDismissed)
    assert table.text(dismissed.label) == "Street Race by Ana"
    assert dismissed.kind == "no_race"
    assert (table.round.races, table.round.debts) == ((), ())
    assert table.table.past is before, "no step was taken back"
    table.wait(40 * SECOND)
    assert table.round.races == (), "the same hands do not declare it again"
    assert table.in_force == []


def test_undo_while_it_is_asked_who_laid_a_race_takes_the_question_back() -> None:
    table = Evening(5).start()
    table.slaps(ben=0, cleo=40, dan=80)
    table.wait(6 * SECOND)
    assert table.question.kind == "who_laid"
    (dismissed, *_) = table.do(c.Undo())
    assert isinstance(dismissed, e.PressesDismissed)
    assert table.text(dismissed.label) == "Street Race"
    assert (table.round.races, table.round.questions) == ((), ())


def test_redo_brings_a_race_that_the_hands_showed_back() -> None:
    table = seen_race()
    table.do(c.Undo())
    table.do(c.Redo())
    table.wait(SECOND)
    assert table.owed(DAN) == 4
    assert table.race.how == "hands"


def test_hands_that_were_no_race_still_serve_one_that_is_named() -> None:
    table = seen_race()
    table.do(c.Undo())
    table.do(c.DeclareRace(ANA))
    table.wait(2 * SECOND)
    assert table.owed(DAN) == 4
    assert len(table.round.races) == 1


def test_a_card_mistaken_for_a_race_and_taken_back_leaves_its_hands_to_the_right_one() -> None:
    """The record is a turn behind: Cleo laid the race, and it was tapped in for Ben at first."""
    table = refereed(players=4)
    table.slaps(ana=0, ben=100, dan=300)
    table.wait(4 * SECOND)
    table.play("street-race red")
    table.do(c.Undo())
    table.play("red-7", "street-race blue")
    table.wait(2 * SECOND)
    assert (table.race.layer, table.in_force) == (CLEO, ["last"])
    assert (table.owed(DAN), table.owed(CLEO)) == (4, 0)


def test_a_named_race_that_is_taken_back_does_not_come_back_by_its_hands() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.hands_off(ANA)
    table.wait(SECOND)
    table.do(c.Undo())
    assert table.round.races == ()
    table.wait(40 * SECOND)
    assert (table.round.races, table.in_force) == ((), [])
    table.do(c.Redo())
    table.wait(SECOND)
    assert table.owed(DAN) == 4


def test_naming_a_race_that_the_hands_had_shown_and_taking_that_back_leaves_the_race() -> None:
    table = seen_race()
    table.do(c.DeclareRace(BEN))
    table.wait(SECOND)
    table.do(c.Undo())
    table.wait(SECOND)
    assert (table.race.layer, table.race.how) == (ANA, "hands")
    assert table.owed(DAN) == 4


def test_undo_right_after_an_accidental_press_takes_just_that_back() -> None:
    table = Evening(4).start()
    table.wait(10 * SECOND)
    table.tap(CLEO)
    table.wait(3 * SECOND)
    table.tap(BEN)
    table.wait(SECOND)
    assert set(table.round.calls.called) == {BEN, CLEO}
    (dismissed, *_) = table.do(c.Undo())
    assert isinstance(dismissed, e.PressesDismissed)
    assert (table.text(dismissed.label), dismissed.kind) == ("Ben's press", "nothing")
    assert set(table.round.calls.called) == {CLEO}
    table.do(c.Undo())
    assert set(table.round.calls.called) == set()
    table.do(c.Redo())
    table.do(c.Redo())
    assert set(table.round.calls.called) == {BEN, CLEO}


def test_in_refereed_play_a_call_that_somebody_needs_is_not_taken_back() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.play("red-1")
    table.tap(BEN)
    table.wait(SECOND)
    table.do(c.Undo())
    assert table.round.turn == BEN, "the card is taken back, and the call stays"
    assert BEN in table.round.calls.called


def test_in_refereed_play_an_accidental_press_of_somebody_with_many_cards_goes() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-1")
    table.wait(SECOND)
    table.tap(ANA)
    table.wait(SECOND)
    table.do(c.Undo())
    assert table.round.calls.called == {}
    assert table.round.turn == CLEO


def test_a_catch_by_presses_can_be_taken_back() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    (dismissed, *_) = table.do(c.Undo())
    assert isinstance(dismissed, e.PressesDismissed)
    assert table.text(dismissed.label) == "Ben caught"
    assert table.round.debts == ()
    table.wait(SECOND)
    assert table.round.debts == (), "the same presses do not catch again"
    assert table.round.calls.window is not None
    table.do(c.Redo())
    assert table.owed(BEN) == 2


def test_a_step_after_the_hands_is_taken_back_first() -> None:
    table = seen_race()
    table.do(c.Drawn(table.round.debts[0].number))
    table.do(c.Undo())
    assert table.owed(DAN) == 4
    table.do(c.Undo())
    assert table.round.races == ()
