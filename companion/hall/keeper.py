"""The keeper: the evening in memory and in the hall's sealed journal, changed by one at a time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from companion.common.clock import label, milliseconds
from companion.hall import kinds as kinds
from companion.hall.commands import DeskCommand
from companion.hall.contract import SentResult, SentRound
from companion.hall.decisions import decide, join_table
from companion.hall.evening import Evening, HallTable, Result
from companion.hall.events import HallEvent, ResultTaken, TableLeft, apply
from companion.hall.refusals import HallRefusal
from companion.hall.results import take_result
from companion.journal.bodies import encoded
from companion.journal.chain import GENESIS, Row, read_rows
from companion.journal.file import JournalDamaged, JournalError, reader
from companion.journal.folder_lock import hold_folder
from companion.journal.journal import Entry, Journal, Line
from companion.journal.opening import JOURNAL, open_whole

log = logging.getLogger(__name__)


class HallKeeper:
    """Holds the evening; whatever it answers is on the disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = hold_folder(folder)
        self._changing = threading.Lock()
        self._journal, self.evening, self.damage = open_whole(folder / JOURNAL, _replayed)
        self._keep_identity()
        self._trouble = False
        self.changed: list[Callable[[Evening], None]] = []
        """Called after every change, on the thread that made it."""

    @property
    def journal_identity(self) -> str:
        """The name that no other journal has: in another one a number is another person."""
        return self._journal.identity

    def do(self, command: DeskCommand, version: int | None = None) -> Evening:
        """Do what the desk asks for, or refuse it; a version that is given must be the latest."""
        with self._changing:
            if version is not None and version != self.evening.version:
                raise HallRefusal("stale")
            return self._write(list(decide(self.evening, command, milliseconds(label()))))

    def join(
        self, wish: int | None, identity: str, password: str, since: tuple[int, str] = (0, "")
    ) -> HallTable:
        """Let a table join, change its password, or come under another number.

        What it has played up to `since`, an event with its seal, is not asked for.
        """
        with self._changing:
            joined = join_table(self.evening, wish, identity, password, since)
            others = (one for one in self.evening.tables.values() if one.number != joined.table)
            left = [TableLeft(one.number) for one in others if one.identity == identity]
            return self._write([*left, joined]).tables[joined.table]

    def take(self, results: Sequence[tuple[int, SentResult]]) -> Evening:
        """Take what tables sent in one synced transaction; what does not follow changes nothing."""
        with self._changing:
            evening, events, now = self.evening, [], milliseconds(label())
            seals = {seal: one for one in evening.results.values() for seal in one.seals}
            for number, sent in results:
                table = evening.tables.get(number)
                for event in () if table is None else take_result(evening, table, sent, now, seals):
                    events.append(event)
                    evening = apply(evening, event)
            return self._write(events)

    def renew(self, change: Callable[[Journal], Sequence[HallEvent]]) -> Evening:
        """Change the journal in its place, and read it anew; `change` tells what comes after."""
        with self._changing:
            events = change(self._journal)
            self.evening = _replayed(self._journal)
            return self._write(events)

    def rounds_of(self, result: Result) -> tuple[SentRound, ...]:
        """Read the rounds and rulings of a result, which only the journal holds."""
        if not result.event:
            return ()
        with closing(reader(self.folder / JOURNAL)) as journal:
            row = next(read_rows(journal, result.event - 1, result.event), None)
            event: object = None if row is None else row.event()
        return event.rounds if isinstance(event, ResultTaken) else ()

    def close(self) -> None:
        """Close the journal and let go of the folder."""
        self._journal.close()
        self._lock.close()

    def _keep_identity(self) -> None:
        try:
            self._journal.keep_identity()
        except JournalError as trouble:
            log.warning("The journal could not be named: %s.", trouble)

    def _write(self, events: Iterable[HallEvent]) -> Evening:
        """Write events down, and only then believe them."""
        if self._trouble:
            self._journal.reopen()
            self._trouble = False
        evening, lines = self.evening, []
        for event in events:
            kind, body, names = encoded(event)
            lines.append(Line(kind, None, body, names))
            evening = apply(evening, event)
        if not lines:
            return evening
        try:
            self._journal.append([Entry(tuple(lines), 0)], label())
        except JournalError:
            self._trouble = True
            raise
        self.evening = evening
        for tell in self.changed:
            tell(evening)
        return evening


def events_of(folder: Path) -> Iterator[HallEvent]:
    """Read what has happened in a hall, beside an open one too; nothing is written."""
    with closing(reader(folder / JOURNAL)) as journal:
        yield from _events(read_rows(journal))


def _replayed(journal: Journal) -> Evening:
    evening = Evening()
    for event in _events(journal.tail(0, GENESIS)):
        evening = apply(evening, event)
    return evening


def _events(rows: Iterable[Row]) -> Iterator[HallEvent]:
    for row in rows:
        event = row.event()
        if not isinstance(event, HallEvent):
            raise JournalDamaged("this is the journal of a table, not of a hall")
        yield event
