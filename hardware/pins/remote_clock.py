"""The clock of a remote Pi, compared with ours, so that its presses carry an honest date.

pigpio counts microseconds in 32 bits, which start again from zero every 71 minutes.
"""

from __future__ import annotations

import logging
import struct
import time
from collections.abc import Callable
from threading import Event, Thread

from msgspec import Struct

from hardware.contact.edges import MICROSECOND, SECOND, Moment

log = logging.getLogger(__name__)

WRAP = 1 << 32
TRIES = 8
EVERY = 5.0
DRIFT = 100
"""By how many parts in a million two quartz clocks may part."""


class Comparison(Struct, frozen=True):
    """One look at both clocks: the remote tick lay within `spread` of our time `at`."""

    tick: int
    at: int
    spread: int


class RemoteClock:
    """Translates remote ticks into our monotonic nanoseconds, and says how far off that may be."""

    def __init__(
        self,
        read_tick: Callable[[], int],
        clock: Callable[[], int] = time.monotonic_ns,
        lost: Callable[[], None] | None = None,
    ) -> None:
        self._read_tick = read_tick
        self._clock = clock
        self._lost = lost
        self._stop = Event()
        self._thread = Thread(target=self._run, name="remote clock", daemon=True)
        self._best = self._compare()

    def start(self) -> None:
        """Keep comparing."""
        self._thread.start()

    def stop(self) -> None:
        """Compare no more."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)

    def date(self, tick: int) -> Moment:
        """Date a remote tick."""
        best = self._best
        apart = (tick - best.tick + WRAP // 2) % WRAP - WRAP // 2
        since = abs(apart) * MICROSECOND
        return Moment(
            at=best.at + apart * MICROSECOND,
            spread=best.spread + since * DRIFT // 1_000_000,
        )

    def compare(self) -> None:
        """Look at both clocks again, and keep the sharper comparison of old and new."""
        new = self._compare()
        faded = self._best.spread + (new.at - self._best.at) * DRIFT // 1_000_000
        if new.spread <= faded or new.at - self._best.at > 600 * SECOND:
            self._best = new

    def _compare(self) -> Comparison:
        """Take the quickest of a few looks: the shorter the way, the less can hide in it."""
        looks = []
        for _ in range(TRIES):
            before = self._clock()
            tick = self._read_tick()
            after = self._clock()
            looks.append(Comparison(tick=tick, at=(before + after) // 2, spread=after - before))
        best = min(looks, key=lambda look: look.spread)
        return Comparison(tick=best.tick, at=best.at, spread=best.spread // 2 + MICROSECOND)

    def _run(self) -> None:
        while not self._stop.wait(EVERY) and self.answers():
            pass

    def answers(self) -> bool:
        """Compare once more, and hang up for good where no answer comes."""
        try:
            self.compare()
        except (OSError, AttributeError, struct.error) as gone:
            log.warning("The remote Pi does not answer: %s", gone)
            if self._lost is not None:
                self._lost()
            return False
        return True
