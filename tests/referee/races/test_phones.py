"""A press on a phone: it counts when it was made, also where the news of it came late."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND, Press
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.referee.situations import DOUBT, last_press, on_a_phone

MS = MILLISECOND


def test_a_press_on_a_phone_counts_when_it_was_made() -> None:
    table = Evening(2).start()
    at = table.now - 40 * MS
    on_a_phone(table, BEN, at)
    assert last_press(table, BEN) == Press(BEN, at, DOUBT, "phone", at)
    assert table.round.calls.called == {BEN: at}


def test_no_phone_is_ahead_of_the_table() -> None:
    table = Evening(2).start()
    on_a_phone(table, BEN, table.now + SECOND)
    assert last_press(table, BEN).at == table.now


def test_a_phone_that_is_not_in_step_presses_like_the_tablet() -> None:
    table = Evening(2).start()
    table.do(c.PressSeat(BEN, moment=123.4, wake=0))
    press = last_press(table, BEN)
    assert (press.source, press.at) == ("tablet", table.now)


def test_a_phone_presses_for_nobody_when_there_is_nothing_to_press() -> None:
    table = Evening(3).start()
    table.do(c.GoOut(ANA))
    table.wait(SECOND)
    refused = table.refused(c.PhonePress(BEN, table.now, DOUBT))
    assert refused.sentence.code == "nothing_to_press"


def test_a_phone_that_says_the_same_press_twice_is_heard_once() -> None:
    table = Evening(3).start()
    at = table.now
    on_a_phone(table, BEN, at)
    assert table.refused(c.PhonePress(BEN, at, DOUBT)).sentence.code == "nothing_to_press"


def test_a_phone_whose_press_is_older_than_the_deal_says_nothing() -> None:
    table = Evening(3).start()
    refused = table.refused(c.PhonePress(BEN, table.round.began - 1, DOUBT))
    assert refused.sentence.code == "nothing_to_press"


@pytest.mark.rule("R12")
def test_a_slower_line_does_not_lose_a_race() -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    slapped = table.now
    table.wait(60 * MS)
    table.tap(CLEO)
    table.wait(40 * MS)
    on_a_phone(table, BEN, slapped)
    table.wait(SECOND)
    places = table.finish.places
    assert [place.seat for place in places] == [BEN, CLEO]
    assert table.finish.last == (CLEO,)
    assert [place.press and place.press.source for place in places] == ["phone", "button"]


@pytest.mark.rule("R12")
def test_phones_show_by_themselves_who_laid_a_race_like_buttons() -> None:
    table = Evening(4).start()
    start = table.now
    table.wait(200 * MS)
    for seat, after in ((DAN, 90), (BEN, 0), (CLEO, 140)):
        on_a_phone(table, seat, start + after * MS)
    table.wait(SECOND)
    assert (table.race.layer, table.race.how) == (ANA, "hands")
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_two_hands_closer_than_a_phone_can_tell_are_a_dead_heat_and_it_says_how_close() -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    slapped = table.tap(CLEO)
    table.wait(30 * MS)
    on_a_phone(table, BEN, slapped + 6 * MS, 11 * MS)
    table.wait(SECOND)
    assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))
    # The phone's doubt, the switches' tolerance, and next to nothing for the wired button.
    assert table.said == "Dead heat between Ben, Cleo: too close to call (± 12 ms)."


@pytest.mark.rule("R12")
def test_the_doubt_that_is_said_is_that_of_the_vaguest_two_and_not_of_the_last_two() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    first = table.now
    table.slaps(cleo=200, dan=220)
    table.wait(100 * MS)
    on_a_phone(table, BEN, first + 100 * MS, 300 * MS)
    table.wait(SECOND)
    assert table.race.tied == (BEN, DAN)
    assert table.said == "Dead heat between Ben, Dan: too close to call (± 301 ms)."


@pytest.mark.rule("R12")
def test_the_doubt_of_wired_buttons_is_said_to_a_tenth() -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=100.2)
    table.wait(SECOND)
    assert table.said == "Dead heat between Ben, Cleo: too close to call (± 1 ms)."
