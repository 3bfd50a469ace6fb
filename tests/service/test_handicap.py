"""Head starts outlive a restart, are shown in the view, and are not overwritten unseen."""

from __future__ import annotations

import msgspec
import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.sentences import Refusal, packed, unpacked
from companion.view import View, view
from tests.kit.evening import Evening
from tests.kit.night import ANA, BEN, CLEO, Night

MS = MILLISECOND


def test_a_restart_in_the_middle_of_a_race_keeps_its_head_starts(night: Night) -> None:
    night.deal()
    night.do(c.SetHandicap(CLEO, 2000))
    night.do(c.DeclareRace(ANA))
    night.press(BEN)
    night.settle()
    night.do(c.SetHandicap(CLEO, 0))
    night.reopen()
    assert night.race.handicaps == {CLEO: 2000 * MS}
    night.reopen()
    assert night.race.handicaps == {CLEO: 2000 * MS}
    night.do(c.Undo())
    assert night.table.game.seats[CLEO - 1].handicap == 2000 * MS


def test_a_screen_that_saw_another_head_start_is_told(night: Night) -> None:
    night.seat_three()
    version = night.table.version
    night.do(c.SetHandicap(CLEO, 200))
    with pytest.raises(Refusal) as refusal:
        night.do(c.SetHandicap(CLEO, 100), version=version)
    assert refusal.value.sentence.code == "stale"
    assert "Head start of 200 ms for Cleo" in str(refusal.value)
    night.do(c.SetHandicap(BEN, 100), version=version)


def shown(table: Evening) -> View:
    """The view as it goes out and comes in."""
    return msgspec.json.decode(
        msgspec.json.encode(view(table.table), enc_hook=packed), type=View, dec_hook=unpacked
    )


def test_the_view_shows_when_a_slap_was_made_and_when_it_counts() -> None:
    table = Evening(4)
    table.do(c.SetHandicap(CLEO, 200))
    table.start()
    table.do(c.DeclareRace(ANA))
    ben = table.tap(BEN)
    table.wait(150 * MS)
    cleo = table.tap(CLEO)
    now = shown(table)
    assert [seat.handicap for seat in now.seats] == [0, 0, 200 * MS, 0]
    assert now.race is not None
    assert [(slap.seat, slap.at, slap.handicap) for slap in now.race.slaps] == [
        (CLEO, cleo, 200 * MS),
        (BEN, ben, 0),
    ]
    assert [slap.after for slap in now.race.slaps] == [0, 50 * MS]


def test_a_slap_off_is_shown_in_the_order_that_counts() -> None:
    table = Evening()
    table.do(c.SetHandicap(CLEO, 200))
    table.start()
    table.wait(20 * SECOND)
    ben = table.tap(BEN)
    table.wait(200 * MS)
    table.tap(CLEO, ben + 200 * MS)
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    table.do(c.SlapOff())
    light = table.round.races[-1].slap_off
    assert light is not None
    table.wait(light.light_at - table.now + 300 * MS)
    table.tap(CLEO)
    race = shown(table).race
    assert race is not None
    assert [(slap.after, slap.handicap) for slap in race.slaps] == [(100 * MS, 200 * MS)]
