"""A table away from its Pi: the remote clock, what its presses are worth, and a lost connection."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from companion.referee.commands import PushButton, SetAside
from hardware.board import Board
from hardware.contact.edges import MICROSECOND, MILLISECOND, SECOND
from hardware.pins.advice import explained
from hardware.pins.factories import NoPins, open_pins
from hardware.pins.remote_clock import WRAP, RemoteClock
from hardware.wiring.wiring import Wiring, default_wiring
from tests.hardware.pins.pigpiod import RemotePi
from tests.kit.waiting import until


def remote_wiring(pi: RemotePi) -> Wiring:
    return Wiring(
        buttons=default_wiring(2).buttons, factory="pigpio", host="127.0.0.1", port=pi.port
    )


class Clocks:
    """Two clocks, and the way between them."""

    def __init__(self, ahead: int, way: int) -> None:
        self.ahead, self.way = ahead, way
        self.at = 5_000 * SECOND

    def ours(self) -> int:
        return self.at

    def remote(self) -> int:
        self.at += self.way
        tick = self.tick(self.at)
        self.at += self.way
        return tick

    def tick(self, at: int) -> int:
        return (at // MICROSECOND + self.ahead) % WRAP


@given(
    st.integers(0, WRAP - 1),
    st.integers(0, 20 * MILLISECOND),
    st.integers(-60 * SECOND, 600 * SECOND),
)
def test_a_remote_tick_is_dated_within_its_spread_also_when_the_counter_wraps(ahead, way, later):
    clocks = Clocks(ahead, way)
    clock = RemoteClock(clocks.remote, clocks.ours)
    happened = clocks.at + later
    moment = clock.date(clocks.tick(happened))
    assert abs(moment.at - happened) <= moment.spread


@pytest.mark.parametrize(("lamps", "driven"), [("auto", False), ("led", True)])
def test_the_pin_of_a_lamp_is_not_driven_until_somebody_says_that_there_is_one(lamps, driven):
    pi = RemotePi()
    wiring = structs.replace(remote_wiring(pi), lamps=lamps)
    board = Board(wiring, lambda report: None)
    lamp = wiring.buttons[0].lamp
    assert lamp is not None
    assert pi.modes[lamp] == driven
    assert (board.status().buttons[0].lamp_pin == lamp) is driven
    board.start()
    board.stop()
    pi.vanish()


def test_a_longer_way_means_a_wider_spread():
    near, far = Clocks(0, MILLISECOND // 10), Clocks(0, 10 * MILLISECOND)
    spreads = [RemoteClock(c.remote, c.ours).date(c.tick(c.at)).spread for c in (near, far)]
    assert spreads[0] < MILLISECOND < spreads[1]


def test_a_comparison_that_took_long_does_not_replace_a_sharp_one():
    clocks = Clocks(0, MILLISECOND // 10)
    clock = RemoteClock(clocks.remote, clocks.ours)
    sharp = clock.date(clocks.tick(clocks.at)).spread
    clocks.way = 50 * MILLISECOND
    clock.compare()
    assert clock.date(clocks.tick(clocks.at)).spread < 2 * sharp + 100 * MICROSECOND


def test_presses_of_a_remote_pi_carry_its_clock_and_a_larger_uncertainty():
    pi = RemotePi(ahead=4_294_000_000, slow=0.004)
    reports: list[object] = []
    board = Board(remote_wiring(pi), reports.append)
    board.start()
    try:
        at = time.monotonic_ns()
        pi.press(17, at)
        until(lambda: reports)
        (press,) = reports
        assert isinstance(press, PushButton)
        assert press.source == "remote"
        assert press.uncertainty > MILLISECOND
        assert abs(press.at - at) <= press.uncertainty
        status = board.status()
        assert (status.factory, status.buttons[0].uncertainty) == ("pigpio", press.uncertainty)
        assert "another machine" in status.sentence
    finally:
        board.stop()


def test_a_remote_pi_that_vanishes_is_named_unreachable():
    pi = RemotePi()
    reports: list[object] = []
    board = Board(remote_wiring(pi), reports.append)
    board.start()
    try:
        pi.vanish()
        until(lambda: len(reports) >= 2)
        faults = {(r.button, r.fault) for r in reports if isinstance(r, SetAside)}
        assert faults == {(1, "unreachable"), (2, "unreachable")}
    finally:
        board.stop()


def test_a_remote_pi_that_does_not_answer_is_a_sentence_and_nothing_else(capsys):
    wiring = Wiring(buttons=default_wiring(2).buttons, factory="pigpio", host="127.0.0.1", port=1)
    with pytest.raises(NoPins, match="The pin factory pigpio does not work here") as missing:
        open_pins(wiring)
    assert capsys.readouterr().out == ""
    assert "a Pi 5 has no pigpiod" in explained(missing.value)
