"""What the lamps say in situations at a table."""

from __future__ import annotations

import time

import pytest
from gpiozero import LED
from msgspec.structs import replace

from companion.referee import commands as c
from companion.view import view
from hardware.contact.edges import MILLISECOND, SECOND
from hardware.outputs.lamps import RHYTHMS, Lamps, LampScene, LampState, brightness, scene
from hardware.pins.simulated import SimulatedFactory
from tests.kit.evening import ANA, BEN, CLEO, Evening
from tests.kit.night import until

BUTTONS = (1, 2, 3, 4)
DARK, SIT, TURN = LampState.DARK, LampState.SIT, LampState.TURN
SLAP, LAST, OWES = LampState.SLAP, LampState.LAST, LampState.OWES
ASKED, PRESS_AGAIN = LampState.ASKED, LampState.PRESS_AGAIN


def lamps_of(evening: Evening) -> list[LampState]:
    """What the lamps of buttons 1 to 4 say at this moment of the evening."""
    states = scene(view(evening.table), BUTTONS).states
    return [states[button] for button in BUTTONS]


def test_while_people_sit_down_free_buttons_ask_for_somebody():
    assert lamps_of(Evening(2)) == [DARK, DARK, SIT, SIT]


def test_in_free_play_there_is_nothing_to_say():
    assert lamps_of(Evening(3).start()) == [DARK] * 4


def test_whose_turn_it_is_is_lit():
    evening = Evening(3, way="refereed").refereed("red-5", dealer=ANA)
    assert lamps_of(evening) == [DARK, TURN, DARK, DARK]
    evening.play("red-7")
    assert lamps_of(evening) == [DARK, DARK, TURN, DARK]


def test_a_call_shows_on_the_callers_lamp():
    evening = Evening(3).start()
    evening.tap(BEN)
    evening.wait(SECOND)
    assert lamps_of(evening)[BEN - 1] is LampState.CALLED


def test_in_a_race_everyone_flickers_until_they_have_slapped_and_the_last_one_blinks():
    evening = Evening(4).start()
    evening.do(c.DeclareRace(ANA))
    assert lamps_of(evening) == [DARK, SLAP, SLAP, SLAP]
    evening.wait(200 * MILLISECOND)
    evening.tap(CLEO)
    assert lamps_of(evening)[CLEO - 1] is not SLAP
    evening.wait(100 * MILLISECOND)
    evening.tap(4)
    evening.wait(100 * MILLISECOND)
    evening.tap(BEN)
    evening.wait(SECOND)
    assert lamps_of(evening) == [DARK, LAST, DARK, DARK]


def test_where_the_table_asks_who_laid_it_the_lamps_of_those_ask_and_one_press_answers():
    evening = Evening(4).start()
    evening.tap(CLEO)
    evening.wait(100 * MILLISECOND)
    evening.tap(4)
    evening.wait(6 * SECOND)
    assert lamps_of(evening) == [ASKED, ASKED, DARK, DARK]
    evening.tap(ANA)
    evening.wait(SECOND)
    assert ASKED not in lamps_of(evening)
    race = view(evening.table).race
    assert race is not None
    assert race.layer == ANA


def test_after_the_first_press_of_a_catch_the_lamp_asks_for_the_second():
    evening = Evening(3, way="refereed").refereed("red-5", dealer=ANA)
    evening.hands(ben=2)
    evening.play("red-7")
    evening.wait(SECOND)
    evening.tap(ANA)
    assert lamps_of(evening)[ANA - 1] is PRESS_AGAIN
    evening.wait(400 * MILLISECOND)
    evening.tap(ANA)
    evening.wait(SECOND)
    assert lamps_of(evening)[ANA - 1] is not PRESS_AGAIN
    assert lamps_of(evening)[BEN - 1] is OWES


@pytest.mark.parametrize(
    ("says", "lamp"),
    [
        pytest.param({"aside": "stuck", "racing": True}, LampState.ASIDE, id="a broken button"),
        pytest.param({"racing": True, "asked": True}, SLAP, id="hands first, questions later"),
        pytest.param({"press_again": True, "asked": True}, PRESS_AGAIN, id="a catch is in the air"),
        pytest.param({"asked": True, "last": True}, ASKED, id="a question, and cards to draw"),
        pytest.param({"asked": True, "turn": True}, ASKED, id="a question to whose turn it is"),
    ],
)
def test_the_most_urgent_thing_is_said(says, lamp):
    evening = Evening(3, way="refereed").refereed("red-5", dealer=ANA)
    shown = view(evening.table)
    seats = tuple(replace(seat, **says) if seat.number == BEN else seat for seat in shown.seats)
    assert scene(replace(shown, seats=seats), BUTTONS).states[BEN] is lamp


def test_who_was_caught_owes_cards():
    evening = Evening(3).start()
    evening.do(c.Catch(seat=BEN, by=ANA))
    evening.wait(SECOND)
    assert lamps_of(evening) == [DARK, OWES, DARK, DARK]


