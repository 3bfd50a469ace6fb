"""A press on a phone: it counts when it was made, also where the news of it came late."""

from __future__ import annotations

from typing import Any

import pytest

from companion.referee import commands as c
from companion.referee.presses import MILLISECOND, SECOND
from tests.referee.evening import ANA, BEN, CLEO, DAN, Evening

DOUBT = 9 * MILLISECOND


def on_a_phone(table: Evening, seat: int, at: int, uncertainty: int = DOUBT) -> None:
    """A press that was made at this moment arrives now."""
    table.do(c.PhonePress(seat, at, uncertainty), after=0)


def test_a_press_on_a_phone_counts_when_it_was_made():
    table = Evening(2).start()
    at = table.now - 40 * MILLISECOND
    on_a_phone(table, BEN, at)
    (call,) = table.round.calls[BEN]
    assert (call.at, call.uncertainty, call.source) == (at, DOUBT, "phone")
    assert call.released_at == at


def test_no_phone_is_ahead_of_the_table():
    table = Evening(2).start()
    on_a_phone(table, BEN, table.now + SECOND)
    (call,) = table.round.calls[BEN]
    assert call.at == table.now


def test_a_phone_that_is_not_in_step_presses_like_the_tablet():
    table = Evening(2).start()
    table.do(c.PressSeat(BEN, moment=123.4, wake=0))
    (call,) = table.round.calls[BEN]
    assert (call.source, call.at) == ("tablet", table.now)


def test_a_phone_presses_for_nobody_when_there_is_nothing_to_press():
    table = Evening(3).start()
    table.do(c.GoOut(ANA))
    refused = table.refused(c.PhonePress(BEN, table.now, DOUBT))
    assert refused.sentence.code == "nothing_to_press"


@pytest.mark.rule(12)
def test_a_slower_line_does_not_lose_a_race():
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    slapped = table.now
    table.wait(60 * MILLISECOND)
    table.tap(CLEO)
    table.wait(40 * MILLISECOND)
    on_a_phone(table, BEN, slapped)
    finish = table.race.finish
    assert finish is not None
    assert [place.seat for place in finish.places] == [BEN, CLEO]
    assert finish.last == (CLEO,)
    assert [place.press and place.press.source for place in finish.places] == ["phone", "button"]


@pytest.mark.rule(12)
def test_two_hands_closer_than_a_phone_can_tell_are_a_dead_heat_and_it_says_how_close():
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    slapped = table.tap(CLEO)
    table.wait(30 * MILLISECOND)
    on_a_phone(table, BEN, slapped + 6 * MILLISECOND, 11 * MILLISECOND)
    assert table.race.state == "undecided"
    assert set(table.race.tied) == {BEN, CLEO}
    # The phone's doubt, the switches' tolerance, and next to nothing for the wired button.
    assert table.said == "Dead heat between Ben, Cleo: too close to call (± 12 ms)."


@pytest.mark.rule(12)
def test_the_doubt_that_is_said_is_that_of_the_vaguest_two_and_not_of_the_last_two():
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    first = table.now
    table.tap(CLEO, first + 200 * MILLISECOND)
    table.tap(DAN, first + 220 * MILLISECOND)
    table.wait(400 * MILLISECOND)
    on_a_phone(table, BEN, first + 100 * MILLISECOND, 300 * MILLISECOND)
    assert set(table.race.tied) == {BEN, DAN}
    assert table.said == "Dead heat between Ben, Dan: too close to call (± 301 ms)."


@pytest.mark.rule(12)
def test_the_doubt_of_wired_buttons_is_said_to_a_tenth():
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    slapped = table.tap(BEN)
    table.tap(CLEO, slapped + 200_000)
    assert table.said == "Dead heat between Ben, Cleo: too close to call (± 1 ms)."


@pytest.mark.rule(12)
def test_where_a_slap_may_have_gone_unseen_no_doubt_is_named():
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.do(c.MissPresses((BEN,), table.now, table.now + SECOND))
    table.wait(2 * SECOND)
    table.tap(CLEO)
    table.wait(20 * SECOND)
    assert table.said == "Dead heat between Ben, Cleo: too close to tell."


