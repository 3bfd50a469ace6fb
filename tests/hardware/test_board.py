"""A table of simulated buttons: the whole path from a mock pin to what the referee is told."""

from __future__ import annotations

import logging
import threading
import time

import pytest
from msgspec import structs

from companion.referee.commands import MissPresses, PushButton, PutBack, Release, SetAside
from hardware.board import Board
from hardware.contact.edges import HAND, MILLISECOND, SECOND, HandLimits
from hardware.outputs.lamps import LampState
from hardware.pins.factories import NoPins, Pins, open_pins
from hardware.wiring.wiring import ButtonWiring, Wiring, default_wiring
from tests.hardware.boards import Bench, now, running
from tests.kit.night import until

SEATS = range(1, 5)
FAULTS = ("stuck at boot", "stuck in a race", "chatter", "noise", "silent")


def test_a_tap_is_a_press_and_its_release():
    with running() as table:
        table.tap(2)
        press, release = table.wait_for(PushButton, 2), table.wait_for(Release, 2)
    assert release.pressed_at == press.at
    assert release.at - press.at > 25 * MILLISECOND
    assert press.source == "simulated"


def test_a_tap_whose_beginning_and_end_are_heard_at_once_is_a_press_all_the_same():
    with running() as table:
        table.hands.press(2)
        table.hands.release(2)
        table.wait_for(PushButton, 2)
        table.wait_for(Release, 2)


def test_presses_are_dated_by_their_edges_and_not_by_when_they_arrive():
    with running() as table:
        moment = now()
        table.hands.press(3, moment + 2_000)
        table.hands.press(1, moment + 1_000)
        until(lambda: len(table.said(PushButton)) == 2)
        dates = {press.button: press.at for press in table.said(PushButton)}
    assert dates == {3: moment + 2_000, 1: moment + 1_000}


def test_active_high_buttons_with_a_pull_down_work_alike():
    wiring = Wiring(
        buttons=default_wiring(2).buttons, factory="simulated", pressed="high", pull="down"
    )
    with running(wiring) as table:
        table.tap(1)
        table.wait_for(Release, 1)
        assert table.said(PushButton, 2) == []


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("broken", SEATS)
def test_one_broken_button_never_speaks_for_its_seat_nor_silences_another(broken, fault):
    """The fault matrix: whatever one button does, the others race on with their own dates."""
    bench = Bench(
        default_wiring(4, factory="simulated"),
        HandLimits(stuck=SECOND) if fault == "stuck in a race" else HAND,
    )
    if fault == "stuck at boot":
        bench.hands.press(broken)
    bench.board.start()
    try:
        race = now()
        honest = [seat for seat in SEATS if seat != broken]
        if fault == "noise":
            bench.hum(broken, race, 600)
        if fault == "chatter":
            bench.hum(broken, race, 40, half=18 * MILLISECOND)
        if fault == "stuck in a race":
            bench.hands.press(broken, race)
        for place, seat in enumerate(honest):
            bench.hands.press(seat, race + place * MILLISECOND)
        for seat in honest:
            bench.wait_for(PushButton, seat)
        slaps = {
            press.button: press.at for press in bench.said(PushButton) if press.button != broken
        }
        assert slaps == {seat: race + place * MILLISECOND for place, seat in enumerate(honest)}
        for seat in honest:
            bench.hands.release(seat, race + 80 * MILLISECOND)
        aside = bench.said(SetAside, broken)
        counted = bench.said(PushButton, broken)
        match fault:
            case "stuck at boot":
                assert [report.fault for report in aside] == ["stuck"]
                assert counted == []
            case "stuck in a race":
                assert [press.at for press in counted] == [race]
                jammed = bench.wait_for(SetAside, broken)
                assert jammed.fault == "stuck"
                assert jammed.at - race >= SECOND
            case "noise" | "chatter":
                assert [report.fault for report in aside] == [fault]
                assert aside[0].at == race
                assert all(press.at >= aside[0].at for press in counted)
            case _:
                assert fault == "silent"
                assert aside == []
                assert counted == []
        assert bench.said(MissPresses) == []
        named = {s.number: s.fault for s in bench.board.status().buttons if s.fault}
        assert set(named) == (set() if fault == "silent" else {broken})
    finally:
        bench.board.stop()


def test_a_stuck_button_comes_back_when_it_is_let_go_and_its_next_press_counts():
    bench = Bench(default_wiring(2, factory="simulated"))
    bench.hands.press(1)
    bench.board.start()
    try:
        assert bench.wait_for(SetAside, 1).fault == "stuck"
        bench.hands.release(1)
        bench.wait_for(PutBack, 1)
        assert bench.said(PushButton, 1) == []
        moment = now()
        bench.hands.press(1, moment)
        assert bench.wait_for(PushButton, 1).at == moment
    finally:
        bench.board.stop()


def test_a_noisy_line_is_muted_so_that_its_flood_harms_nobody():
    with running() as table:
        table.hum(2, now(), 600)
        table.wait_for(SetAside, 2)
        heard = table.board.listener.contacts[2]
        until(lambda: 2 in table.board.listener._muted)
        before = heard._last
        table.hum(2, now(), 600)
        assert table.board.listener.caught_up()
        assert heard._last == before
        table.tap(1)
        table.wait_for(PushButton, 1)


