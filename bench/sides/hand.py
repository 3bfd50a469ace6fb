"""A hand inside a serving process: it presses when it is told to, and tells the exact moment."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

MASHED = 0.09
"""Seconds from one press of a mashing hand to its next, as fast as people can."""
DWELL = 0.1
"""Seconds for which a hand stays on its button."""


def attend(press: Callable[[int], None], let_go: Callable[[int], None]) -> None:
    """Read seats from standard input, one a line, and answer each with the time of its press."""
    threading.Thread(target=_attend, args=(press, let_go), name="hand", daemon=True).start()


def mash(press: Callable[[int], None], let_go: Callable[[int], None], hands: int) -> None:
    """Read durations in seconds from standard input, and let all hands mash for each of them."""

    def listen() -> None:
        for line in sys.stdin:
            end = time.monotonic() + int(line)
            for seat in range(1, hands + 1):
                hammer = threading.Thread(target=_hammer, args=(press, let_go, seat, end))
                hammer.start()
            print(time.monotonic_ns(), flush=True)

    threading.Thread(target=listen, name="hands", daemon=True).start()


def _hammer(
    press: Callable[[int], None], let_go: Callable[[int], None], seat: int, end: float
) -> None:
    while time.monotonic() < end:
        press(seat)
        time.sleep(MASHED / 2)
        let_go(seat)
        time.sleep(MASHED / 2)


def _attend(press: Callable[[int], None], let_go: Callable[[int], None]) -> None:
    for line in sys.stdin:
        seat = int(line)
        at = time.monotonic_ns()
        press(seat)
        print(at, flush=True)
        time.sleep(DWELL)
        let_go(seat)
