"""The board's pairing corner: the referee's link is shown there only while somebody asked for it.

The referee asks from the tablet. Whoever lost that tablet asks at the table itself, by knocking on
any button, so that nobody is locked out of a running game. A table that stands where strangers can
reach its buttons may switch the knocking off.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from companion.referee.model.presses import SECOND
from companion.service.press_notices import PressNotice

SHOWN_FOR = 60
"""Seconds for which the link stays on the board."""
KNOCKS = 12
WITHIN = 4 * SECOND
"""So many presses of one button in so short a time are no play any more."""


class Corner:
    """Knows until when the referee's link is shown."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, knocks: bool = True) -> None:
        self._clock = clock
        self._knocking = knocks
        self._until = 0.0
        self._lock = threading.Lock()
        self._knocks: dict[int, deque[int]] = {}

    @property
    def showing(self) -> bool:
        """Whether the link may be seen now."""
        return self._clock() < self._until

    def show(self) -> int:
        """Show the link from now on, and tell for how many seconds."""
        self._until = self._clock() + SHOWN_FOR
        return SHOWN_FOR

    def hear(self, notice: PressNotice) -> None:
        """Count the presses of the table's own buttons; a screen cannot knock."""
        if notice.button is None or not self._knocking:
            return
        with self._lock:
            knocks = self._knocks.setdefault(notice.button, deque(maxlen=KNOCKS))
            knocks.append(notice.at)
            if len(knocks) == KNOCKS and knocks[-1] - knocks[0] <= WITHIN:
                knocks.clear()
                self.show()
