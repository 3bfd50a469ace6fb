"""One push, several readings: what a call, a catch and a slap take from each other (R12, R13)."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.cards import Card
from companion.referee.presses import MILLISECOND, SECOND
from tests.referee.evening import ANA, BEN, CLEO, DAN, Evening

MS = MILLISECOND


def on_one(**house: object) -> Evening:
    """Ben has just been recorded with his next-to-last card and has called; Cleo is on turn."""
    table = Evening(4, way="refereed", house=house).refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    table.tap(BEN)
    table.wait(200 * MS)
    return table


def slap(table: Evening, *seats: int) -> None:
    """Let these hands come down 50 ms after each other."""
    for seat in seats:
        table.wait(50 * MS)
        table.tap(seat)


def last(table: Evening) -> int:
    """Who draws for the race."""
    assert table.race.state == "ruled"
    return next(debt.seat for debt in table.round.debts if debt.ruling == table.race.ruling)


@pytest.mark.rule("R12")
def test_the_quickest_slap_while_somebody_is_on_one_card_is_not_lost_as_a_catch() -> None:
    table = on_one(wrong_catch_draws=2)
    slap(table, DAN, ANA, BEN)
    table.wait(SECOND)
    assert table.owed(DAN) == 2, "until the card is told it looks like a wrong catch"
    table.play("street-race blue")
    assert last(table) == BEN
    assert (table.owed(DAN), table.round.cooldowns) == (0, {})
    overruled = [r.overruled.text for r in table.rules("R13") if r.overruled is not None]
    assert overruled == ["Dan did not catch anybody: it was a slap in the Street Race."]


@pytest.mark.rule("R12")
def test_a_catch_that_is_still_settling_is_a_slap_when_a_race_is_declared() -> None:
    table = on_one()
    slap(table, DAN)
    table.do(c.DeclareRace(CLEO), after=50 * MS)
    slap(table, ANA, BEN)
    assert last(table) == BEN
    assert table.round.cooldowns == {}
    assert table.round.window is not None
    assert table.round.window.catch is None


@pytest.mark.rule("R13")
def test_a_rightful_catch_stays_one_although_a_race_follows() -> None:
    table = Evening(4, way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    slap(table, DAN)
    table.do(c.DeclareRace(CLEO), after=50 * MS)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    slap(table, ANA, BEN)
    assert last(table) == BEN


@pytest.mark.rule("R13")
def test_a_late_call_does_not_turn_a_held_catch_into_a_race() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    at = table.press(ANA)
    table.wait(100 * MS)
    table.tap(BEN)
    table.wait(SECOND)
    table.let_go(ANA, at)
    assert table.owed(BEN) == 2
    assert table.round.race is None


@pytest.mark.rule("R13")
def test_a_race_that_begins_does_not_hurry_a_catch_told_on_the_tablet() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.press(CLEO)
    table.wait(500 * MS)
    table.play("red-1")
    table.do(c.Catch(BEN, ANA), after=0)
    table.wait(150 * MS)
    assert table.race.layer == CLEO
    assert table.round.window is not None
    assert table.round.window.catch is not None
    table.wait(SECOND)
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_the_tap_of_a_layer_stays_a_call_when_the_tablet_declares_the_race() -> None:
    table = Evening().start()
    table.tap(ANA)
    table.do(c.DeclareRace(ANA), after=SECOND)
    slap(table, BEN, CLEO)
    table.do(c.Catch(ANA, BEN))
    table.wait(SECOND)
    assert table.owed(ANA) == 0


@pytest.mark.rule("R13")
def test_the_tap_of_a_layer_stays_a_call_when_a_hold_follows_it() -> None:
    table = Evening().start()
    table.tap(ANA)
    table.wait(500 * MS)
    table.hold(ANA)
    slap(table, BEN, CLEO)
    table.do(c.Catch(ANA, BEN))
    table.wait(SECOND)
    assert table.owed(ANA) == 0


@pytest.mark.rule("R13")
def test_a_slap_does_not_take_an_older_call_along() -> None:
    table = Evening().start()
    table.tap(BEN)
    table.wait(60 * SECOND)
    slap(table, BEN, CLEO)
    table.do(c.DeclareRace(ANA))
    assert last(table) == CLEO
    table.do(c.Catch(BEN, CLEO))
    table.wait(SECOND)
    assert table.owed(BEN) == 0


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    "told_late",
    [
        pytest.param(False, id="the card is told before his hand comes down"),
        pytest.param(True, id="the card is told after it"),
    ],
)
def test_the_call_of_somebody_on_one_card_is_never_his_slap(told_late: bool) -> None:
    table = on_one()
    slap(table, ANA, DAN)
    if not told_late:
        table.play("street-race blue")
    slap(table, BEN)
    if told_late:
        table.play("street-race blue")
    assert last(table) == BEN


@pytest.mark.rule("R13")
def test_of_two_calls_in_one_turn_the_first_one_counts() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    first = table.tap(BEN)
    table.wait(300 * MS)
    table.tap(BEN)
    table.play("red-1")
    assert table.round.window is not None
    assert table.round.window.call is not None
    assert table.round.window.call.at == first


def test_a_call_from_before_the_turn_that_arrives_late_is_none_of_the_window() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    before = table.round.turn_began - 5 * MS
    table.play("red-1")
    table.tap(BEN, before)
    assert table.round.window is not None
    assert table.round.window.call is None


@pytest.mark.rule("R12")
def test_a_call_that_was_only_told_on_the_tablet_is_no_slap() -> None:
    table = Evening().start()
    table.do(c.Call(BEN))
    table.do(c.DeclareRace(ANA))
    table.do(c.Call(CLEO))
    assert table.race.state == "running"
    slap(table, CLEO, BEN)
    assert last(table) == BEN


@pytest.mark.rule("R12")
def test_a_layer_who_holds_the_button_late_lays_no_second_race() -> None:
    table = Evening(way="refereed").refereed()
    table.play("street-race blue")
    slap(table, CLEO, ANA)
    table.hold(BEN)
    assert len(table.rules("R12")) == 1
    table.wait(4 * SECOND)
    table.hold(BEN)
    assert table.race.state == "running", "later it is another card"


@pytest.mark.rule("R12")
def test_a_button_held_by_the_layer_in_a_long_race_lays_no_other_one_after_it() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    slap(table, BEN)
    table.wait(5 * SECOND)
    table.hold(ANA)
    table.wait(SECOND)
    slap(table, CLEO)
    table.tap(ANA)
    table.wait(SECOND)
    assert len(table.rules("R12")) == 1


@pytest.mark.rule("R12")
def test_a_hand_from_before_the_slap_off_is_not_too_early_in_it() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    at = table.now + 100 * MS
    table.wait(100 * MS)
    table.tap(BEN, at)
    table.tap(CLEO, at)
    table.do(c.SlapOff())
    table.tap(CLEO, table.now - 5 * MS)
    light = table.race.slap_off
    assert light is not None
    assert light.presses == ()
    table.wait(light.light_at - table.now)
    slap(table, CLEO, BEN)
    assert last(table) == BEN


@pytest.mark.rule("R14")
def test_nobody_goes_out_while_a_rightful_catch_is_being_looked_at() -> None:
    table = Evening().start()
    table.do(c.Catch(BEN, ANA))
    refusal = table.refused(c.GoOut(BEN))
    assert (refusal.sentence.code, refusal.rule) == ("owes_before_out", "R14")


@pytest.mark.rule("R14")
def test_hands_are_not_counted_before_the_race_of_the_last_card_is_settled() -> None:
    table = Evening(house={"race_on_last_card": True}).start()
    table.do(c.GoOut(ANA, Card("street-race")))
    assert table.refused(c.EnterPoints(BEN, 5)).rule == "R12"
    assert table.refused(c.EnterHand(BEN, {Card("red-5"): 1})).rule == "R12"
    slap(table, BEN, CLEO)
    table.do(c.EnterPoints(BEN, 5))
    table.do(c.EnterPoints(CLEO, 5))
    assert table.round.debts == ()


@pytest.mark.rule("R14")
@pytest.mark.parametrize(
    ("house", "state"),
    [
        pytest.param(False, "void", id="nobody slaps for a last card"),
        pytest.param(True, "running", id="the house races it, once"),
    ],
)
def test_a_hold_for_the_last_card_is_known_too_late_to_be_none(house: bool, state: str) -> None:
    table = Evening(way="refereed", house={"race_on_last_card": house}).refereed()
    table.hands(ben=1)
    table.hold(BEN)
    declared = table.race.declared_at
    table.play("street-race")
    assert table.round.out == BEN
    assert (table.race.state, table.race.declared_at) == (state, declared)


@pytest.mark.rule("R14")
def test_in_free_play_the_race_of_the_last_card_is_run_once() -> None:
    table = Evening(house={"race_on_last_card": True}).start()
    table.hold(BEN)
    slap(table, CLEO, ANA)
    declared = table.race.declared_at
    table.do(c.GoOut(BEN, Card("street-race")))
    assert (table.race.state, table.race.declared_at) == ("ruled", declared)


@pytest.mark.rule("R14")
def test_in_free_play_a_race_that_was_run_is_not_taken_back() -> None:
    table = Evening().start()
    table.hold(BEN)
    slap(table, CLEO, ANA)
    table.do(c.GoOut(BEN, Card("street-race")))
    assert last(table) == ANA


def dead_heat() -> Evening:
    """Ben and Cleo came down together behind Dan, and slap again in a moment."""
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    at = table.now + 100 * MS
    table.wait(100 * MS)
    for seat, after in ((DAN, 0), (BEN, 50), (CLEO, 50)):
        table.tap(seat, at + after * MS)
    table.do(c.SlapOff())
    return table


@pytest.mark.rule("R12")
def test_a_button_that_breaks_in_a_slap_off_does_not_lose_it() -> None:
    table = dead_heat()
    table.tap(CLEO)
    table.do(c.SetAside(CLEO, "chatter", table.now))
    light = table.race.slap_off
    assert light is not None
    table.wait(light.light_at - table.now)
    slap(table, BEN)
    assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))


@pytest.mark.rule("R12")
def test_a_spare_takes_over_in_the_middle_of_a_slap_off() -> None:
    table = dead_heat()
    table.tap(CLEO)
    table.do(c.SetAside(CLEO, "chatter", table.now))
    table.do(c.Press(20, table.now, 0))
    light = table.race.slap_off
    assert light is not None
    assert light.presses == ()
    table.wait(light.light_at - table.now)
    slap(table, BEN)
    table.wait(50 * MS)
    table.do(c.Press(20, table.now, 0), after=0)
    assert last(table) == CLEO


@pytest.mark.rule("R12")
def test_a_spare_takes_over_in_the_middle_of_a_race() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.tap(CLEO)
    table.do(c.SetAside(CLEO, "noise", table.now))
    table.do(c.SetAside(CLEO, "stuck", table.now))
    assert table.race.aside == (CLEO,)
    table.do(c.Press(20, table.now, 0))
    slap(table, BEN, DAN)
    assert table.race.state == "running", "what the broken button did is forgotten"
    table.wait(50 * MS)
    table.do(c.Press(20, table.now, 0), after=0)
    assert last(table) == CLEO


@pytest.mark.rule("R12")
def test_a_button_that_works_again_races_on() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.do(c.SetAside(CLEO, "stuck", table.now))
    table.do(c.PutBack(CLEO, table.now))
    slap(table, CLEO, BEN, DAN)
    assert last(table) == DAN


def test_undoing_a_change_of_layer_brings_the_layer_back_and_keeps_the_hands() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    slap(table, BEN)
    table.do(c.ChangeLayer(DAN))
    slap(table, CLEO)
    table.do(c.Undo())
    assert (table.race.layer, table.race.state) == (ANA, "running")
    slap(table, DAN)
    assert last(table) == DAN


def test_undoing_past_a_slap_off_leaves_only_those_who_tied() -> None:
    table = dead_heat()
    table.do(c.Rename(ANA, "Anna"))
    light = table.race.slap_off
    assert light is not None
    table.wait(light.light_at - table.now)
    slap(table, BEN, CLEO)
    table.do(c.Undo())
    assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("again", "called"),
    [
        pytest.param(250, False, id="a second slap of the same hand is no call"),
        pytest.param(900, True, id="a press of its own is one"),
    ],
)
def test_whoever_slaps_twice_has_not_called_uno(again: int, called: bool) -> None:
    table = Evening().start()
    table.wait(SECOND)
    table.do(c.DeclareRace(ANA))
    table.tap(BEN)
    table.wait(100 * MS)
    slap = table.tap(CLEO)
    assert table.race.state == "ruled"
    table.wait(again * MS)
    table.tap(CLEO, slap + again * MS)
    assert (CLEO in table.round.calls) is called
