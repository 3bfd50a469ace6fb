"""The journal: every event is on disk before anyone sees it, and rows are only ever added.

SQLite keeps the file whole through a power cut; the chain of seals notices what SQLite cannot, a
changed byte in the middle.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from companion.common.clock import compact, milliseconds
from companion.common.whole_file import sync
from companion.journal.bodies import encoded_all
from companion.journal.chain import (
    GENESIS,
    Head,
    Receipt,
    Row,
    check_to_head,
    command_key,
    read_head,
    read_receipt,
    read_rows,
    read_seal,
    sealed,
    write_rows,
)
from companion.journal.damage.file_integrity import check_file
from companion.journal.damage.lost import JournalLost, OpenFiles
from companion.journal.file import JournalError, connect, in_words, reader, translated
from companion.journal.markers import HeadMarker, note_players
from companion.journal.names import Names, names_after
from companion.journal.notes import (
    IDENTITY,
    changed_notes,
    new_identity,
    read_note,
    write_notes,
)
from companion.referee import events as e
from companion.referee.model.table import Table

log = logging.getLogger(__name__)


class Line(Struct, frozen=True):
    """One event, ready to be written."""

    kind: str
    match: int | None
    body: bytes
    names: Names = {}


class Entry(Struct, frozen=True):
    """What one command made happen, ready to be written."""

    lines: tuple[Line, ...]
    at: int
    command: str | None = None
    digest: bytes = b""


def entry(
    before: Table,
    events: Sequence[e.Event],
    after: Table,
    at: int,
    command: str | None = None,
    digest: bytes = b"",
) -> Entry:
    """Write down what a command made happen, with the table as it was and as it became."""
    starts = any(isinstance(event, e.MatchStarted) for event in events)
    match, lines = before.game.matches, []
    for event, (kind, body, names) in zip(events, encoded_all(events), strict=True):
        if isinstance(event, e.MatchStarted if starts else e.Undone | e.Redone):
            match = after.game.matches
        if isinstance(event, e.Undone | e.Redone):
            names = names_after(before, events, after)
        lines.append(Line(kind, match or None, body, names))
    return Entry(tuple(lines), at, command, digest)


class Journal:
    """The open journal; one thread at a time uses it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._head_marker = HeadMarker(path)
        self._files = OpenFiles(path)
        self._connection = connect(path)
        try:
            self.head = read_head(self._connection)
            self.identity = self.note(IDENTITY) or ""
            """Names this journal; empty where none was noted yet."""
            self._files.written()
        except JournalError:
            self._connection.close()
            raise

    def append(self, entries: Sequence[Entry], wall: str) -> None:
        """Write all entries in one transaction that is synced to the disk once, or none of them."""
        version, moment = self.head.version, milliseconds(wall)
        rows: list[Row] = []
        for one in entries:
            for part, line in enumerate(one.lines):
                version += 1
                named = one.command is not None and part == 0
                rows.append(
                    Row(
                        version=version,
                        kind=line.kind,
                        match=line.match,
                        command=command_key(one.command or "") if named else None,
                        part=part,
                        digest=one.digest if named else None,
                        at=one.at,
                        moment=moment,
                        body=line.body,
                        hash=b"",
                        names=line.names,
                    )
                )
        rows = sealed(rows, self.head.hash)
        head = self.head if not rows else Head(version, rows[-1].hash, rows[-1].at)

        self.transact(lambda connection: write_rows(connection, rows, head))
        self.head = head
        self._head_marker.note(version)
        if given := {player for row in rows for player in row.names}:
            note_players(self.path.parent, max(given))

    def transact(self, write: Callable[[sqlite3.Connection], None]) -> None:
        """Let `write` happen as a whole, on disk and at the journal's place, or not at all."""
        self.look_for_itself()
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
        finally:
            self._files.written()
        self.look_for_itself()

    def look_for_itself(self) -> None:
        """Raise JournalLost where the open files are no longer those at the journal's place.

        Another file may also have been copied over the journal, into its very place.
        """
        try:
            foreign = self._files.check()
        except OSError as error:
            raise JournalError(f"{error.strerror}: {self.path}") from error
        if foreign:
            try:
                self._check_whole(self.path)
            except (sqlite3.Error, JournalError) as trouble:
                log.error("Somebody has written into the journal: %s.", trouble)
                raise JournalLost("replaced", self.path) from trouble
            self._files.written()

    def _check_whole(self, path: Path, *, still: bool = False) -> None:
        """Read a file from its first event to the head of this journal, as others would find it."""
        with contextlib.closing(reader(path, still=still)) as connection:
            check_file(connection)
            deque(check_to_head(connection, 0, GENESIS, self.head), maxlen=0)

    def rescue(self, label: str) -> str | None:
        """Copy a lost journal, which can be read for as long as it is open; tell the copy's name.

        A copy that is not whole up to the last event is of no use, and does not stay.
        """
        target = self.path.with_name(f"{self.path.stem}-rescued-{compact(label)}{self.path.suffix}")
        try:
            with contextlib.closing(sqlite3.connect(target)) as copy:
                self._connection.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE").fetchone()
            self._check_whole(target, still=True)
            sync(target)
            sync(target.parent)
        except (sqlite3.Error, JournalError, OSError) as trouble:
            log.error("The lost journal could not be copied: %s.", trouble)
            with contextlib.suppress(OSError):
                target.unlink(missing_ok=True)
            return None
        return target.name

    def reopen(self) -> None:
        """Begin again after trouble: only a fresh connection knows what really reached the disk.

        A log that could not be synced may be readable and yet not on disk, and Linux does not try
        to sync the same bytes again; so what it holds is written once more before it is believed.
        """
        self.look_for_itself()
        self._connection.close()
        self._files.new_log()
        self._connection = connect(self.path)
        self.fold_log()
        self.head = read_head(self._connection)

    @property
    def connection(self) -> sqlite3.Connection:
        """What it is read through; only this class writes through it."""
        return self._connection

    def rows(self, after: int = 0, up_to: int | None = None) -> Iterator[Row]:
        """Read rows in order, without checking their seals."""
        return read_rows(self._connection, after, up_to)

    def tail(self, after: int, seal: bytes) -> Iterator[Row]:
        """Read the rows after a known one up to the head, each checked against the one before."""
        return check_to_head(self._connection, after, seal, self.head)

    def seal_of(self, version: int) -> bytes | None:
        """Look up the seal of one event."""
        return read_seal(self._connection, version)

    def receipt(self, command: str) -> Receipt | None:
        """Look up what this id has already done."""
        return read_receipt(self._connection, command)

    def note(self, key: str) -> str | None:
        """Look up a note, such as the clock's offset; notes are no part of what happened."""
        try:
            return read_note(self._connection, key)
        except sqlite3.Error as error:
            raise translated(error) from error

    def keep_identity(self) -> None:
        """Give a journal that has no name one that no other has."""
        if not self.identity:
            self.keep_notes(identity := new_identity())
            self.identity = identity[IDENTITY]

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
        finally:
            self._files.written()
        if folded < frames:
            raise JournalError("somebody still reads the journal")

    def close(self) -> None:
        """Close the file; its write-ahead log is folded in."""
        self._connection.close()
        self._files.close()
        self._head_marker.close()

    def _roll_back(self) -> None:
        # SQLite may have rolled back by itself; `reopen` finds out what is on disk.
        with contextlib.suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
