"""The program of the build guide that makes a Pico a keyboard of ten buttons."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

BUILD = Path(__file__).parents[3] / "docs" / "build.md"
MODIFIERS = (
    "LEFT_CONTROL", "LEFT_SHIFT", "LEFT_ALT", "LEFT_GUI",
    "RIGHT_CONTROL", "RIGHT_SHIFT", "RIGHT_ALT", "RIGHT_GUI",
)  # fmt: skip
OTHERS = 6
"""So many keys that are no modifiers fit into a keyboard's report."""


class Over(Exception):
    """Nothing more happens to the buttons."""


class Keyboard:
    """A keyboard as USB has it, with what its reports say; the Pi may not be listening yet."""

    def __init__(self, _devices: object) -> None:
        self.down: set[str] = set()
        self.reports: list[set[str]] = []
        self.asleep = 0

    def press(self, *keys: str) -> None:
        self.down |= set(keys)
        assert len(self.down - set(MODIFIERS)) <= OTHERS, "more keys than a report can hold"
        self._send()

    def release(self, *keys: str) -> None:
        self.down -= set(keys)
        self._send()

    def _send(self) -> None:
        if self.asleep:
            self.asleep -= 1
            raise OSError("USB busy")
        self.reports.append(set(self.down))


class Pico:
    """The program with everything around it; `moments` are what each look at the buttons finds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *moments: tuple[int, ...]) -> None:
        """A button's number is a press, the same below zero its release; they count from one."""
        keycode = SimpleNamespace(**{name: name for name in (*MODIFIERS, "ONE", "TWO")})
        pins = SimpleNamespace(**{f"GP{number}": number for number in range(29)})
        self.keyboard = Keyboard(())
        self._events = self._found(moments)
        for name, content in {
            "board": vars(pins),
            "keypad": {"Keys": self._keys},
            "usb_hid": {"devices": ()},
            "adafruit_hid": {},
            "adafruit_hid.keyboard": {"Keyboard": lambda _devices: self.keyboard},
            "adafruit_hid.keycode": {"Keycode": keycode},
        }.items():
            module = ModuleType(name)
            vars(module).update(content)
            monkeypatch.setitem(sys.modules, name, module)

    def _keys(self, pins: list[int], **_said: object) -> SimpleNamespace:
        assert pins == list(range(10))
        return SimpleNamespace(events=SimpleNamespace(get=lambda: next(self._events)))

    @staticmethod
    def _found(moments: tuple[tuple[int, ...], ...]) -> Iterator[SimpleNamespace | None]:
        for moment in moments:
            for one in moment:
                yield SimpleNamespace(key_number=abs(one) - 1, pressed=one > 0)
            yield None
        raise Over

    def run(self) -> list[int]:
        """Run the program to the end; tell how many keys each report said to be down."""
        (program,) = re.findall(r"```python\n(.*?)```", BUILD.read_text("utf-8"), re.DOTALL)
        with pytest.raises(Over):
            exec(compile(program, BUILD.name, "exec"), {})
        return [len(down) for down in self.keyboard.reports]


ALL = tuple(range(1, 11))


def test_ten_hands_at_once_are_one_report_with_ten_keys(monkeypatch):
    assert Pico(monkeypatch, ALL).run() == [10]


def test_ten_hands_that_come_one_by_one_and_rest_are_all_told(monkeypatch):
    assert Pico(monkeypatch, *((one,) for one in ALL)).run() == list(ALL)


def test_a_tap_between_two_reports_is_still_a_press_and_a_release(monkeypatch):
    assert Pico(monkeypatch, (4, -4)).run() == [1, 0]


def test_a_contact_that_bounces_stays_down(monkeypatch):
    assert Pico(monkeypatch, (4, -4, 4), (-4, 4, -4)).run() == [1, 1, 0]


def test_what_was_pressed_while_the_pi_was_starting_is_told_with_the_next(monkeypatch):
    pico = Pico(monkeypatch, (1,), (2,))
    pico.keyboard.asleep = 1
    assert pico.run() == [2]
