"""The door to a table: how the ghost's dealer reaches one, whether bare or with a whole service."""

from __future__ import annotations

from random import Random
from typing import Protocol

import msgspec
from msgspec.structs import replace

from companion.referee.apply import apply
from companion.referee.commands import Command, OpenTable, PassTime
from companion.referee.deadlines import next_deadline
from companion.referee.decide import decide
from companion.referee.draft import Now
from companion.referee.events import Event
from companion.referee.model.edition import PRINTED, Edition
from companion.referee.model.presses import SECOND, Timing
from companion.referee.model.table import Game, Step, Table
from companion.referee.sentences import Sentence, packed, unpacked

STEPS_COMPARED = 20

_journal = msgspec.json.Encoder(enc_hook=packed)
_lines = msgspec.json.Decoder(Event, dec_hook=unpacked)


class Door(Protocol):
    """What the dealer needs of a table."""

    @property
    def table(self) -> Table:
        """The table as everyone sees it now."""

    def now(self) -> int:
        """Tell the table's time."""

    def send(self, command: Command) -> tuple[Event, ...]:
        """Bring a command before the referee; raises what it refuses."""

    def wait_until(self, at: int) -> None:
        """Let time pass, with everything that falls due in it."""

    def restart(self) -> object:
        """Stop the table and start it from its journal."""


class BareTable:
    """A table without a service: its own clock, and a journal in memory."""

    def __init__(self, luck: int, editions: tuple[Edition, ...] = PRINTED) -> None:
        self.table = Table(editions=editions)
        self._empty = self.table
        self.journal: list[bytes] = []
        self._luck = Random(luck)
        self._clock = 1_000 * SECOND

    def now(self) -> int:
        """Tell the table's time."""
        return self._clock

    def send(self, command: Command) -> tuple[Event, ...]:
        """Decide, write down, apply."""
        now = Now(self._clock, self._luck.getrandbits(32))
        events = decide(self.table, command, now)
        for event in events:
            self.journal.append(_journal.encode(event))
            self.table = apply(self.table, event)
        return events

    def wait_until(self, at: int) -> None:
        """Move the clock, stopping wherever the table has a deadline."""
        while (due := next_deadline(self.table)) is not None and due <= at:
            self._clock = max(self._clock, due)
            self.send(PassTime())
            if next_deadline(self.table) == due:
                raise AssertionError(f"what was due at {due} stays due after its time was told")
        self._clock = max(self._clock, at)

    def restart(self) -> None:
        """Read the journal back into an empty table; the same one must come out."""
        again = self._empty
        for line in self.journal:
            again = apply(again, _lines.decode(line))
        if not _same(again, self.table):
            raise AssertionError("the journal tells another story than the table")
        self.table = again
        silent_since = self._clock
        self._clock += SECOND
        self.send(OpenTable(self.table.editions, Timing(), silent_since))


def _same(one: Table, other: Table) -> bool:
    """Whether two tables are equal, with the latest steps of their ways back and forth."""
    flat = replace(one, past=None, future=None), replace(other, past=None, future=None)
    return (
        flat[0] == flat[1]
        and _steps(one.past) == _steps(other.past)
        and _steps(one.future) == _steps(other.future)
    )


def _steps(step: Step | None) -> list[tuple[Sentence, Game]]:
    steps: list[tuple[Sentence, Game]] = []
    while step is not None and len(steps) < STEPS_COMPARED:
        steps.append((step.label, step.game))
        step = step.below
    return steps