def ruled_without_ben(**setup: Any) -> tuple[Evening, int]:
    """A race whose time is up before the news of Ben's slap has come; tells its deadline."""
    table = Evening(3, **setup).start()
    table.do(c.DeclareRace(ANA))
    deadline = table.race.deadline
    table.tap(CLEO, deadline - 60 * MILLISECOND)
    table.wait(deadline + SECOND // 2 - table.now)
    assert table.race.state == "ruled"
    assert table.owed(BEN) == 4
    return table, deadline


@pytest.mark.rule(12)
@pytest.mark.parametrize("house", [{}, {"hands_stay_down": True}], ids=["any hand", "hands stay"])
def test_a_slap_whose_news_comes_after_the_ruling_is_judged_with_it(house):
    table, deadline = ruled_without_ben(house=house)
    on_a_phone(table, BEN, deadline - 400 * MILLISECOND)
    assert [ruling.sentence.code for ruling in table.rules("R12")][-2:] == [
        "late_slap",
        "race_last",
    ]
    assert table.rules("R12")[0].overruled is not None
    assert (table.owed(BEN), table.owed(CLEO)) == (0, 4)
    assert not table.round.calls.get(BEN)


@pytest.mark.rule(12)
def test_a_late_slap_that_cannot_be_told_apart_makes_a_dead_heat():
    table, deadline = ruled_without_ben()
    on_a_phone(table, BEN, deadline - 65 * MILLISECOND)
    assert (table.race.state, set(table.race.tied)) == ("undecided", {BEN, CLEO})
    assert (table.owed(BEN), table.owed(CLEO)) == (0, 0)


@pytest.mark.rule(12)
def test_one_late_slap_can_follow_another():
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    deadline = table.race.deadline
    table.tap(DAN, deadline - 60 * MILLISECOND)
    table.wait(deadline + SECOND // 2 - table.now)
    assert table.race.state == "undecided"
    on_a_phone(table, BEN, deadline - 300 * MILLISECOND)
    assert table.owed(CLEO) == 4
    on_a_phone(table, CLEO, deadline - 200 * MILLISECOND)
    assert (table.race.finish and table.race.finish.last) == (DAN,)


@pytest.mark.rule(12)
def test_a_phone_in_the_place_of_a_broken_button_is_not_left_out_because_it_is_late():
    table = Evening(4).start()
    table.do(c.SetAside(BEN, "stuck", table.now))
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    slapped = table.tap(CLEO)
    table.tap(DAN, slapped + 30 * MILLISECOND)
    assert table.owed(DAN) == 4
    table.wait(60 * MILLISECOND)
    on_a_phone(table, BEN, slapped - 50 * MILLISECOND)
    finish = table.race.finish
    assert finish is not None
    assert [place.seat for place in finish.places] == [BEN, CLEO, DAN]
    assert (table.owed(DAN), table.owed(BEN)) == (4, 0)


@pytest.mark.rule(12)
@pytest.mark.parametrize(
    ("since", "at"),
    [
        pytest.param(None, lambda d: d + MILLISECOND, id="after the time was up"),
        pytest.param(None, lambda d: d - 20 * SECOND, id="from before the race"),
        pytest.param(c.CancelRace(), lambda d: d - MILLISECOND, id="in a race that was cancelled"),
        pytest.param(
            c.Overrule(2, (CLEO,), 1), lambda d: d - MILLISECOND, id="against the referee's word"
        ),
    ],
)
def test_a_press_that_was_no_slap_in_time_changes_no_ruling(since, at):
    table, deadline = ruled_without_ben()
    if since is not None:
        if isinstance(since, c.Overrule):
            since = c.Overrule(table.ruling.number, (CLEO,), 1)
        table.do(since)
    before = len(table.match.rulings)
    on_a_phone(table, BEN, at(deadline))
    assert len(table.match.rulings) == before
    assert table.table.presses[-1].meaning == "call"


@pytest.mark.rule(12)
def test_a_second_press_of_a_hand_that_was_seen_changes_no_ruling():
    table, deadline = ruled_without_ben()
    before = len(table.match.rulings)
    on_a_phone(table, CLEO, deadline - 200 * MILLISECOND)
    on_a_phone(table, ANA, deadline - 200 * MILLISECOND)
    assert len(table.match.rulings) == before


@pytest.mark.rule(12)
def test_whom_the_referee_has_picked_stays_picked():
    table = Evening(3, house={"no_slap": "referee"}).start()
    table.do(c.DeclareRace(ANA))
    deadline = table.race.deadline
    table.wait(deadline + 400 * MILLISECOND - table.now)
    assert table.race.state == "undecided"
    table.do(c.PickLast((CLEO,)))
    on_a_phone(table, BEN, deadline - 100 * MILLISECOND)
    assert table.ruling.sentence.code == "race_picked"


@pytest.mark.rule(12)
def test_after_a_slap_off_no_slap_of_the_race_before_it_is_looked_for():
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    deadline = table.race.deadline
    slapped = table.tap(CLEO)
    table.tap(DAN, slapped + 1_000)
    table.do(c.SetAside(BEN, "stuck", table.now))
    assert set(table.race.tied) == {CLEO, DAN}
    table.do(c.SlapOff())
    light = table.race.slap_off
    assert light is not None
    table.wait(light.light_at + 200 * MILLISECOND - table.now)
    table.tap(CLEO)
    table.tap(DAN, table.now + 50 * MILLISECOND)
    before = table.ruling
    assert table.now < deadline + 6 * SECOND
    on_a_phone(table, BEN, slapped)
    assert table.ruling is before


def caught() -> tuple[Evening, int]:
    """Ben is on his last card but one and was caught; tells when Cleo caught him."""
    table = Evening(3, way="refereed").refereed()
    table.hands(ben=2)
    table.play("red-7")
    table.wait(SECOND)
    at = table.tap(CLEO)
    table.wait(400 * MILLISECOND)
    assert table.owed(BEN) == 2
    return table, at


@pytest.mark.rule(13)
@pytest.mark.parametrize("ago", [200, 9, 0], ids=["long before", "just before", "too close"])
def test_a_call_whose_news_comes_after_the_catch_was_ruled_saves_its_caller(ago):
    table, at = caught()
    on_a_phone(table, BEN, at - ago * MILLISECOND)
    assert [r.sentence.code for r in table.rules("R13")] == ["caught", "late_call", "called_before"]
    assert table.owed(BEN) == 0
    assert table.round.cooldowns[CLEO] == at + table.table.timing.cooldown
    on_a_phone(table, BEN, at - 100 * MILLISECOND)
    assert len(table.rules("R13")) == 3


@pytest.mark.rule(13)
def test_a_call_after_the_catch_saves_nobody():
    table, at = caught()
    on_a_phone(table, BEN, at + 200 * MILLISECOND)
    on_a_phone(table, CLEO, at - 50 * MILLISECOND)
    assert [r.sentence.code for r in table.rules("R13")] == ["caught"]
    assert table.owed(BEN) == 2


@pytest.mark.rule(13)
def test_a_call_from_after_the_ruling_saves_nobody_however_vague_it_is():
    table, at = caught()
    on_a_phone(table, BEN, table.now, 2 * SECOND)
    assert [r.sentence.code for r in table.rules("R13")] == ["caught"]
    assert at < table.now


@pytest.mark.rule(13)
def test_a_catch_whose_news_comes_after_the_call_is_still_the_first():
    table = Evening(3, way="refereed").refereed()
    table.hands(ben=2)
    table.play("red-7")
    table.wait(SECOND)
    called = table.tap(BEN)
    table.wait(250 * MILLISECOND)
    on_a_phone(table, CLEO, called - 60 * MILLISECOND)
    table.wait(SECOND)
    assert [r.sentence.code for r in table.rules("R13")] == ["caught"]
    assert table.owed(BEN) == 2


def held_on_a_phone(table: Evening, seat: int, seconds: float = 0.8) -> c.HoldSeat:
    """A finger comes down on a phone and stays; this is what the phone says of it then."""
    on_a_phone(table, seat, table.now)
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
