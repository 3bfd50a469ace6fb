"""Checking a journal: the whole chain, a full replay, and all that was derived from it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from companion.journal.chain import GENESIS, Receipt, check_to_head, read_head
from companion.journal.file import JournalDamaged, reader, translated
from companion.journal.file_integrity import check_file
from companion.journal.head_marker import heard
from companion.journal.log_tail import unreadable_commits
from companion.journal.match_list import MatchList, written_records
from companion.journal.notes import changed_notes
from companion.journal.opening import JOURNAL, SNAPSHOT, applied
from companion.journal.snapshot import Snapshot, SnapshotDamaged, read_snapshot
from companion.referee.model.table import Table


class NoJournal(Exception):
    """There is nothing to check."""

    exit_code = 2


class JournalCheck(Struct, frozen=True):
    """What the check has found."""

    events: int
    commands: int
    matches: int
    problems: tuple[str, ...]


def verify(folder: Path) -> JournalCheck:
    """Check the journal of a data folder, beside a running table too; nothing is written."""
    path = folder / JOURNAL
    if not path.exists():
        raise NoJournal(f"There is no journal in {folder}.")
    if path.stat().st_size == 0:
        return JournalCheck(0, 0, 0, ("the file is empty",))
    try:
        with closing(reader(path)) as connection:
            return _checked(connection, folder)
    except JournalDamaged as damage:
        return JournalCheck(0, 0, 0, (str(damage),))


def checked_alone(path: Path) -> tuple[JournalCheck, Table]:
    """Check one file that nobody writes to, and give the table that it replays to."""
    with closing(reader(path, still=True)) as connection:
        check = _Check(connection, None)
        try:
            check_file(connection)
            check.replay(0)
            check.receipts()
            check.matches()
            check.notes()
        except sqlite3.Error as error:
            raise translated(error) from error
        return check.verdict(), check.table


def _checked(connection: sqlite3.Connection, folder: Path) -> JournalCheck:
    snapshot, damaged = None, []
    try:
        snapshot = read_snapshot(folder / SNAPSHOT)
    except SnapshotDamaged as damage:
        damaged.append(f"the snapshot is damaged: {damage}")
    check = _Check(connection, snapshot)
    check.problems += damaged
    had = heard(folder / JOURNAL)
    try:
        # One transaction: a running table may go on writing, the check sees one moment of it.
        connection.execute("BEGIN")
        check_file(connection)
        check.replay(had)
        check.receipts()
        check.matches()
        check.notes()
    except sqlite3.Error as error:
        raise translated(error) from error
    lost = unreadable_commits(folder / JOURNAL)
    if lost:
        check.problems.append(f"{lost} entries at the end of the log cannot be read")
    return check.verdict()


class _Check:
    """One walk over the journal, and the comparisons after it."""

    def __init__(self, connection: sqlite3.Connection, snapshot: Snapshot | None) -> None:
        self.problems: list[str] = []
        self._connection = connection
        self._snapshot = snapshot
        self.table = Table()
        self._ledger = MatchList()
        self._receipts: dict[str, tuple[int, int]] = {}

    def replay(self, had: int) -> None:
        """Follow the chain and play everything again."""
        head = read_head(self._connection)
        if head.version < had:
            self.problems.append(f"the journal had come to event {had} and ends before it")
        for row in check_to_head(self._connection, 0, GENESIS, head):
            if row.command is not None:
                first, _ = self._receipts.get(row.command, (row.version, 0))
                self._receipts[row.command] = (first, row.version)
            before, self.table = self.table, applied(self.table, row.version, row.event())
            self._ledger.follow(before, self.table, row.wall)
            if self._snapshot is not None and self._snapshot.version == row.version:
                self._compare_snapshot(self._snapshot, row.hash)

    def receipts(self) -> None:
        """Compare which command did what with the events themselves."""
        query = "SELECT id, digest, first, last, seal FROM commands"
        missing = dict(self._receipts)
        for name, digest, first, last, seal in self._connection.execute(query):
            if missing.pop(name, None) != (first, last):
                self.problems.append(f"the receipt of {name} names other events than the journal")
            elif Receipt(digest, first, last).seal(name) != seal:
                self.problems.append(f"the receipt of {name} is not what was written")
        self.problems.extend(f"the receipt of {name} is missing" for name in missing)

    def matches(self) -> None:
        """Compare the lines of the matches with those that the replay would write."""
        written = {record.number: record for record in written_records(self._connection, "")}
        for record in self._ledger.records():
            if written.pop(record.number, None) != record:
                self.problems.append(f"the line of match {record.number} differs from the journal")
        self.problems.extend(f"match {number} is not in the journal" for number in written)

    def notes(self) -> None:
        """Check the notes' own seals."""
        self.problems.extend(
            f"the note of {key} is not what was written" for key in changed_notes(self._connection)
        )

    def verdict(self) -> JournalCheck:
        """Sum up."""
        matches = len(self._ledger.records())
        return JournalCheck(self.table.version, len(self._receipts), matches, tuple(self.problems))

    def _compare_snapshot(self, snapshot: Snapshot, seal: bytes) -> None:
        if snapshot.seal != seal.hex() or snapshot.table != self.table:
            self.problems.append("the snapshot differs from the replay; delete it")
