"""A press on a phone: dated by the phone where it can be believed, and never beyond that."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.presses import MILLISECOND, PHONE_DOUBT, PHONE_LAG, SECOND, phone_press
from tests.referee.evening import ANA, BEN, CLEO, Evening

NOW = 500 * SECOND


@pytest.mark.parametrize(
    ("at", "uncertainty", "counts_from", "doubt"),
    [
        pytest.param(
            NOW - 40 * MILLISECOND,
            12 * MILLISECOND,
            NOW - 40 * MILLISECOND,
            12 * MILLISECOND,
            id="it took 40 ms to arrive",
        ),
        pytest.param(
            NOW - 40 * MILLISECOND,
            0,
            NOW - 40 * MILLISECOND,
            PHONE_DOUBT,
            id="no phone is sharper than its touch screen",
        ),
        pytest.param(NOW + 3 * SECOND, 0, NOW, PHONE_DOUBT, id="no phone is ahead of the table"),
        pytest.param(
            NOW - PHONE_LAG,
            10 * MILLISECOND,
            NOW - PHONE_LAG,
            10 * MILLISECOND,
            id="just not too late",
        ),
        pytest.param(
            NOW - 400 * MILLISECOND,
            10 * MILLISECOND,
            NOW,
            410 * MILLISECOND,
            id="too long on the way: it may have been any moment since",
        ),
        pytest.param(
            0, 10 * MILLISECOND, NOW, 1010 * MILLISECOND, id="a phone that lives in the past"
        ),
    ],
)
def test_how_far_a_phone_is_believed(at, uncertainty, counts_from, doubt):
    press = phone_press(BEN, at, uncertainty, NOW)
    assert (press.at, press.uncertainty, press.source) == (counts_from, doubt, "phone")
    assert press.released_at == press.at


@pytest.mark.rule(12)
def test_a_slower_line_does_not_lose_a_race():
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    slapped = table.now
    table.wait(60 * MILLISECOND)
    table.tap(CLEO)
    table.wait(40 * MILLISECOND)
    table.do(c.PressSeat(BEN, slapped, 9 * MILLISECOND), after=0)
    finish = table.race.finish
    assert finish is not None
    assert [place.seat for place in finish.places] == [BEN, CLEO]
    assert finish.last == (CLEO,)
    assert [place.press and place.press.source for place in finish.places] == ["phone", "button"]


@pytest.mark.rule(12)
def test_two_hands_closer_than_a_phone_can_tell_are_a_dead_heat():
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    slapped = table.tap(CLEO)
    table.wait(30 * MILLISECOND)
    table.do(c.PressSeat(BEN, slapped + 6 * MILLISECOND, 9 * MILLISECOND), after=0)
    assert table.race.state == "undecided"
    assert set(table.race.tied) == {BEN, CLEO}


def test_a_phone_that_does_not_know_the_time_presses_like_the_tablet():
    table = Evening(2).start()
    table.do(c.PressSeat(BEN, at=table.now))
    (call,) = table.round.calls[BEN]
    assert (call.source, call.at) == ("tablet", table.now)


def held_on_a_phone(table: Evening, seat: int, seconds: float = 0.8) -> c.HoldSeat:
    """A finger comes down on a phone and stays; this is what the phone says of it then."""
    table.do(c.PressSeat(seat, table.now, 9 * MILLISECOND), after=0)
    pressed = table.table.presses[-1].press.at
    table.wait(round(seconds * SECOND))
    return c.HoldSeat(seat, pressed)


@pytest.mark.rule(12)
def test_a_phone_that_is_held_lays_a_street_race_like_a_button():
    table = Evening(3).start()
    hold = held_on_a_phone(table, ANA)
    assert table.round.race is None
    table.do(hold, after=0)
    assert (table.race.layer, table.race.declared_at, table.race.how) == (
        ANA,
        hold.pressed_at,
        "hold",
    )
    assert not table.round.calls.get(ANA)
    table.tap(BEN)
    table.wait(20 * MILLISECOND)
    table.tap(CLEO)
    assert table.race.finish is not None
    assert table.race.finish.last == (CLEO,)


@pytest.mark.rule(12)
def test_a_phone_that_falls_silent_in_mid_press_lays_nothing():
    table = Evening(3).start()
    held_on_a_phone(table, ANA, seconds=30)
    assert table.round.race is None
    assert table.round.calls[ANA]


@pytest.mark.parametrize(
    ("seconds", "more"),
    [
        pytest.param(0.5, {}, id="it was not held long enough"),
        pytest.param(0.8, {"seat": BEN}, id="it was somebody else's press"),
        pytest.param(0.8, {"pressed_at": 5}, id="there was no such press"),
    ],
)
def test_a_hold_that_lays_nothing_is_refused(seconds, more):
    table = Evening(3).start()
    hold = held_on_a_phone(table, ANA, seconds)
    refused = table.refused(c.HoldSeat(**{"seat": hold.seat, "pressed_at": hold.pressed_at} | more))
    assert refused.sentence.code == "nothing_to_hold"
    assert table.round.race is None


def test_a_screen_cannot_hold_a_button_of_the_table():
    table = Evening(3).start()
    at = table.tap(ANA)
    table.wait(SECOND)
    assert table.refused(c.HoldSeat(ANA, at)).sentence.code == "nothing_to_hold"


def test_where_there_is_no_street_race_a_held_phone_calls():
    table = Evening(3, edition="express").start()
    hold = held_on_a_phone(table, ANA)
    assert table.refused(hold).sentence.code == "nothing_to_hold"
    assert table.round.calls[ANA]
