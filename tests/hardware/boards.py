"""A board of simulated buttons with hands that have a clock of their own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from companion.referee.commands import (
    ButtonCommand,
    MissPresses,
    PushButton,
    PutBack,
    Release,
    SetAside,
)
from hardware.board import Board
from hardware.contact.edges import HAND, MILLISECOND, HandLimits
from hardware.wiring.wiring import Wiring, default_wiring
from tests.kit.waiting import until

Said = TypeVar("Said", PushButton, Release, SetAside, PutBack, MissPresses)


class Bench:
    """A running board, and everything it has handed over."""

    def __init__(self, wiring: Wiring, hand: HandLimits = HAND) -> None:
        self.reports: list[ButtonCommand] = []
        self.board = Board(wiring, self.reports.append, hand=hand)
        assert self.board.hands is not None
        self.hands = self.board.hands

    def said(self, kind: type[Said], button: int | None = None) -> list[Said]:
        """Give the reports of one kind, perhaps of one button."""
        return [
            report
            for report in list(self.reports)
            if isinstance(report, kind)
            and (button is None or getattr(report, "button", None) == button)
        ]

    def tap(self, button: int, milliseconds: float = 30) -> None:
        """Push a button and let it go."""
        self.hands.press(button)
        time.sleep(milliseconds / 1000)
        self.hands.release(button)

    def hum(self, button: int, at: int, edges: int, half: int = 100_000) -> int:
        """Let a line hum from a moment on; tell when it ends."""
        for n in range(edges):
            move = self.hands.press if n % 2 == 0 else self.hands.release
            move(button, at + n * half)
        return at + edges * half

    def wait_for(self, kind: type[Said], button: int) -> Said:
        """Wait until a button has been reported that way."""
        until(lambda: self.said(kind, button), what=f"{kind.__name__} of button {button}")
        return self.said(kind, button)[-1]


@contextmanager
def running(wiring: Wiring | None = None) -> Iterator[Bench]:
    """Give a board that runs, and stop it afterwards."""
    bench = Bench(wiring or default_wiring(4, factory="simulated"))
    bench.board.start()
    try:
        yield bench
    finally:
        bench.board.stop()


def now() -> int:
    """Read the clock that edges are dated by."""
    return time.monotonic_ns()


def later(milliseconds: float) -> int:
    """Tell a moment that has not come yet."""
    return now() + round(milliseconds * MILLISECOND)
