"""Opening: from the files of the data folder to the table as it was left."""

from __future__ import annotations

import logging
from collections import deque
from pathlib import Path

from msgspec import Struct

from companion.chain import GENESIS, Row, read_head
from companion.clock import label
from companion.journal import Journal
from companion.journal_file import (
    JournalDamaged,
    JournalError,
    companions,
    create,
    keep_aside,
    put_in_place,
    reader,
)
from companion.log_tail import unreadable_commits
from companion.matches import FORMAT as MATCHES_FORMAT
from companion.matches import Ledger
from companion.recent import KEPT
from companion.referee.apply import apply
from companion.referee.events import Event
from companion.referee.table import Table
from companion.salvage import Salvage
from companion.snapshot import Snapshots

log = logging.getLogger(__name__)

JOURNAL = "journal.db"
SNAPSHOT = "snapshot.json"


class Opened(Struct, frozen=True):
    """The journal and the table that follows from it."""

    journal: Journal
    snapshots: Snapshots
    table: Table
    recent: tuple[Event, ...]
    damage: str | None
    """What to tell on the screen when the journal was found damaged."""


def open_journal(folder: Path) -> Opened:
    """Open the journal in this folder, or begin one, and bring the table back from it.

    A damaged journal is kept aside under another name and never deleted; what is whole of it
    before the damage goes on in a new one.
    """
    path = folder / JOURNAL
    snapshots = Snapshots(folder / SNAPSHOT)
    damage: str | None = None
    try:
        damage = _look_over(path)
        journal = Journal(path)
        try:
            if damage is not None:
                journal.fold_log()
            restored = restore(journal, snapshots)
        except JournalError:
            journal.close()
            raise
    except JournalDamaged as found:
        damage = _replace(path, str(found))
        journal = Journal(path)
        restored = restore(journal, snapshots)
    return Opened(journal, snapshots, restored.table, tuple(restored.recent), damage)


class Restored:
    """A table brought back event by event, and the latest of the events."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.recent: deque[Event] = deque(maxlen=KEPT)

    def follow(self, row: Row) -> None:
        """Go on by one event."""
        event = row.event()
        self.table = applied(self.table, row.version, event)
        self.recent.append(event)


def restore(journal: Journal, snapshots: Snapshots) -> Restored:
    """Bring back the table: the latest snapshot, then every event since, each seal checked."""
    snapshot = snapshots.load(journal)
    if snapshot is None or journal.note("matches") != MATCHES_FORMAT:
        return _replay_all(journal)
    restored = Restored(snapshot.table)
    for row in journal.tail(snapshot.version, bytes.fromhex(snapshot.seal)):
        restored.follow(row)
    return restored


def applied(table: Table, version: int, event: Event) -> Table:
    """Apply an event whose seal was right, so that a failure is no damage of the file."""
    try:
        return apply(table, event)
    except (AssertionError, LookupError, AttributeError, TypeError, ValueError) as mistake:
        raise JournalError(
            f"event {version} cannot be replayed by this version of the companion ({mistake!r})"
        ) from mistake


def _replay_all(journal: Journal) -> Restored:
    """Replay the whole journal, and write the lines of the matches anew on the way."""
    restored, ledger = Restored(Table()), Ledger()
    for row in journal.tail(0, GENESIS):
        before = restored.table
        restored.follow(row)
        ledger.follow(before, restored.table, row.wall)
    try:
        journal.transact(ledger.rewrite)
    except JournalError as trouble:
        log.warning("The list of matches could not be written anew: %s.", trouble)
    return restored


def _look_over(path: Path) -> str | None:
    """Look at the files before anything is written; make a journal where there is none."""
    found = companions(path)
    if not found:
        put_in_place(create(path), path)
        return None
    if path not in found:
        raise JournalDamaged("the journal is gone and only its log is left")
    if path.stat().st_size == 0:
        raise JournalDamaged("the file is empty")
    connection = reader(path)
    try:
        read_head(connection)
        lost = unreadable_commits(path)
    finally:
        connection.close()
    if not lost:
        return None
    aside = keep_aside(path, label(), copy=True)
    sentence = (
        f"The end of the journal was found damaged: the last {lost} entries cannot be read. "
        f"A copy is kept as {aside.name}; the table goes on from before them."
    )
    log.error("%s", sentence)
    return sentence


def _replace(path: Path, why: str) -> str:
    """Keep the damaged journal aside and begin a new one with what is whole of the old."""
    salvage = Salvage(path)
    fresh = create(path, salvage.pour)
    aside = keep_aside(path, label())
    put_in_place(fresh, path)
    rest = "the table begins anew"
    if salvage.events:
        rest = f"the {salvage.events} events before the damage are whole, and the table goes on"
    sentence = f"The journal was found damaged: {why}. It is kept as {aside.name}; {rest}."
    log.error("%s", sentence)
    return sentence
