"""The bench on which a table's buttons are checked, also while that table is open.

A press that only tests a button must not seat a player or call UNO, so presses can be kept from the
table meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from companion.referee.commands import ButtonCommand, PushButton, Release
from hardware.board import Board
from hardware.checkup import report
from hardware.checkup.light_trial import ROUNDS, TIMES, Lights, LightTrial
from hardware.checkup.selftest import ButtonWalk, Check, check
from hardware.contact.edges import SECOND
from hardware.contact.listener import HandOver

FORGOTTEN = 120 * SECOND
"""After so long without a press a check is over, so that no match is played with dead buttons."""


class Pause:
    """Stands between the buttons and the table during a check, and keeps presses back.

    A press and its release go the same way, even if a check begins or ends between them. Hands that
    land in a race always count, even if a check before it was not ended.
    """

    def __init__(
        self,
        hand_over: HandOver,
        clock: Callable[[], int] = time.monotonic_ns,
        racing: Callable[[], bool] = lambda: False,
    ) -> None:
        self._hand_over = hand_over
        self._clock = clock
        self._racing = racing
        self._until = 0
        self._kept: set[int] = set()

    @property
    def on(self) -> bool:
        """Whether presses are kept from the table now."""
        if self._until and self._racing():
            self.end()
        return self._clock() < self._until

    @property
    def over(self) -> bool:
        """Whether nothing is kept back, not even the release of a press that was."""
        return not self._kept and not self.on

    def begin(self) -> None:
        """Keep presses back from now on."""
        self._until = self._clock() + FORGOTTEN

    def end(self) -> None:
        """Hand presses on again."""
        self._until = 0

    def hand_over(self, report: ButtonCommand) -> None:
        """Take what a button did; this runs on the listener's thread."""
        match report:
            case PushButton(button=button) if self.on:
                self._kept.add(button)
                self.begin()
            case Release(button=button) if button in self._kept:
                self._kept.discard(button)
            case _:
                self._hand_over(report)


class BoardCheckup:
    """The check of one board: what it shows, the walk around it, its lamps, the report."""

    def __init__(self, board: Board, racing: Callable[[], bool] = lambda: False) -> None:
        self._board = board
        self._table = board.listener.hand_over
        self._pause = Pause(self._table, racing=racing)
        self._lock = threading.Lock()
        self._trial: LightTrial | None = None
        status = board.status()
        self._walk = ButtonWalk(status)
        self._shared = board.wiring.shared_pins()
        self._brief = {
            "factory": status.factory,
            "sentence": status.sentence,
            "remarks": status.remarks,
        }
        self._named = [(b.number, b.name, b.spare) for b in status.buttons]

    def check(self) -> Check:
        """Tell everything about every button and lamp as it is now."""
        with self._lock:
            lights = self._look_at_lights()
        status = self._board.status()
        return check(status, self._walk, self._shared, checking=self._pause.on, lights=lights)

    def _look_at_lights(self) -> Lights | None:
        """Tell how the trial of the lights stands; it ends with the check that it belongs to."""
        if self._trial is None:
            return None
        if self._pause.on:
            self._trial.look(time.monotonic_ns())
        elif self._trial.seen().state in ("lit", "move"):
            self._trial.end()
            self._trial = None
            return None
        return self._trial.seen()

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
        self._walk = ButtonWalk(self._board.status())
        with self._lock:
            self._pause.begin()
            self._board.listener.hand_over = self._hand_over

    def end(self) -> None:
        """Let presses count again."""
        self._pause.end()

    def try_lights(self, *, times: int = TIMES, rounds: int = ROUNDS) -> bool:
        """Let everybody press the one that is lit, or go on with it; False without lamps."""
        lamps = list(self._board.lamps.states)
        if not lamps:
            return False
        going_on = self._trial is not None and self._trial.seen().state == "move"
        if not going_on:
            self.begin()
        with self._lock:
            self._pause.begin()
            if going_on and self._trial is not None:
                self._trial.go_on()
            else:
                light = self._board.light_later
                self._trial = LightTrial(lamps, light, times=times, rounds=rounds)
        return True

    def _hand_over(self, report: ButtonCommand) -> None:
        """Stand in for the table; once the check is over it hears its buttons itself again."""
        on = self._pause.on
        self._pause.hand_over(report)
        with self._lock:
            if on and self._trial is not None and isinstance(report, PushButton):
                self._trial.press(report.button, report.at)
            if self._pause.over:
                self._board.listener.hand_over = self._table

    def test_lamps(self, button: int | None = None) -> int | None:
        """Light all lamps in turn, or one; tell for how many nanoseconds."""
        return self._board.test_lamps(button)

    def text(self) -> str:
        """Write the report for people."""
        return report.as_text(report.report(self.check()))

    def json(self) -> bytes:
        """Write the report for programs."""
        return report.as_json(report.report(self.check()))
