"""The bench on which a table's buttons are checked, also while that table is open.

Whoever walks around with a screwdriver should seat nobody and call no UNO, so presses can be kept
from the table meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from companion.referee.commands import ButtonCommand, Press, Release
from hardware.board import Board
from hardware.checkup import report
from hardware.checkup.selftest import Check, Walk, check
from hardware.contact.edges import SECOND
from hardware.contact.listener import HandOver

FORGOTTEN = 120 * SECOND
"""After so long without a press a check is over, so that nobody plays with dead buttons."""


class Pause:
    """Hands the buttons' reports on to the table, but keeps presses back during a check.

    A press and its release go the same way, whatever begins or ends between them.
    """

    def __init__(self, hand_over: HandOver, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._hand_over = hand_over
        self._clock = clock
        self._until = 0
        self._kept: set[int] = set()

    @property
    def on(self) -> bool:
        """Whether presses are kept from the table now."""
        return self._clock() < self._until

    def begin(self) -> None:
        """Keep presses back from now on."""
        self._until = self._clock() + FORGOTTEN

    def end(self) -> None:
        """Hand presses on again."""
        self._until = 0

    def hand_over(self, report: ButtonCommand) -> None:
        """Take what a button did; this runs on the listener's thread."""
        match report:
            case Press(button=button) if self.on:
                self._kept.add(button)
                self.begin()
            case Release(button=button) if button in self._kept:
                self._kept.discard(button)
            case _:
                self._hand_over(report)


class BoardCheckup:
    """The check of one board: what it shows, the walk around it, its lamps, the report."""

    def __init__(self, board: Board, pause: Pause) -> None:
        self._board = board
        self._pause = pause
        status = board.status()
        self._walk = Walk(status)
        self._shared = board.wiring.shared_pins()
        self._brief = {
            "factory": status.factory,
            "sentence": status.sentence,
            "remarks": status.remarks,
        }
        self._named = [(b.number, b.name, b.spare) for b in status.buttons]

    def check(self) -> Check:
        """Tell everything about every button and lamp as it is now."""
        return check(self._board.status(), self._walk, self._shared, checking=self._pause.on)

    def brief(self) -> dict[str, Any]:
        """Tell what every screen shows all the time."""
        contacts = self._board.listener.contacts
        buttons = [
            {"number": number, "name": name, "spare": spare, "fault": contacts[number].fault}
            for number, name, spare in self._named
        ]
        return {**self._brief, "checking": self._pause.on, "buttons": buttons}

    def begin(self) -> None:
        """Walk around the table anew; until the end presses mean nothing at the table."""
        self._walk = Walk(self._board.status())
        self._pause.begin()

    def end(self) -> None:
        """Let presses count again."""
        self._pause.end()

    def test_lamps(self, button: int | None = None) -> int | None:
        """Light all lamps in turn, or one; tell for how many nanoseconds."""
        return self._board.test_lamps(button)

    def text(self) -> str:
        """Write the report for people."""
        return report.as_text(report.report(self.check()))

    def json(self) -> bytes:
        """Write the report for programs."""
        return report.as_json(report.report(self.check()))
