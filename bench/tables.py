"""Two tables to play at: the referee alone, and the whole service with its journal on disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Protocol

from bench.steps import Step, Steps
from companion.common.clock import Clock
from companion.journal.opening import open_journal
from companion.referee import commands as c
from companion.referee.deadlines import next_deadline
from companion.referee.decide import drafted
from companion.referee.draft import Now
from companion.referee.model.edition import PRINTED, Edition
from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from companion.referee.model.table import Table
from companion.service.worker import Worker

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jo")
PATIENCE = 60.0


class AnyTable(Protocol):
    """Where steps can be carried out; its time is moved on by them alone."""

    @property
    def table(self) -> Table:
        """The table as it is now."""

    @property
    def now(self) -> int:
        """Tell the table's time."""

    def carry_out(self, step: Step) -> Table:
        """Let a step happen, and give the table after it."""


class BareTable:
    """The referee alone: decide and apply, in memory."""

    def __init__(self, table: Table | None = None, now: int = 1_000 * SECOND) -> None:
        self.table = table or Table()
        self.now = now

    def carry_out(self, step: Step) -> Table:
        """Rule what falls due before it, then decide."""
        while (due := due_by(step.at, self.table)) is not None:
            self.now = max(self.now, due)
            self._decide(c.PassTime())
        self.now = max(self.now, step.at)
        self._decide(step.command)
        return self.table

    def _decide(self, command: c.Command) -> None:
        self.table = drafted(self.table, command, Now(self.now)).table


class ServedTable:
    """The worker with its journal in a folder; every command of a person carries an id."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        opened = open_journal(folder)
        last = opened.journal.head.at
        self.now = 1_000 * SECOND if last is None else last + SECOND
        # Other ids after each opening, for a known one would only bring back its old answer.
        self._ids = Random(opened.journal.head.version)
        self._worker = Worker(
            opened.journal,
            opened.table,
            Clock(ticks=lambda: self.now),
            c.OpenTable(PRINTED, Timing(), gap_since=last),
            recent=opened.recent,
            snapshots=opened.snapshots,
        )
        self._worker.start()

    @property
    def table(self) -> Table:
        """The table as it is on disk."""
        return self._worker.table

    def carry_out(self, step: Step) -> Table:
        """Let the worker rule what falls due before it, then wait until the step is on disk."""
        while (due := due_by(step.at, self.table)) is not None:
            self.now = max(self.now, due)
            self._worker.ask(c.PassTime(), timeout=PATIENCE)
        self.now = max(self.now, step.at)
        if isinstance(step.command, c.PersonCommand):
            version = self._worker.table.version
            self._worker.ask(step.command, self._id(), version, timeout=PATIENCE)
        else:
            self._worker.ask(step.command, timeout=PATIENCE)
        return self._worker.table

    def carry_out_many(self, steps: Iterable[Step]) -> None:
        """Bring steps to the worker as fast as it takes them; it saves many at once."""
        answers = []
        for step in steps:
            self.now = max(self.now, step.at)
            id_ = self._id() if isinstance(step.command, c.PersonCommand) else None
            answers.append(self._worker.submit(step.command, id_))
            if len(answers) == 256:
                for answer in answers:
                    answer.result(PATIENCE)
                answers.clear()
        for answer in answers:
            answer.result(PATIENCE)

    def close(self) -> None:
        """Close the worker and its journal."""
        self._worker.close()

    def _id(self) -> str:
        """Make an id as the page does: the time first, then chance."""
        return f"{self.now // MILLISECOND:012x}{self._ids.getrandbits(80):020x}"


def due_by(at: int, table: Table) -> int | None:
    """Tell when something falls due, if that is by this moment."""
    deadline = next_deadline(table)
    return deadline if deadline is not None and deadline <= at else None


def seat(table: AnyTable, players: int) -> tuple[int, ...]:
    """Let so many sit down, each with a button, and tell their seats."""
    for number in range(1, players + 1):
        table.carry_out(Step(table.now + SECOND, c.Sit(NAMES[number - 1], number, number)))
    return tuple(range(1, players + 1))


def set_up(table: AnyTable, edition: Edition, way: c.Way) -> None:
    """Choose what is played."""
    table.carry_out(Step(table.now + SECOND, c.SetUp(edition.key, "classic", way)))


def play(table: AnyTable, steps: Steps) -> tuple[Step, ...]:
    """Play steps through at a table, and give them as they were."""
    start = table.now
    played: list[Step] = []
    try:
        step = next(steps)
        while True:
            played.append(step)
            step = steps.send(table.carry_out(step.begun_at(start)))
    except StopIteration:
        return tuple(played)
