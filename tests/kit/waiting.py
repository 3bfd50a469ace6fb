"""Waiting for what another thread or program does, and a clock that can be put forward."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 60.0
"""For what takes a moment, on a machine that is busy with much else."""


def until(
    question: Callable[[], Any], patience: float = PATIENCE, what: str = "this", look: float = 0.005
) -> Any:
    """Ask until the answer is true, and give it; fail when it never is."""
    end = time.monotonic() + patience
    while not (answer := question()):
        assert time.monotonic() < end, f"{what} did not happen in time"
        time.sleep(look)
    return answer


class MachineClock:
    """The machine's own clock, which a test puts forward where people would let time pass."""

    def __init__(self) -> None:
        self._ahead = 0

    def ticks(self) -> int:
        """Nanoseconds, as edges are dated."""
        return time.monotonic_ns() + self._ahead

    def put_forward(self, milliseconds: int) -> None:
        """Let so much time have passed."""
        self._ahead += milliseconds * 1_000_000
