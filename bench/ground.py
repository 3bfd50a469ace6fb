"""The ground of one run: a folder on a real disk, and a long past that several benches share."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

from bench.sides.free import FreeMatches
from bench.sides.tables import ServedTable
from companion.demo.playing import seat, set_up
from companion.referee.model.edition import FAST_AND_FURIOUS

PLAYERS = 4


class CannotMeasure(Exception):
    """Something that a bench needs is not on this machine."""


class Ground:
    """Where a run works; `tiny` only tries whether everything works."""

    def __init__(self, folder: Path, *, tiny: bool = False) -> None:
        self.tiny = tiny
        self._folder = folder
        self._folders = 0
        self._pasts: dict[int, Path] = {}

    def size(self, full: int, tiny: int) -> int:
        """Choose how often something is done."""
        return tiny if self.tiny else full

    def fresh(self) -> Path:
        """Name a folder that does not exist yet."""
        self._folders += 1
        return self._folder / f"table-{self._folders}"

    def past(self, matches: int = 1_000) -> Path:
        """Copy the data folder of a table with so many past matches, over 100 events each."""
        if matches not in self._pasts:
            self._pasts[matches] = self.fresh()
            play_past(self._pasts[matches], self.size(matches, 3))
        copy = self.fresh()
        shutil.copytree(self._pasts[matches], copy)
        return copy


def play_past(folder: Path, matches: int) -> None:
    """Let so many matches be played, won and closed at a new table."""
    with closing(ServedTable(folder)) as table:
        seats = seat(table, PLAYERS)
        set_up(table, FAST_AND_FURIOUS, "free")
        evenings = FreeMatches(FAST_AND_FURIOUS, seats, seed=matches)
        start = table.now
        steps = (step for _ in range(matches) for step in evenings.match())
        table.carry_out_many(step.begun_at(start) for step in steps)
