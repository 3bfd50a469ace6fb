"""USB encoders, on a device made of a pipe; the real input layer is part of the kernel tests."""

from __future__ import annotations

import os
import struct
import time
import tomllib
from collections.abc import Iterator

import pytest

from companion.referee.commands import MissPresses, PushButton, PutBack, Release, SetAside
from hardware.contact.edges import MICROSECOND, MILLISECOND, SECOND
from hardware.contact.listener import Listener
from hardware.usb.assign import assign, configuration_of
from hardware.usb.encoders import DOWN, KEY, SYNC, SYNC_DROPPED, UP, Encoder, Encoders
from hardware.wiring.reader import wiring_from
from tests.kit.waiting import until

FIRE, JUMP = 288, 289
CODES = {"BTN_TRIGGER": FIRE, "BTN_THUMB": JUMP}
REPEAT = 2
RECORD = struct.Struct("qqHHi")


class Event:
    """One event as evdev gives it."""

    def __init__(self, sec: int, usec: int, kind: int, code: int, value: int) -> None:
        self.sec, self.usec, self.type, self.code, self.value = sec, usec, kind, code, value


class Opened:
    """An opened device; reading it takes what waits in the pipe."""

    def __init__(self, encoder: Plugged) -> None:
        self.encoder = encoder
        self.fd = os.dup(encoder.out)

    def read(self) -> Iterator[Event]:
        waiting = os.read(self.fd, 4096)
        if not waiting:
            raise OSError("unplugged")
        for record in RECORD.iter_unpack(waiting):
            yield Event(*record)

    def active_keys(self) -> list[int]:
        if not self.encoder.plugged:
            raise OSError("unplugged")
        return sorted(self.encoder.down)

    def close(self) -> None:
        os.close(self.fd)


class Plugged:
    """An encoder with two keys that can be pressed, and unplugged."""

    def __init__(self, name: str = "Zero Delay", interval: int = 8 * MILLISECOND) -> None:
        self.name, self.interval = name, interval
        self.plug_in()

    def plug_in(self) -> None:
        self.out, self.into = os.pipe()
        self.down: set[int] = set()
        self.plugged = True

    def unplug(self) -> None:
        self.plugged = False
        os.close(self.into)

    def find(self) -> tuple[Encoder, ...]:
        if not self.plugged:
            return ()
        return (Encoder(self.name, "/dev/input/event7", "usb-1.2", self.interval, tuple(CODES)),)

    def send(self, kind: int, code: int, value: int, at: int) -> None:
        if kind == KEY:
            (self.down.add if value == DOWN else self.down.discard)(code)
        record = RECORD.pack(at // SECOND, at % SECOND // MICROSECOND, kind, code, value)
        os.write(self.into, record)


@pytest.fixture
def plugged():
    encoder = Plugged()
    encoders = Encoders(
        find=encoder.find,
        open_device=lambda _path: Opened(encoder),
        open_levels=lambda _path: Opened(encoder),
        key_code=CODES.__getitem__,
    )
    reports: list[object] = []
    lines = {n: encoders.line(n, "Zero Delay", key) for n, key in enumerate(CODES, start=1)}
    listener = Listener(lines, reports.append)
    listener.start()
    yield encoder, reports
    listener.stop()
    encoders.close()


def wait_for(reports, kind, count=1):
    def heard():
        found = [report for report in list(reports) if isinstance(report, kind)]
        return found if len(found) >= count else None

    return until(heard, what=kind.__name__)


def test_a_key_is_a_button_dated_by_the_kernel_and_uncertain_by_how_rarely_it_is_asked(plugged):
    encoder, reports = plugged
    at = time.monotonic_ns() // MICROSECOND * MICROSECOND
    encoder.send(KEY, JUMP, DOWN, at)
    encoder.send(KEY, JUMP, REPEAT, at + 20 * MILLISECOND)
    encoder.send(KEY, JUMP, UP, at + 90 * MILLISECOND)
    (press,) = wait_for(reports, PushButton)
    (release,) = wait_for(reports, Release)
    assert press == PushButton(button=2, at=at, uncertainty=8 * MILLISECOND, source="usb")
    assert release == Release(button=2, at=at + 90 * MILLISECOND, pressed_at=at)


def test_an_encoder_that_is_unplugged_is_unreachable_until_it_is_back(plugged):
    encoder, reports = plugged
    encoder.unplug()
    gone = wait_for(reports, SetAside, 2)
    assert {(report.button, report.fault) for report in gone} == {
        (1, "unreachable"),
        (2, "unreachable"),
    }
    encoder.plug_in()
    back = wait_for(reports, PutBack, 2)
    assert {report.button for report in back} == {1, 2}
    encoder.send(KEY, FIRE, DOWN, time.monotonic_ns())
    wait_for(reports, PushButton)


def test_keys_that_the_kernel_dropped_are_admitted(plugged):
    encoder, reports = plugged
    encoder.send(SYNC, SYNC_DROPPED, 0, time.monotonic_ns())
    missed = wait_for(reports, MissPresses, 2)
    assert {report.buttons for report in missed} == {(1,), (2,)}


def test_two_encoders_alike_are_told_apart_by_their_port():
    left = Encoder("Zero Delay", "/dev/input/event1", "usb-1.1", MILLISECOND, ())
    right = Encoder("Zero Delay", "/dev/input/event2", "usb-1.2", MILLISECOND, ())
    assert left.called("Zero Delay")
    assert right.called("Zero Delay at usb-1.2")
    assert not left.called("Zero Delay at usb-1.2")


def test_pressing_a_key_gives_it_to_a_button_and_the_configuration_keeps_it():
    board = Encoder("Zero Delay", "/dev/input/event1", "usb-1.1", MILLISECOND, ())
    keys = [(board, "BTN_TOP"), (board, "BTN_TOP"), (board, "BTN_THUMB")]
    said: list[str] = []
    buttons = assign(["Ana", "Ben", "Cleo"], keys, said.append)
    assert [(button.name, button.key) for button in buttons] == [
        ("Ana", "BTN_TOP"),
        ("Ben", "BTN_THUMB"),
    ]
    assert "  That is the button of Ana." in said
    assert said[-1] == "Press the button of Cleo."
    written = tomllib.loads(configuration_of(buttons))
    assert wiring_from(written["hardware"]).buttons == buttons
