"""Where `companion hardware` gets its buttons from: its own board, or a table that is open."""

from __future__ import annotations

import time
import urllib.request
from typing import Protocol

import msgspec

from companion.referee.commands import ButtonCommand
from hardware.board import Board
from hardware.checkup.bench import BoardCheckup
from hardware.checkup.selftest import ButtonWalk, Check
from hardware.wiring.wiring import Wiring

PATIENCE = 2.0
TAP = 0.05


class TableGone(Exception):
    """The table that was watched does not answer any more."""


class Buttons(Protocol):
    """Buttons that can be looked at."""

    def check(self) -> Check:
        """Tell everything about every button and lamp as it is now."""

    def begin(self) -> None:
        """Walk around the table anew."""

    def test_lamps(self) -> float | None:
        """Light every lamp in turn; tell for how many seconds, or None where that cannot be."""

    def tap(self, button: int) -> None:
        """Push a simulated button for a moment."""

    def close(self) -> None:
        """Let them go."""


class OwnButtons:
    """The buttons themselves, while no table has them."""

    def __init__(self, wiring: Wiring) -> None:
        self._board = Board(wiring, _ignore)
        self._checkup = BoardCheckup(self._board)
        self._board.start()

    def check(self) -> Check:
        """Tell everything about every button and lamp as it is now."""
        return self._checkup.check()

    def begin(self) -> None:
        """Walk around the table anew."""
        self._checkup.begin()
        self._checkup.end()

    def test_lamps(self) -> float | None:
        """Light every lamp in turn."""
        lit = self._checkup.test_lamps()
        return None if lit is None else lit / 1e9

    def try_lights(self) -> bool:
        """Let somebody press each lamp's button once, as it lights up; False without lamps."""
        return self._checkup.try_lights(times=1, rounds=1)

    def tap(self, button: int) -> None:
        """Push a simulated button for a moment."""
        hands = self._board.hands
        if hands is not None and button <= len(self._board.wiring.buttons):
            hands.press(button)
            time.sleep(TAP)
            hands.release(button)

    def close(self) -> None:
        """Stop listening and give every line back."""
        self._board.stop()


class TableButtons:
    """The buttons of a table that is open, as it sees them."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._walk = ButtonWalk(self._seen())

    def check(self) -> Check:
        """Ask the table; the walk is this terminal's own."""
        seen = self._seen()
        return _walked(seen, self._walk)

    def begin(self) -> None:
        """Walk around the table anew."""
        self._walk = ButtonWalk(self._seen())

    def test_lamps(self) -> float | None:
        """Only the referee may do that, on the page."""
        return None

    def tap(self, button: int) -> None:
        """Only the referee may do that, on the page."""

    def close(self) -> None:
        """There is nothing to let go."""

    def _seen(self) -> Check:
        try:
            with urllib.request.urlopen(f"{self.address}/api/hardware", timeout=PATIENCE) as answer:
                return msgspec.json.decode(answer.read(), type=Check)
        except (OSError, msgspec.DecodeError) as gone:
            raise TableGone(f"The table at {self.address} does not answer: {gone}.") from gone


def _walked(seen: Check, walk: ButtonWalk) -> Check:
    walked = walk.walked(seen)
    passed = walked.passed and seen.listening
    return msgspec.structs.replace(seen, walk=walked, passed=passed)


def open_table(port: int, host: str) -> TableButtons | None:
    """Find a table that is open on this computer."""
    name = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host
    try:
        return TableButtons(f"http://{f'[{name}]' if ':' in name else name}:{port}")
    except TableGone:
        return None


def _ignore(_report: ButtonCommand) -> None:
    """No table hears these buttons."""
