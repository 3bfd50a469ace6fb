"""A board without hardware: gpiozero's mock pins behind the very same code."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.contact.edges import Moment
from hardware.pins.buttons import tell_edge
from hardware.wiring.wiring import Wiring

SHORTEST = 5_000_000
"""No finger taps for less, in nanoseconds; what a page says of one may be read all at once."""


class SimulatedPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no type hints
    """A mock pin whose edges can be given their time, in monotonic nanoseconds."""

    def drive(self, level: bool, at: int) -> None:
        """Change the level as a contact would; no change is no edge."""
        if self._change_state(level):
            tell_edge(self, at, level)


class SimulatedFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no type hints
    """Mock pins with the clock of this computer."""

    def __init__(self) -> None:
        super().__init__(pin_class=SimulatedPin)

    @staticmethod
    def ticks() -> int:
        """Read the clock that edges are dated by."""
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        """Tell the seconds between two ticks."""
        return (later - earlier) / 1e9

    @staticmethod
    def date(ticks: int) -> Moment:
        """Date an edge: its ticks are nanoseconds of the right clock."""
        return Moment(at=ticks)

    @staticmethod
    def drain(then: Callable[[], None]) -> None:
        """Say that all is told: an edge is told in the moment in which it is made."""
        then()


class SimulatedHands:
    """Hands for buttons that have none: the page and the tests press through this."""

    def __init__(
        self, wiring: Wiring, factory: Any, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._pins = {number: button.pin for number, button in enumerate(wiring.buttons, 1)}
        self._factory = factory
        self._clock = clock
        self._lock = Lock()
        self._pressed_at: dict[int, int] = {}
        self._pressed_level = wiring.pressed == "high"

    def push(self, button: int, down: bool) -> None:
        """Push a button down or let it go."""
        self._drive(button, down, None)

    def press(self, button: int, at: int | None = None) -> None:
        """Push a button down; one that is down stays so."""
        self._drive(button, True, at)

    def release(self, button: int, at: int | None = None) -> None:
        """Let a button go."""
        self._drive(button, False, at)

    def _drive(self, button: int, pressed: bool, at: int | None) -> None:
        if button not in self._pins:
            raise KeyError(f"There is no button {button}.")
        pin = self._pins[button]
        if pin is None:
            raise KeyError(f"Button {button} is on a USB encoder, which is not simulated.")
        level = self._pressed_level if pressed else not self._pressed_level
        with self._lock:
            if at is None:
                at = self._clock()
                if not pressed:
                    at = max(at, self._pressed_at.get(button, 0) + SHORTEST)
            if pressed:
                self._pressed_at[button] = at
            self._factory.pin(pin).drive(level, at)
