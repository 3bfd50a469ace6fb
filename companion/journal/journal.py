"""The journal: every event is on disk before anyone sees it, and rows are only ever added.

SQLite keeps the file whole through a power cut; the chain of seals notices what SQLite cannot, a
changed byte in the middle.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.journal.chain import (
    GENESIS,
    Head,
    Receipt,
    Row,
    chained,
    check_to_head,
    read_head,
    read_receipt,
    read_rows,
    write_rows,
)
from companion.journal.file import (
    JournalError,
    changing_over,
    companions,
    connect,
    in_words,
    put_in_place,
    sync,
    translated,
)
from companion.journal.head_marker import HeadMarker
from companion.journal.notes import changed_notes, read_note, write_notes


class Entry(Struct, frozen=True):
    """What one command made happen, ready to be written."""

    bodies: tuple[bytes, ...]
    at: int
    command: str | None = None
    digest: bytes = b""


class Journal:
    """The open journal; one thread at a time uses it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._head_marker = HeadMarker(path)
        self._connection = connect(path)
        try:
            self.head = read_head(self._connection)
        except JournalError:
            self._connection.close()
            raise

    def append(
        self,
        entries: Sequence[Entry],
        wall: str,
        beside: Callable[[sqlite3.Connection], None] | None = None,
    ) -> None:
        """Write all entries in one transaction that is synced to the disk once, or none of them.

        `beside` writes what must never differ from the events, in the same transaction.
        """
        version, seal, at = self.head.version, self.head.hash, self.head.at
        rows: list[Row] = []
        receipts: dict[str, Receipt] = {}
        for entry in entries:
            first = version + 1
            for body in entry.bodies:
                version, at = version + 1, entry.at
                seal = chained(seal, version, entry.command, at, wall, body)
                rows.append(Row(version, entry.command, at, wall, body, seal))
            if entry.command is not None:
                receipts[entry.command] = Receipt(entry.digest, first, version)
        head = Head(version, seal, at)

        def write(connection: sqlite3.Connection) -> None:
            write_rows(connection, rows, receipts, head)
            if beside is not None:
                beside(connection)

        self.transact(write)
        self.head = head
        self._head_marker.note(version)

    def transact(self, write: Callable[[sqlite3.Connection], None]) -> None:
        """Let `write` happen as a whole and on disk, or not at all."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            write(self._connection)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise JournalError(in_words(error)) from error
        except BaseException:
            self._roll_back()
            raise

    def reopen(self) -> None:
        """Begin again after trouble: only a fresh connection knows what really reached the disk.

        A log that could not be synced may be readable and yet not on disk, and Linux does not try
        to sync the same bytes again; so what it holds is written once more before it is believed.
        """
        self._connection.close()
        self._connection = connect(self.path)
        self.fold_log()
        self.head = read_head(self._connection)

    def give_way(self, fresh: Path) -> None:
        """Let a new file take this one's place, which tells up to the same event.

        The old log is empty and its name gone before that, or it would be taken for the new one's;
        were the power cut at any moment, one of the two journals would be found whole.
        """
        self.fold_log(patience=0.1)
        self._connection.close()
        with changing_over:
            try:
                for beside in companions(self.path)[1:]:
                    beside.unlink()
                sync(self.path.parent)
            except OSError as error:
                raise JournalError(f"{error.strerror}: {self.path}") from error
            put_in_place(fresh, self.path)
            self._connection = connect(self.path)
        self.head = read_head(self._connection)
        self._head_marker.note(self.head.version)

    @property
    def connection(self) -> sqlite3.Connection:
        """What it is read through; nobody else may write through it."""
        return self._connection

    def rows(self, after: int = 0, up_to: int | None = None) -> Iterator[Row]:
        """Read rows in order, without checking their seals."""
        return read_rows(self._connection, after, up_to)

    def tail(self, after: int, seal: bytes) -> Iterator[Row]:
        """Read the rows after a known one up to the head, each checked against the one before."""
        return check_to_head(self._connection, after, seal, self.head)

    def seal_of(self, version: int) -> bytes | None:
        """Look up the seal of one event."""
        if version == 0:
            return GENESIS
        found = self._ask("SELECT hash FROM events WHERE version = ?", version)
        return found[0] if found is not None and isinstance(found[0], bytes) else None

    def receipt(self, command: str) -> Receipt | None:
        """Look up what this id has already done."""
        return read_receipt(self._connection, command)

    def note(self, key: str) -> str | None:
        """Look up a note, such as the clock's offset; notes are no part of what happened."""
        try:
            return read_note(self._connection, key)
        except sqlite3.Error as error:
            raise translated(error) from error

    def changed_notes(self) -> tuple[str, ...]:
        """Name the notes that are not what was written."""
        try:
            return tuple(changed_notes(self._connection))
        except sqlite3.Error as error:
            raise translated(error) from error

    def keep_notes(self, notes: Mapping[str, str]) -> None:
        """Write notes down."""
        self.transact(lambda connection: write_notes(connection, notes))

    def fold_log(self, patience: float = 5.0) -> None:
        """Bring SQLite's log into the file and empty it, with all that is unreadable in it.

        For so many seconds it waits for those who read.
        """
        try:
            self._connection.execute(f"PRAGMA busy_timeout = {round(patience * 1000)}")
            query = "PRAGMA wal_checkpoint(TRUNCATE)"
            _busy, frames, folded = self._connection.execute(query).fetchone()
            self._connection.execute("PRAGMA busy_timeout = 5000")
        except sqlite3.Error as error:
            raise translated(error) from error
        if folded < frames:
            raise JournalError("somebody still reads the journal")

    def close(self) -> None:
        """Close the file; its write-ahead log is folded in."""
        self._connection.close()
        self._head_marker.close()

    def _ask(self, query: str, value: object) -> tuple[Any, ...] | None:
        try:
            found: tuple[Any, ...] | None = self._connection.execute(query, (value,)).fetchone()
        except sqlite3.Error as error:
            raise translated(error) from error
        return found

    def _roll_back(self) -> None:
        # SQLite may have rolled back by itself; `reopen` finds out what is on disk.
        with contextlib.suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
