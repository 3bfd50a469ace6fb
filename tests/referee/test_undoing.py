"""Taking back and doing again: records go and come, and what hands did stays."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import SECOND
from companion.referee.rules.scoring import standing
from tests.kit.evening import ANA, BEN, CLEO, DAN, EVA, Evening
from tests.referee.situations import seen_race, who_laid


def presses(table: Evening) -> int:
    """How many presses the table knows of this round."""
    evidence = table.table.evidence[-1]
    return sum(len(run) for runs in evidence.presses.values() for run in runs)


def test_undo_takes_back_one_step_and_redo_does_it_again() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-1")
    after_one = table.table.game
    table.play("red-draw")
    after_two = table.table.game
    table.do(c.Undo())
    assert table.table.game == after_one
    table.do(c.Redo())
    assert table.table.game == after_two
    assert table.refused(c.Redo()).sentence.code == "nothing_to_redo"


def test_what_was_taken_back_is_gone_once_the_game_goes_on() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-1")
    table.do(c.Undo())
    table.play("red-2")
    assert table.refused(c.Redo()).sentence.code == "nothing_to_redo"


def test_the_start_of_a_match_can_be_taken_back_and_nothing_before_it() -> None:
    """They had forgotten that Cleo would play, too."""
    table = Evening(2)
    assert table.table.past is not None
    before = table.table.game
    table.do(c.StartMatch())
    started = table.table.game
    table.do(c.Undo())
    assert table.table.game == before
    assert str(table.refused(c.Undo())) == "There is nothing to undo."
    table.do(c.Redo())
    assert table.table.game == started
    table.do(c.Undo())
    table.do(c.Sit("Cleo", CLEO))
    table.do(c.StartMatch())
    assert (table.match.number, len(table.match.entrants)) == (1, 3)


def test_a_rematch_can_be_taken_back_and_the_last_round_be_mended() -> None:
    table = Evening(2).start()
    table.do(c.GoOut(ANA))
    table.do(c.EnterPoints(BEN, 600))
    table.do(c.ScoreRound())
    table.do(c.Rematch())
    assert (table.match.number, table.match.rounds) == (2, ())
    table.do(c.Undo())
    assert (table.match.number, standing(table.match).winners) == (1, (ANA,))
    table.do(c.EditRound(1, points={BEN: 60}))
    assert standing(table.match).winners == ()
    table.do(c.Deal())
    assert table.round.number == 2


def test_a_rematch_waits_until_the_round_is_over() -> None:
    table = Evening(2).start()
    refusal = table.refused(c.Rematch())
    assert str(refusal) == "That has to wait until the round is over."


def test_a_rematch_that_was_taken_back_can_be_done_again() -> None:
    table = Evening(2, scoring="alternative").start()
    table.do(c.Undo())
    table.do(c.Rematch())
    rematch = table.table.game
    table.do(c.Undo())
    table.do(c.Redo())
    assert table.table.game == rematch
    table.do(c.ChooseDealer(BEN))
    table.do(c.Deal())
    assert (table.match.number, table.round.dealer) == (2, BEN)


def test_a_press_does_not_end_the_way_forwards() -> None:
    """Only what people enter replaces what was taken back."""
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.do(c.Undo())
    table.tap(BEN)
    table.do(c.Redo())
    assert table.race.layer == ANA


def test_undo_never_takes_a_press_back() -> None:
    table = Evening(4, way="refereed").refereed()
    table.play("street-race blue")
    table.slaps(ana=300, cleo=330, dan=370)
    table.wait(SECOND)
    known = presses(table)
    table.do(c.Undo())
    assert presses(table) == known
    assert (table.round.races, table.round.debts) == ((), ())
    table.do(c.Redo())
    table.wait(SECOND)
    assert table.owed(DAN) == 4


def test_a_mistyped_card_taken_back_loses_no_call() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    table.tap(BEN)
    table.wait(SECOND)
    table.do(c.Undo())
    table.play("red-7")
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.in_force == ["called"]


def test_a_mistyped_card_taken_back_loses_no_slap() -> None:
    table = Evening(4, way="refereed").refereed()
    table.play("red-1")
    table.slaps(ana=300, cleo=330, dan=370)
    table.wait(3 * SECOND)
    table.do(c.Undo())
    table.play("street-race green")
    table.wait(2 * SECOND)
    assert table.owed(DAN) == 4


def test_a_call_tapped_in_on_the_tablet_is_a_step_like_any_other() -> None:
    table = Evening(4).start()
    table.do(c.Call(BEN))
    table.do(c.Undo())
    assert table.round.calls.called == {}
    assert table.table.future is not None
    assert table.text(table.table.future.label) == "Ben called UNO"


def test_undoing_a_tap_in_a_running_race_keeps_the_slaps() -> None:
    table = Evening(way="refereed").refereed("red-draw")
    table.do(c.DeclareRace(CLEO))
    table.tap(ANA)
    table.do(c.Drawn(table.round.debts[0].number))
    table.do(c.Undo())
    assert table.race.state == "running"
    table.tap(BEN)
    table.wait(2 * SECOND)
    assert table.race.state == "ruled"
    assert table.owed(BEN) == 2 + 4


def test_undoing_past_the_end_of_a_race_rules_it_again_from_its_hands() -> None:
    table = Evening(way="refereed").refereed("red-draw")
    table.do(c.DeclareRace(CLEO))
    table.do(c.Drawn(table.round.debts[0].number))
    table.slaps(ana=0, ben=100)
    table.wait(SECOND)
    assert table.owed(BEN) == 4
    table.do(c.Undo())
    table.wait(SECOND)
    assert table.owed(BEN) == 2 + 4


def test_undoing_a_change_of_layer_brings_the_layer_back_and_keeps_the_hands() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100)
    table.do(c.ChangeLayer(DAN))
    table.slaps(cleo=100)
    table.do(c.Undo())
    assert (table.race.layer, table.race.state) == (ANA, "running")
    table.slaps(dan=100)
    table.wait(3 * SECOND)
    assert table.owed(DAN) == 4


def test_undoing_a_slap_off_leaves_those_who_tied() -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=100)
    table.wait(SECOND)
    table.do(c.SlapOff())
    light = table.race.slap_off
    assert light is not None
    table.wait(light.light_at - table.now)
    table.slaps(ben=50, cleo=100)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    table.do(c.Undo())
    assert len(table.round.races) == 1
    assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))
    assert table.round.questions == (), "hands of a slap-off propose no race of their own"
    table.do(c.Redo())
    assert table.owed(CLEO) == 4


def test_undoing_a_cancelled_race_brings_its_ruling_back() -> None:
    table = seen_race()
    table.do(c.CancelRace())
    assert table.owed(DAN) == 0
    table.do(c.Undo())
    table.wait(SECOND)
    assert table.owed(DAN) == 4


def test_undo_where_somebody_has_no_button_leaves_the_buttons_of_the_others() -> None:
    table = Evening(4)
    table.do(c.AssignButton(ANA, DAN))
    table.start()
    table.do(c.Call(ANA))
    table.do(c.Undo())
    assert [seat.button for seat in table.table.game.seats] == [4, 2, 3, None]
    assert table.table.evidence[-1].unusable == ()


def test_undoing_the_end_of_a_round_brings_its_presses_back() -> None:
    table = Evening(2).start()
    table.tap(BEN)
    table.do(c.GoOut(ANA))
    table.do(c.EnterPoints(BEN, 10))
    table.do(c.ScoreRound())
    table.do(c.Undo())
    table.do(c.Undo())
    table.do(c.Undo())
    assert BEN in table.round.calls.called


def test_undo_in_the_lobby_and_between_rounds() -> None:
    table = Evening(3)
    table.do(c.Stand(CLEO))
    table.do(c.Undo())
    assert len(table.table.game.seats) == 3
    table.start()
    table.do(c.Undo())
    assert table.match.round is None
    table.do(c.Redo())
    assert table.round.number == 1


def test_a_restart_forgets_no_step() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-1")
    before = table.table.game
    table.do(c.OpenTable(table.table.editions, table.table.timing, table.now))
    assert table.table.game == before
    table.do(c.Undo())
    assert table.round.top == "red-5"


@pytest.mark.parametrize("wait", [1, 60])
def test_undoing_an_answer_asks_again(wait: int) -> None:
    table = Evening(4).start()
    table.do(c.SetAside(DAN, "stuck", table.now))
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.wait(3 * SECOND)
    table.answer("4")
    table.wait(wait * SECOND)
    assert table.owed(DAN) == 4
    table.do(c.Undo())
    assert table.owed(DAN) == 0
    assert table.question.kind == "who_was_last"
    table.answer("others")
    assert table.owed(CLEO) == 4


def test_a_press_that_answers_a_question_leaves_the_way_forwards() -> None:
    """Eva's elbow answers who laid the race; the call that was taken back can still come back."""
    table = who_laid()
    table.do(c.Call(BEN))
    table.do(c.Undo())
    table.wait(SECOND)
    table.tap(EVA)
    table.wait(SECOND)
    assert table.race.layer == EVA
    table.do(c.Redo())
    assert (table.race.layer, BEN in table.round.calls.called) == (EVA, True)
    table.do(c.Undo())
    assert (table.race.layer, BEN in table.round.calls.called) == (None, True)
    table.do(c.Undo())
    assert (table.race.layer, BEN in table.round.calls.called) == (None, False)


@pytest.mark.parametrize("broken", [False, True])
def test_a_press_of_a_button_that_nobody_has_leaves_the_way_forwards(broken: bool) -> None:
    """It seats somebody, or takes over from a broken one; neither is what was taken back."""
    table = Evening(2)
    table.do(c.Rename(ANA, "Anna"))
    table.do(c.Undo())
    if broken:
        table.do(c.SetAside(BEN, "stuck", table.now))
    table.press(9)
    table.do(c.Redo())
    assert table.table.game.seats[0].name == "Anna"
