"""Two tables to play at: the referee alone, and the whole service with its journal on disk."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

from companion.common.clock import Clock
from companion.demo.playing import due_by
from companion.demo.steps import TimedCommand
from companion.journal.opening import open_journal
from companion.referee import commands as c
from companion.referee.decide import drafted
from companion.referee.draft import Now
from companion.referee.model.edition import PRINTED
from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from companion.referee.model.table import Table
from companion.service.worker import Worker

PATIENCE = 60.0


class BareTable:
    """The referee alone: decide and apply, in memory."""

    def __init__(self, table: Table | None = None, now: int = 1_000 * SECOND) -> None:
        self.table = table or Table()
        self.now = now

    def carry_out(self, step: TimedCommand) -> Table:
        """Rule what falls due before it, then decide."""
        while (due := due_by(step.at, self.table)) is not None:
            self.now = max(self.now, due)
            self.decide(c.PassTime())
        self.now = max(self.now, step.at)
        self.decide(step.command)
        return self.table

    def decide(self, command: c.Command) -> None:
        """Let the referee decide, and go on with the table that follows."""
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

    def carry_out(self, step: TimedCommand) -> Table:
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

    def carry_out_many(self, steps: Iterable[TimedCommand]) -> None:
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