def test_a_stuck_button_says_so_whatever_else_is_true():
    evening = Evening(3, way="refereed").refereed("red-5", dealer=ANA)
    evening.do(c.SetAside(button=BEN, fault="stuck", at=evening.now))
    assert lamps_of(evening)[BEN - 1] is LampState.ASIDE


def test_a_seat_that_waits_for_another_button_lights_the_free_ones():
    evening = Evening(2).start()
    evening.do(c.AssignButton(ANA))
    assert lamps_of(evening) == [DARK, DARK, SIT, SIT]


def test_a_button_beyond_the_wiring_has_no_lamp():
    evening = Evening(2, way="refereed").refereed(dealer=ANA)
    evening.do(c.AssignButton(BEN, 9))
    assert lamps_of(evening) == [DARK] * 4


def test_in_a_slap_off_all_is_dark_until_the_light_of_those_who_tied():
    evening = Evening(4, way="refereed").refereed("red-5", dealer=ANA)
    evening.do(c.DeclareRace(ANA))
    evening.wait(100 * MILLISECOND)
    evening.tap(4)
    evening.wait(100 * MILLISECOND)
    now = evening.now
    evening.tap(BEN, now)
    evening.tap(CLEO, now)
    evening.wait(SECOND)
    evening.do(c.SlapOff())
    seen = view(evening.table)
    shown = scene(seen, BUTTONS)
    assert set(shown.states.values()) == {DARK}
    assert seen.race is not None
    assert seen.race.slap_off is not None
    assert shown.light_at == seen.race.slap_off.light_at
    assert [b for b, says in shown.lit.items() if says is LampState.LIGHT] == [BEN, CLEO]


def test_every_word_has_a_rhythm_of_its_own_except_the_two_steady_ones():
    steady = {LampState.TURN, LampState.LIGHT}
    rhythms = {(RHYTHMS[s].on, RHYTHMS[s].off) for s in LampState if s not in steady}
    assert len(rhythms) == len(LampState) - len(steady)
    assert all(RHYTHMS[state].sentence for state in LampState)


def test_a_blink_is_on_and_off_for_as_long_as_its_rhythm_says():
    on = RHYTHMS[LampState.LAST].on
    assert brightness(LampState.LAST, 0) == (1.0, on)
    assert brightness(LampState.LAST, on) == (0.0, 2 * on)
    assert brightness(LampState.LAST, 2 * on) == (1.0, 3 * on)


def test_a_question_flashes_twice_and_pauses():
    rhythm = RHYTHMS[LampState.ASKED]
    lit = []
    at = 0
    while at < SECOND:
        level, until = brightness(LampState.ASKED, at)
        assert brightness(LampState.ASKED, until - 1) == (level, until), "nothing changes before"
        assert brightness(LampState.ASKED, at + 5 * SECOND) == (level, until + 5 * SECOND)
        lit.append((level, (until - at) // MILLISECOND))
        at = until
    on, off, pause = (n // MILLISECOND for n in (rhythm.on, rhythm.off, rhythm.pause))
    assert lit == [(1.0, on), (0.0, off), (1.0, on), (0.0, off + pause)]


@pytest.fixture
def lamp():
    factory = SimulatedFactory()
    lamps = Lamps({1: LED(18, pin_factory=factory)})
    lamps.start()
    yield lamps, factory.pin(18)
    lamps.stop()
    factory.close()


def wait(pin, level) -> int:
    until(lambda: pin.state == level, look=0.0005)
    return time.monotonic_ns()


def test_the_light_comes_at_its_moment_and_not_with_the_next_view(lamp):
    lamps, pin = lamp
    light_at = time.monotonic_ns() + 150 * MILLISECOND
    lamps.play(LampScene({1: LampState.DARK}, light_at=light_at, lit={1: LampState.LIGHT}))
    assert wait(pin, 1) >= light_at


def test_pressing_in_the_dark_before_the_light_shows_nothing(lamp):
    lamps, pin = lamp
    light_at = time.monotonic_ns() + 200 * MILLISECOND
    lamps.play(LampScene({1: LampState.DARK}, light_at=light_at, lit={1: LampState.LIGHT}))
    lamps.flash(1)
    assert wait(pin, 1) >= light_at


def test_a_lit_lamp_answers_a_press_by_going_dark_for_a_moment(lamp):
    lamps, pin = lamp
    lamps.show({1: LampState.TURN})
    wait(pin, 1)
    pin.clear_states()
    lamps.flash(1)
    until(lambda: [seen.state for seen in pin.states] == [1, 0, 1])


def test_lamps_are_dark_when_the_table_closes(lamp):
    lamps, pin = lamp
    lamps.show({1: LampState.TURN})
    wait(pin, 1)
    lamps.stop()
    assert pin.function == "input"
