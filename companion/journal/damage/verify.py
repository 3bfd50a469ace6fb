"""Checking a journal: the whole chain, a full replay, and all that was derived from it.

`verify` looks at everything and writes nothing. `BackgroundCheck` looks over the file and follows
the chain while people play: a start trusts the snapshot, so what lies before it is read later.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from companion.common.background import Background
from companion.journal.chain import (
    GENESIS,
    Row,
    check_rows,
    check_to_head,
    read_head,
)
from companion.journal.damage.file_integrity import check_file, check_outline, unreadable_commits
from companion.journal.damage.lost import check_not_lost
from companion.journal.file import JournalDamaged, JournalError, connect, reader, translated
from companion.journal.markers import heard
from companion.journal.names import names_after, names_of_event, read_name_lines
from companion.journal.notes import DOUBT, changed_notes, write_notes
from companion.journal.opening import JOURNAL, SNAPSHOT, applied
from companion.journal.snapshot import Snapshot, SnapshotDamaged, read_snapshot
from companion.referee.events import Event
from companion.referee.model.table import Table

log = logging.getLogger(__name__)

CHUNK = 200
"""So many events are checked in one go, which keeps SQLite's log from growing meanwhile."""
IDLE_SHARE = 9
"""It rests nine times as long as it works, because the buttons come first."""

Progress = Callable[[int, int], None]
"""Is told how many events were checked, and of how many."""


class NoJournal(Exception):
    """There is nothing to check."""

    exit_code = 2


class JournalCheck(Struct, frozen=True):
    """What the check has found."""

    events: int
    commands: int
    matches: int
    problems: tuple[str, ...]
    hall: bool = False
    """Whether it is the journal of a hall, which leads to no table."""


def verify(folder: Path, progress: Progress = lambda _done, _all: None) -> JournalCheck:
    """Check the journal of a data folder, beside a running table too; nothing is written."""
    path = folder / JOURNAL
    check_not_lost(path)
    if not path.exists():
        raise NoJournal(f"There is no journal in {folder}.")
    if path.stat().st_size == 0:
        return JournalCheck(0, 0, 0, ("the file is empty",))
    try:
        with closing(reader(path)) as connection:
            return _checked(connection, folder, progress)
    except JournalDamaged as damage:
        return JournalCheck(0, 0, 0, (str(damage),))


def _checked(connection: sqlite3.Connection, folder: Path, progress: Progress) -> JournalCheck:
    snapshot, damaged = None, []
    try:
        snapshot = read_snapshot(folder / SNAPSHOT)
    except SnapshotDamaged as damage:
        damaged.append(f"the snapshot is damaged: {damage}")
    check = _Check(connection, snapshot, progress)
    check.problems += damaged
    had = heard(folder / JOURNAL)
    try:
        # One transaction: a running table may go on writing, the check sees one moment of it.
        connection.execute("BEGIN")
        check_outline(connection, folder / JOURNAL)
        check_file(connection, slowly=True)
        check.replay(had)
        check.notes()
    except sqlite3.Error as error:
        raise translated(error) from error
    lost = unreadable_commits(folder / JOURNAL)
    if lost:
        check.problems.append(f"{lost} entries at the end of the log cannot be read")
    return check.verdict()


