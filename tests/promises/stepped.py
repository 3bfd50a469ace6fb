"""An evening whose hands land at given moments, while the clock on the wall is put back and forth.

Run as a program: the folder, and by how many seconds the wall's clock is put at every point.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from companion.assembly.running import Running, open_worker
from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.sentences import Refusal
from companion.settings.configuration import examine
from companion.settings.edition_file import load_editions

ANA, BEN, CLEO = 1, 2, 3
ROUNDS = 16
TICK = 200 * MILLISECOND
"""The time between two commands, short enough that no deadline is met late."""
NOTHING = c.Stand(10)
"""Is refused, when all that came before it is done."""
RESTARTS = 5
"""Every so many rounds the table is closed and opened again."""


class Evening:
    """A table with a machine's clock of its own, which moves when told."""

    def __init__(self, folder: Path, step: int) -> None:
        settings, _ = examine({"data": {"folder": str(folder)}})
        self._settings = settings
        self._step = step
        self._ticks = 1_000 * SECOND
        self.points = 0
        self._running = self._open()

    def _open(self) -> Running:
        folder = self._settings.data.folder
        return open_worker(self._settings, load_editions(folder), lambda: self._ticks)

    def play(self) -> None:
        for command in self._commands():
            self._put_the_wall_clock()
            self._ticks += TICK
            # Whatever is due is ruled first, however busy this computer is.
            self._ask(NOTHING)
            if isinstance(command, c.PushButton):
                self._running.worker.hand_over(command)
                command = NOTHING
            self._ask(command)
        self._running.close()

    def _ask(self, command: c.Command) -> None:
        with suppress(Refusal):
            self._running.worker.ask(command, f"evening-{self.points:05}")

    def _put_the_wall_clock(self) -> None:
        self.points += 1
        os.environ["WALL_STEP"] = str(self._step if self.points % 2 else 0)

    def _press(self, button: int) -> c.PushButton:
        return c.PushButton(button, self._ticks + TICK // 2, 1_000)

    def _commands(self) -> Iterator[c.Command]:
        for seat, name in ((ANA, "Ana"), (BEN, "Ben"), (CLEO, "Cleo")):
            yield c.Sit(name, seat, seat)
        yield c.SetUp(way="free", scoring="alternative")
        yield c.StartMatch()
        yield c.ChooseDealer(ANA)
        for number in range(1, ROUNDS + 1):
            yield c.Deal()
            yield c.DeclareRace(ANA)
            yield self._press(BEN if number % 2 else CLEO)
            if number % RESTARTS == 0:
                self._running.close()
                self._running = self._open()
            yield self._press(CLEO if number % 2 else BEN)
            yield c.Rename(BEN, f"Ben {number}")
            yield c.Rename(CLEO, f"Cleo {number}")
            yield c.PickLast((BEN,))
            yield c.Call(CLEO)
            yield c.Catch(BEN)
            yield c.GoOut(ANA)
            yield c.EnterPoints(BEN, 1)
            yield c.EnterPoints(CLEO, 2)
            yield c.Undo()
            yield c.Redo()
            yield c.ScoreRound()


if __name__ == "__main__":
    evening = Evening(Path(sys.argv[1]), int(sys.argv[2]))
    evening.play()
    print(evening.points)
