"""The referee's link is shown on the board only while somebody asked for it, or knocked for it.

Everyone in the room can read it, so it has a code of its own each time, which makes one referee.

The referee asks from the tablet. If that tablet is lost, knocking on any button asks at the table
itself, so that a running game always has a way in. A table that stands where strangers can reach
its buttons may switch the knocking off.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from companion.referee.model.presses import SECOND
from companion.service.notices import PressNotice
from web.access.codes import new_code

SHOWN_FOR = 60
"""Seconds for which the link stays on the board."""
GOOD_FOR = 90
"""Seconds for which its code is taken: to type it takes a moment after reading it."""
KNOCKS = 12
WITHIN = 4 * SECOND
"""So many presses of one button in so short a time are no play any more."""
REMEMBERED = 256
"""So many presses may wait to be counted; a screen asks at least every second."""


class Knock:
    """Knows until when the referee's link is shown.

    Presses are only noted when they happen, and counted when somebody asks.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.heard: deque[PressNotice] = deque(maxlen=REMEMBERED)
        """The presses that were not counted yet."""
        self._clock = clock
        self._until = 0.0
        self._code = ""
        self._good_until = 0.0
        self._lock = threading.Lock()
        self._knocks: dict[int, deque[int]] = {}

    @property
    def showing(self) -> bool:
        """Whether the link may be seen now."""
        with self._lock:
            while self.heard:
                self._count(self.heard.popleft())
        return self._clock() < self._until

    def show(self) -> int:
        """Show the link from now on, and tell for how many seconds."""
        if not self._clock() < self._until:
            self._code = new_code()
        self._until = self._clock() + SHOWN_FOR
        self._good_until = self._clock() + GOOD_FOR
        return SHOWN_FOR

    def code(self) -> str | None:
        """Tell the code that is on the board, or was a moment ago."""
        return self._code if self._clock() < self._good_until else None

    def used(self) -> None:
        """Show the link no longer: somebody has become referee by it, and the next has another."""
        self._until = self._good_until = 0.0

    def _count(self, notice: PressNotice) -> None:
        """Count the presses of the table's own buttons; a screen cannot knock."""
        if notice.button is None:
            return
        knocks = self._knocks.setdefault(notice.button, deque(maxlen=KNOCKS))
        knocks.append(notice.at)
        if len(knocks) == KNOCKS and knocks[-1] - knocks[0] <= WITHIN:
            knocks.clear()
            self.show()