class _Check:
    """One walk over the journal; of what lies behind, only numbers are kept."""

    def __init__(
        self, connection: sqlite3.Connection, snapshot: Snapshot | None, progress: Progress
    ) -> None:
        self.problems: list[str] = []
        self._connection = connection
        self._snapshot = snapshot
        self._progress = progress
        self.table = Table()
        self._events = self._commands = self._names = 0
        self._hall = False

    def replay(self, had: int) -> None:
        """Follow the chain and play everything again."""
        head = read_head(self._connection)
        if head.version < had:
            self.problems.append(f"the journal had come to event {had} and ends before it")
        for row in check_to_head(self._connection, 0, GENESIS, head):
            before, event = self.table, row.event()
            if isinstance(event, Event):
                self.table = applied(before, row.version, event)
            else:
                self._hall = True
            self._events = row.version
            self._commands += row.command is not None
            self._compare_names(
                row, {**names_of_event(event), **names_after(before, [event], self.table)}
            )
            if self._snapshot is not None and self._snapshot.version == row.version:
                self._compare_snapshot(self._snapshot, row.hash)
            if row.version % CHUNK == 0:
                self._progress(row.version, head.version)
        self._progress(head.version, head.version)
        self._count_lines()

    def notes(self) -> None:
        """Check the notes' own seals."""
        self.problems.extend(
            f"the note of {key} is not what was written" for key in changed_notes(self._connection)
        )

    def verdict(self) -> JournalCheck:
        """Sum up."""
        problems = tuple(self.problems)
        matches = self.table.game.matches - len(self.table.forgotten)
        return JournalCheck(self._events, self._commands, matches, problems, self._hall)

    def _compare_names(self, row: Row, names: dict[int, str]) -> None:
        self._names += len(names)
        if row.names != names:
            self.problems.append(f"the names after event {row.version} are not those of the replay")

    def _count_lines(self) -> None:
        if sum(1 for _ in read_name_lines(self._connection)) != self._names:
            self.problems.append("the names are not those of the journal")

    def _compare_snapshot(self, snapshot: Snapshot, seal: bytes) -> None:
        if snapshot.seal != seal.hex() or snapshot.table != self.table:
            self.problems.append("the snapshot differs from the replay; delete it")


class BackgroundCheck(Background):
    """Follows the chain from the very first event, gently, on a thread of its own."""

    def __init__(
        self,
        path: Path,
        up_to: int,
        report: Callable[[str], None],
        idle_share: float = IDLE_SHARE,
    ) -> None:
        super().__init__("history check")
        self._path = path
        self._up_to = up_to
        self._report = report
        self._idle_share = idle_share

    def _run(self) -> None:
        try:
            self._follow()
        except JournalDamaged as damage:
            sentence = (
                f"An earlier part of the journal was found damaged: {damage}. "
                "The table goes on, and nothing was deleted."
            )
            log.error("%s", sentence)
            self._note_doubt(sentence)
            self._report(sentence)
        except JournalError as trouble:
            log.warning("The past could not be checked: %s.", trouble)

    def _note_doubt(self, sentence: str) -> None:
        """Let the next start look over the whole file before it goes on with it."""
        try:
            with closing(connect(self._path)) as connection, connection:
                connection.execute("BEGIN IMMEDIATE")
                write_notes(connection, {DOUBT: sentence})
        except (JournalError, sqlite3.Error) as trouble:
            log.warning("That could not be noted in the journal: %s.", trouble)

    def _follow(self) -> None:
        with closing(reader(self._path)) as connection:
            check_file(connection)
            version, seal = 0, GENESIS
            while version < self._up_to and not self._stop.is_set():
                began = time.perf_counter()
                # What is forgotten meanwhile is seen as a whole, or not yet.
                connection.execute("BEGIN")
                last = check_chunk(connection, version, seal)
                connection.execute("COMMIT")
                version, seal = last.version, last.hash
                spent = time.perf_counter() - began
                self._stop.wait(self._idle_share * max(0.001, spent))
            if not self._stop.is_set():
                for _ in read_name_lines(connection):
                    pass


def check_chunk(connection: sqlite3.Connection, version: int, seal: bytes) -> Row:
    """Check some events after a known one, and that each command is found again by its id."""
    row: Row | None = None
    for row in check_rows(connection, version, seal, version + CHUNK):
        if row.command is not None and _found(connection, row.command) != row.version:
            raise JournalDamaged(f"the receipt of event {row.version} is missing")
    if row is None:
        raise JournalDamaged(f"event {version + 1} is missing")
    return row


def _found(connection: sqlite3.Connection, command: bytes) -> int | None:
    query = "SELECT version FROM events WHERE command = ?"
    try:
        (version,) = connection.execute(query, (command,)).fetchone() or (None,)
    except sqlite3.Error as error:
        raise translated(error) from error
    return None if version is None else int(version)
