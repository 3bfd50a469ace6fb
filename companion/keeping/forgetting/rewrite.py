"""One journal written anew without what is forgotten, and compared with the old before it counts.

Every event keeps its number, so that receipts, screens and copies still mean the same; where one is
forgotten, an empty place stays. Only the seals are new, from the first changed event on.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.journal.chain import (
    GENESIS,
    Head,
    Receipt,
    Row,
    chained,
    check_rows,
    check_to_head,
    encoded,
    read_head,
    read_receipt,
    write_rows,
)
from companion.journal.file import JournalDamaged, JournalError, connect, create, reader, sync
from companion.journal.match_list import MatchList
from companion.journal.notes import changed_notes, read_note, write_notes
from companion.journal.opening import applied
from companion.journal.verify import checked_alone
from companion.keeping.forgetting.comparison import Unlike, compare, compare_tables
from companion.keeping.forgetting.plan import Plan, zone_of
from companion.past.highlights.memory import Memory
from companion.referee import events as e
from companion.referee.model.table import Seat, Table

NOTE = "forgotten"
"""Under this key a journal notes how often something was forgotten, and when last; never what."""
CHUNK = 100
TAIL = 1_024
"""So many of the latest events are kept for the screens."""

Rest = Callable[[], None]


class Rewriting:
    """Follows an old journal event by event, and writes the new one beside it."""

    def __init__(self, path: Path, plan: Plan, when: str, rest: Rest = lambda: None) -> None:
        self.path = path
        self.fresh: Path | None = None
        self.changed = False
        """Whether the old journal held anything of what is forgotten."""
        self.table = Table()
        self.boundary: Table | None = None
        """The table from which nobody can go back, which is worth a snapshot."""
        self.version = 0
        self._plan, self._when, self._rest = plan, when, rest
        self._old = Table()
        self._seal, self._at, self._wall = GENESIS, 0, ""
        self._command: str | None = None
        self._ledger, self._old_ledger = MatchList(), MatchList()
        self._memory, self._old_memory = Memory(), Memory()
        self._blanked: set[str] = set()
        """The commands of which something was forgotten."""

    def prepare(self) -> None:
        """Write the new journal beside the old one, and check it; the old one is only read."""
        with closing(reader(self.path, still=self.path.name != "journal.db")) as old:
            old.execute("BEGIN")
            self._zone = zone_of(old, self._plan)
            self.renaming = self._plan.renaming(old)
            if any(changed_notes(old)):
                raise JournalDamaged("a note is not what was written")
            self.fresh = create(self.path, lambda new: self._pour(old, new))
        self._compare()
        verdict, replayed = checked_alone(self.fresh)
        if verdict.problems:
            raise Unlike(verdict.problems[0])
        if replayed != self.table:
            raise Unlike("the replay")

    def catch_up(self, old: sqlite3.Connection) -> None:
        """Write what was added meanwhile, so that the new journal ends where the old one does."""
        assert self.fresh is not None
        head = read_head(old)
        since = self.version
        if head.version > since:
            rows = list(check_rows(old, since, self._old_seal))
            if any(self._plan.concerns(row.body) for row in rows):
                raise Unlike("the table went on")
            with closing(connect(self.fresh)) as new:
                new.execute("BEGIN IMMEDIATE")
                self._write(old, new, rows)
                self._ledger.write(new)
                new.execute("COMMIT")
            sync(self.fresh)
            steps = head.version - since + 1
            compare_tables(self._old, self.table, self.renaming, self._gone, steps)
        if (self.version, self._old_seal) != (head.version, head.hash):
            raise JournalDamaged(f"the journal should end with event {head.version}")

    def recent(self) -> tuple[e.Event, ...]:
        """Give the latest events as they are told from now on."""
        assert self.fresh is not None
        with closing(reader(self.fresh, still=True)) as new:
            after = max(0, self.version - TAIL)
            query = "SELECT * FROM events WHERE version > ? ORDER BY version"
            return tuple(Row(*found).event() for found in new.execute(query, (after,)))

    def discard(self) -> None:
        """Leave nothing of the new journal, where it does not count."""
        for left in self.path.parent.glob(f"{self.path.name}.new*"):
            left.unlink(missing_ok=True)

    def _pour(self, old: sqlite3.Connection, new: sqlite3.Connection) -> None:
        head = read_head(old)
        self._old_seal = GENESIS
        chunk: list[Row] = []
        for row in check_to_head(old, 0, GENESIS, head):
            chunk.append(row)
            if len(chunk) == CHUNK:
                self._write(old, new, chunk)
                chunk = []
                self._rest()
        self._write(old, new, chunk)
        self._copy_notes(old, new)
        self._ledger.rewrite(new)

    def _write(self, old: sqlite3.Connection, new: sqlite3.Connection, rows: list[Row]) -> None:
        written = [self._follow(row) for row in rows]
        commands = dict.fromkeys(row.command for row in rows if row.command is not None)
        receipts = dict(self._receipts(old, commands))
        write_rows(
            new,
            written,
            receipts,
            Head(self.version, self._seal, self._at if self.version else None),
        )

    def _receipts(
        self, old: sqlite3.Connection, commands: dict[str, None]
    ) -> Iterator[tuple[str, Receipt]]:
        """Keep what each command did, so that a late repetition of it still counts once."""
        for command in commands:
            receipt = read_receipt(old, command)
            if receipt is None:
                raise JournalDamaged(f"the receipt of {command} is missing")
            if receipt.last > self.version:
                # It is written with the last of its events.
                continue
            name = self.renaming.id(command)
            blank = command in self._blanked or name != command
            yield name, Receipt(b"", receipt.first, receipt.last) if blank else receipt

    def _follow(self, row: Row) -> Row:
        old_event, before_old, before = row.event(), self._old, self.table
        self._old = applied(before_old, row.version, old_event)
        at, wall, body = row.at, row.wall, row.body
        if self._zone is not None and self._zone.holds(row.version):
            body = encoded(self._instead(row.version))
            same_command = row.command is not None and row.command == self._command
            at = self._at if same_command and self._at < self._zone.last_at else self._zone.last_at
            wall = self._wall
        elif self.renaming.concerns(body):
            body = self.renaming.body(body)
            about = f"event {row.version}"
            old_body = msgspec.json.decode(row.body)
            compare(about, old_body, msgspec.json.decode(body), self.renaming)
        changed = body != row.body
        self.changed = self.changed or changed
        if changed and row.command is not None:
            self._blanked.add(row.command)
        command = None if row.command is None else self.renaming.id(row.command)
        self._seal = chained(self._seal, row.version, command, at, wall, body)
        kept = Row(row.version, command, at, wall, body, self._seal)
        event = kept.event() if changed else old_event
        # As long as nothing differs, one replay does for both.
        same = before is before_old and not changed
        self.table = self._old if same else applied(before, row.version, event)
        if isinstance(event, e.MatchStarted | e.MatchForgotten):
            self.boundary = self.table
        self._ledger.follow(before, self.table, wall)
        self._old_ledger.follow(before_old, self._old, row.wall)
        self._memory.follow(event)
        self._old_memory.follow(old_event)
        self.version, self._old_seal = row.version, row.hash
        self._at, self._wall, self._command = at, wall, row.command
        return kept

    @property
    def _gone(self) -> int | None:
        """The match that was in the old journal and is not in the new one."""
        return None if self._zone is None else self._plan.match

    def _instead(self, version: int) -> e.Event:
        assert self._zone is not None
        assert self._plan.match is not None
        if version < self._zone.last:
            return e.Forgotten()
        left = self._old
        seats = [msgspec.to_builtins(seat) for seat in left.game.seats]
        plain = self.renaming.body(msgspec.json.encode(seats))
        return e.MatchForgotten(
            match=self._plan.match,
            seats=msgspec.json.decode(plain, type=tuple[Seat, ...]),
            setup=left.game.setup,
            players=left.game.players,
            editions=left.editions,
            timing=left.timing,
            aside=left.aside,
            awaiting_button=left.awaiting_button,
        )

    def _copy_notes(self, old: sqlite3.Connection, new: sqlite3.Connection) -> None:
        keys = [str(key) for (key,) in old.execute("SELECT key FROM notes")]
        notes = {key: read_note(old, key) for key in keys if not key.endswith(".seal")}
        said = (notes.get(NOTE) or "0").split()[0]
        times = int(said) + 1 if said.isdigit() else 1
        kept = {key: value for key, value in notes.items() if value is not None}
        write_notes(new, kept | {NOTE: f"{times} {self._when}"})

    def _compare(self) -> None:
        """Compare all that was derived from the old journal with the same of the new one."""
        gone, old = self._gone, self._old
        if old.game.match is not None and old.game.match.number == gone:
            # A copy may have been made in the middle of it.
            old = replace(old, game=replace(old.game, match=None))
        compare_tables(old, self.table, self.renaming, gone)
        before = [record for record in self._old_ledger.records() if record.number != gone]
        after = self._ledger.records()
        if len(before) != len(after):
            raise Unlike("the list of matches")
        for record, other in zip(before, after, strict=True):
            compare("the list of matches", _plain(record), _plain(other), self.renaming)
            self._rest()
        told = {number: one for number, one in self._old_memory.matches.items() if number != gone}
        if told != self._memory.matches:
            raise Unlike("the moments of a match")


def rewrite_copy(path: Path, plan: Plan, when: str, rest: Rest = lambda: None) -> bool:
    """Write a backup anew, if it holds any of what is forgotten; tells whether it did."""
    rewriting = Rewriting(path, plan, when, rest)
    try:
        rewriting.prepare()
        assert rewriting.fresh is not None
        if not rewriting.changed:
            return False
        before = path.stat()
        _settle(rewriting.fresh)
        rewriting.fresh.chmod(before.st_mode & 0o777)
        os.utime(rewriting.fresh, ns=(before.st_atime_ns, before.st_mtime_ns))
        sync(rewriting.fresh)
        fold(path)
        rewriting.fresh.replace(path)
        sync(path.parent)
    except OSError as error:
        raise JournalError(str(error.strerror)) from error
    finally:
        rewriting.discard()
    return True


def fold(path: Path) -> None:
    """Bring a log that lies beside a copy into it, and leave nothing beside it."""
    beside = [path.with_name(path.name + end) for end in ("-wal", "-shm")]
    if beside[0].exists():
        connection = connect(path)
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            connection.close()
    for file in (*beside, path.with_name(path.name + "-head")):
        file.unlink(missing_ok=True)
    sync(path.parent)


def _plain(value: object) -> Any:
    return msgspec.to_builtins(value, str_keys=True)


def _settle(fresh: Path) -> None:
    """A copy needs no log, and has none beside it."""
    with closing(sqlite3.connect(fresh)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()
