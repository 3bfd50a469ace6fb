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
