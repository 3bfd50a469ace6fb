"""Opening: from the files of the data folder to the table as it was left."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from companion.common.clock import label
from companion.journal.chain import GENESIS, Row, read_head
from companion.journal.damage.file_integrity import check_file, check_outline, unreadable_commits
from companion.journal.damage.lost import check_not_lost
from companion.journal.damage.salvage import Salvage
from companion.journal.file import (
    JournalDamaged,
    JournalError,
    create,
    keep_aside,
    put_in_place,
    reader,
    take_back_half_done,
)
from companion.journal.journal import Journal
from companion.journal.markers import heard
from companion.journal.notes import DOUBT
from companion.journal.snapshot import Snapshot, SnapshotDamaged, Snapshots
from companion.referee.apply import apply
from companion.referee.events import Event
from companion.referee.model.table import Table

log = logging.getLogger(__name__)

T = TypeVar("T")
JOURNAL = "journal.db"
SNAPSHOT = "snapshot.json"
RECENT = 1_024
"""So many of the latest events are known, and with them what has changed since then."""


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
    snapshots = Snapshots(folder / SNAPSHOT)
    journal, restored, damage = open_whole(
        folder / JOURNAL, lambda journal: restore(journal, snapshots)
    )
    damages = [damage, *restored.damage]
    sentence = " ".join(filter(None, damages)) or None
    return Opened(journal, snapshots, restored.table, tuple(restored.recent), sentence)


def open_whole(path: Path, read: Callable[[Journal], T]) -> tuple[Journal, T, str | None]:
    """Open a journal, read it, and tell what was found damaged; then it begins anew before that."""
    try:
        damage = _look_over(path)
        journal = Journal(path)
        try:
            if journal.note(DOUBT):
                check_file(journal.connection)
            _fold_log(journal)
            return journal, read(journal), damage
        except JournalError:
            journal.close()
            raise
    except JournalDamaged as found:
        damage = _replace(path, str(found))
    journal = Journal(path)
    return journal, read(journal), damage


class ReplayedTable:
    """A table brought back event by event, and the latest of the events."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.recent: deque[Event] = deque(maxlen=RECENT)
        self.damage: list[str] = []
        """What was found damaged beside the events."""

    def follow(self, row: Row) -> None:
        """Go on by one event."""
        event = row.event()
        self.table = applied(self.table, row.version, event)
        self.recent.append(event)


def restore(journal: Journal, snapshots: Snapshots) -> ReplayedTable:
    """Bring back the table: the latest snapshot, then every event since, each seal checked."""
    damage: list[str] = []
    snapshot = None
    try:
        snapshot = snapshots.load(journal)
    except SnapshotDamaged as found:
        damage.append(_put_aside(snapshots.path, str(found)))
    for key in journal.changed_notes():
        why = f"A note in the journal, of {key}, was found damaged"
        damage.append(_copied_first(journal.path, why, "it is made anew"))
    restored = replayed(journal, snapshot)
    restored.damage = damage
    return restored


def applied(table: Table, version: int, event: Event) -> Table:
    """Apply an event whose seal was right, so that a failure is no damage of the file."""
    try:
        return apply(table, event)
    except (AssertionError, LookupError, AttributeError, TypeError, ValueError) as mistake:
        raise JournalError(
            f"event {version} cannot be replayed by this version of the companion ({mistake!r})"
        ) from mistake


def replayed(journal: Journal, snapshot: Snapshot | None) -> ReplayedTable:
    """Bring the table back from the events after a snapshot, or from all of them."""
    if snapshot is None:
        restored, version, seal = ReplayedTable(Table()), 0, GENESIS
    else:
        restored = ReplayedTable(snapshot.table)
        version, seal = snapshot.version, bytes.fromhex(snapshot.seal)
    for row in journal.tail(version, seal):
        restored.follow(row)
    return restored


def _fold_log(journal: Journal) -> None:
    """Bring the log into the file: what a killed program wrote last may not be on disk yet."""
    try:
        journal.fold_log()
    except JournalDamaged:
        raise
    except JournalError as trouble:
        log.warning("The log could not be folded in: %s.", trouble)


def _ended_badly(path: Path) -> bool:
    """Whether the last run left a log; that is written into the file once it is opened."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _look_over(path: Path) -> str | None:
    """Look at the files before anything is written; make a journal where there is none."""
    check_not_lost(path)
    if not path.exists():
        put_in_place(create(path), path)
        return None
    if path.stat().st_size == 0:
        raise JournalDamaged("the file is empty")
    take_back_half_done(path)
    connection = reader(path)
    try:
        end, had = read_head(connection).version, heard(path)
        if _ended_badly(path):
            check_file(connection)
        else:
            check_outline(connection, path)
        lost = unreadable_commits(path)
    finally:
        connection.close()
    if lost:
        why = f"the last {lost} entries cannot be read"
    elif had > end:
        why = f"it had come to event {had} and ends with event {end}"
    else:
        return None
    aside = keep_aside(path, label(), copy=True)
    return _told(
        f"The end of the journal was found damaged: {why}. "
        f"A copy is kept as {aside.name}; the table goes on from before them."
    )


def _replace(path: Path, why: str) -> str:
    """Keep the damaged journal aside and begin a new one with what is whole of the old."""
    salvage = Salvage(path)
    fresh = create(path, salvage.pour)
    aside = keep_aside(path, label())
    put_in_place(fresh, path)
    rest = "the table begins anew"
    if salvage.events:
        rest = f"the {salvage.events} events before the damage are whole, and the table goes on"
    return _told(f"The journal was found damaged: {why}. It is kept as {aside.name}; {rest}.")


def _copied_first(path: Path, why: str, repair: str) -> str:
    """Keep the journal as it is before something in it is written anew."""
    aside = keep_aside(path, label(), copy=True)
    return _told(f"{why}. A copy is kept as {aside.name}; {repair}, and nothing is lost.")


def _put_aside(snapshot: Path, why: str) -> str:
    """Keep a damaged snapshot; the events tell all that it told."""
    kept = "It could not be kept aside"
    try:
        kept = f"It is kept as {keep_aside(snapshot, label()).name}"
    except JournalError as trouble:
        log.warning("%s: %s.", kept, trouble)
    return _told(
        f"The snapshot beside the journal was found damaged: {why}. {kept}; "
        "the journal was replayed instead, and nothing is lost."
    )


def _told(sentence: str) -> str:
    log.error("%s", sentence)
    return sentence
