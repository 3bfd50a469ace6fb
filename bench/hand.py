"""A hand inside a serving process: it presses when it is told to, and tells the exact moment."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable

DWELL = 0.1
"""Seconds for which a hand stays on its button."""


def attend(press: Callable[[int], None], let_go: Callable[[int], None]) -> None:
    """Read seats from standard input, one a line, and answer each with the time of its press."""
    threading.Thread(target=_attend, args=(press, let_go), name="hand", daemon=True).start()


def _attend(press: Callable[[int], None], let_go: Callable[[int], None]) -> None:
    for line in sys.stdin:
        seat = int(line)
        at = time.monotonic_ns()
        press(seat)
        print(at, flush=True)
        time.sleep(DWELL)
        let_go(seat)
