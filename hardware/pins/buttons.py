"""Arcade buttons through gpiozero: each edge is handed over with the kernel's own time.

gpiozero calls back on its own thread, so nothing is decided here.
"""

from __future__ import annotations

import logging
import struct
import time
from collections.abc import Callable
from typing import Any

from gpiozero import DigitalInputDevice, GPIOZeroError

from hardware.contact.edges import Dating, Drain, Edge, EdgesLost, Moment
from hardware.contact.listener import Unreachable

log = logging.getLogger(__name__)

BROKEN = (OSError, GPIOZeroError, AttributeError, struct.error)
"""What gpiozero and its back ends raise when a chip or a connection is gone."""
PAUSES = (0.01, 0.03, 0.1)


class ButtonLine:
    """The line of one button on a gpiozero pin.

    `bounce_time` stays unset: with it, gpiozero dates a push after its last bounce.
    """

    def __init__(
        self,
        number: int,
        pin: int,
        *,
        factory: Any,
        dating: Dating,
        date: Callable[[Any], Moment],
        drain: Drain | None,
        pull: str,
        pressed: str,
        errors: tuple[type[Exception], ...] = (),
    ) -> None:
        self.dating = dating
        self._errors = (*BROKEN, *errors)
        self._number = number
        self._date = date
        self._drain = drain
        self._tell: Callable[[Edge | EdgesLost], None] | None = None
        self._pressed_level = pressed == "high"
        pull_up = {"up": True, "down": False, "none": None}[pull]
        self._device = DigitalInputDevice(
            pin,
            pull_up=pull_up,
            active_state=self._pressed_level if pull_up is None else None,
            bounce_time=None,
            pin_factory=factory,
        )

    def listen(self, tell: Callable[[Edge | EdgesLost], None]) -> None:
        """Tell every edge from now on."""
        self._tell = tell
        # gpiozero keeps only a weak reference to the method, so this object must live on.
        self._patiently(lambda: setattr(self._device.pin, "when_changed", self._changed))

    def mute(self) -> None:
        """Let the kernel watch this line no longer."""
        self._patiently(lambda: setattr(self._device.pin, "when_changed", None))

    def pressed(self) -> bool:
        """Read the level."""
        try:
            return bool(self._device.pin.state) == self._pressed_level
        except self._errors as gone:
            raise Unreachable(str(gone)) from gone

    def drain(self, then: Callable[[], None]) -> bool:
        """Call back once every edge that there is by now was told, where that can be known."""
        if self._drain is None:
            return False
        self._drain(then)
        return True

    def close(self) -> None:
        """Give the line back; the factory frees it for other programs."""
        try:
            self._patiently(self._device.close)
        except Unreachable as gone:
            log.warning("Button %s could not be closed: %s", self._number, gone)

    def _patiently(self, act: Callable[[], None]) -> None:
        """Try again for a moment: lgpio calls a line busy while it still lets go of its edges."""
        for pause in PAUSES:
            try:
                return act()
            except self._errors:
                time.sleep(pause)
        try:
            act()
        except self._errors as gone:
            raise Unreachable(str(gone)) from gone

    def _changed(self, ticks: Any, state: Any) -> None:
        moment = self._date(ticks)
        tell = self._tell
        if tell is None:
            return
        if moment.after_gap:
            tell(EdgesLost(button=self._number, at=moment.at))
        tell(
            Edge(
                button=self._number,
                at=moment.at,
                pressed=bool(state) == self._pressed_level,
                doubt=moment.doubt,
                spread=moment.spread,
            )
        )


def tell_edge(pin: Any, ticks: Any, state: Any) -> None:
    """Call the listener of a pin, if it still has one.

    gpiozero looks the listener up twice; muting a line in between would end its reading thread.
    """
    listener = pin._when_changed
    method = None if listener is None else listener()
    if method is not None:
        method(ticks, state)