def test_a_press_that_no_edge_told_of_is_noticed_by_its_level():
    """The slow poll sees what the kernel dropped; it is admitted, never guessed."""
    with running() as table:
        pin = table.board.pins.factory.pin(table.board.wiring.button(1).pin)
        time.sleep(0.15)
        pin._change_state(False)
        until(lambda: table.said(MissPresses))
        (missed,) = table.said(MissPresses)
        assert missed.buttons == (1,)
        assert table.said(PushButton) == []
        assert table.board.status().buttons[0].down


def test_a_table_that_can_no_longer_hear_says_so_of_every_button(caplog):
    with running(default_wiring(2, factory="simulated")) as table:
        table.board.listener.contacts[1].edge = None  # type: ignore[assignment,method-assign]
        table.hands.press(1)
        assert table.wait_for(SetAside, 2).fault == "unreachable"
        assert table.wait_for(SetAside, 1).fault == "unreachable"
        assert "no longer listened to" in caplog.text
        until(lambda: not table.board.status().listening)


def test_a_pin_that_is_in_use_is_named_with_what_should_have_it():
    wiring = Wiring(
        buttons=(ButtonWiring("seat 1", pin=17), ButtonWiring("seat 2", pin=17)),
        factory="simulated",
    )
    with pytest.raises(NoPins, match="GPIO 17 cannot be used for the button of seat 2"):
        Board(wiring, lambda report: None)


def test_a_lamp_that_cannot_be_had_is_dropped_and_the_table_plays():
    twice = tuple(ButtonWiring(f"seat {n}", pin=16 + n, lamp=12) for n in (1, 2))
    with running(Wiring(buttons=twice, factory="simulated", lamps="led")) as table:
        table.tap(2)
        table.wait_for(PushButton, 2)
        (without,) = table.board.status().without
        assert (without.what, without.name) == ("lamp", "seat 2")
        assert str(without).startswith("There is no lamp at seat 2: GPIO 12 cannot be used for")
        assert list(table.board.lamps.states) == [1]


@pytest.mark.parametrize(
    ("lamps", "driven"), [("auto", "input"), ("none", "input"), ("led", "output")]
)
def test_no_pin_of_a_pi_is_driven_before_somebody_said_that_there_are_lamps(
    monkeypatch, lamps, driven
):
    def as_on_a_pi(wiring: Wiring) -> Pins:
        return structs.replace(open_pins(wiring), name="gpiod")

    monkeypatch.setattr("hardware.board.open_pins", as_on_a_pi)
    wiring = structs.replace(default_wiring(2, factory="simulated"), lamps=lamps)
    board = Board(wiring, lambda report: None)
    try:
        used = [board.pins.factory.pin(button.lamp).function for button in wiring.buttons]
        assert used == [driven, driven]
    finally:
        board.pins.close()


def test_without_tones_and_shades_there_is_no_buzzer_but_a_table_with_lamps(monkeypatch):
    def without(wiring: Wiring) -> Pins:
        return structs.replace(open_pins(wiring), missing="lgpio is not installed")

    monkeypatch.setattr("hardware.board.open_pins", without)
    with running(default_wiring(2, factory="simulated", lamps="pwm", buzzer=True)) as table:
        table.board.buzzer.play("won")
        table.tap(1)
        table.wait_for(PushButton, 1)
        assert [str(one) for one in table.board.status().without] == [
            "Lamps cannot be dim, only go on and off: lgpio is not installed.",
            "There is no buzzer: lgpio is not installed.",
        ]
        assert list(table.board.lamps.states) == [1, 2]


def test_a_table_can_be_closed_and_opened_again():
    for _ in range(3):
        with running(default_wiring(10, factory="simulated", lamps="pwm")) as table:
            table.tap(10, 15)
            table.wait_for(PushButton, 10)
    assert not [t for t in threading.enumerate() if t.name in ("buttons", "lamps", "buzzer")]


def test_the_page_learns_how_every_button_is():
    with running(default_wiring(2, spares=1, factory="simulated")) as table:
        table.tap(1)
        table.wait_for(Release, 1)
        table.hands.press(3)
        table.wait_for(PushButton, 3)
        status = table.board.status()
    first, second, spare = status.buttons
    assert (first.presses, second.presses) == (1, 0)
    assert (first.place, spare.spare, spare.down) == ("GPIO 17, pin 11", True, True)
    assert status.simulated
    assert "simulated" in status.sentence


def test_the_log_says_plainly_that_buttons_are_simulated(caplog):
    with caplog.at_level(logging.INFO), running():
        pass
    assert "Buttons are simulated" in caplog.text


def test_a_lamp_answers_a_press_at_once():
    with running() as table:
        lamp = table.board.pins.factory.pin(table.board.wiring.button(1).lamp)
        table.board.lamps.show({1: LampState.DARK})
        assert lamp.state == 0
        lamp.clear_states()
        table.hands.press(1)
        until(lambda: [seen.state for seen in lamp.states] == [0, 1, 0])


def test_pressing_a_button_that_does_not_exist_is_a_sentence():
    with running() as table, pytest.raises(KeyError, match="There is no button 9"):
        table.hands.press(9)
