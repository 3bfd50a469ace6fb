"""Snapshots: the table as it was when a match began, so that a start need not replay the years.

Nothing depends on them. One that does not fit the journal is ignored, and without one the whole
journal is replayed to the same table. One that is damaged is kept aside and told about all the
same, for it is the same card that keeps the journal.
"""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.common.fingerprint import fingerprint
from companion.common.whole_file import sync, write_whole
from companion.journal.file import JournalError
from companion.journal.journal import Journal
from companion.referee.model.table import Table
from companion.referee.sentences import packed, unpacked

log = logging.getLogger(__name__)


class SnapshotDamaged(Exception):
    """The file does not say what was once written into it."""


class Snapshot(Struct, frozen=True):
    """A table, and the event of the journal that it follows from."""

    format: str
    version: int
    seal: str
    """The hash of that event."""
    table: Table


class Snapshots:
    """The one snapshot beside a journal."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._format = fingerprint(Table)

    def save(self, table: Table, journal: Journal) -> None:
        """Keep this table, which is already in the journal; trouble is logged and harms nothing."""
        try:
            seal = journal.seal_of(table.version)
            if seal is None:
                raise JournalError("the journal does not hold that event")
            body = msgspec.json.encode(
                Snapshot(self._format, table.version, seal.hex(), table), enc_hook=packed
            )
            write_whole(self.path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
        except (OSError, JournalError) as trouble:
            log.warning("No snapshot was kept: %s.", trouble)

    def remove(self) -> None:
        """Let the snapshot go; the events tell all that it tells."""
        for left in (self.path, self.path.with_name(self.path.name + ".new")):
            left.unlink(missing_ok=True)
        sync(self.path.parent)

    def load(self, journal: Journal) -> Snapshot | None:
        """Give the snapshot, if it is whole and follows from this very journal.

        Raises SnapshotDamaged if it is not whole.
        """
        snapshot = read_snapshot(self.path)
        if snapshot is None or snapshot.format != self._format:
            return None
        seal = journal.seal_of(snapshot.version)
        return snapshot if seal is not None and seal.hex() == snapshot.seal else None


def read_snapshot(path: Path) -> Snapshot | None:
    """Read a snapshot; None if there is none, or one of another version of the program."""
    try:
        checksum, _, body = path.read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    except OSError as trouble:
        raise SnapshotDamaged(f"it cannot be read ({trouble.strerror})") from trouble
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        raise SnapshotDamaged("it is not what was written")
    try:
        return msgspec.json.decode(body, type=Snapshot, dec_hook=unpacked)
    except msgspec.MsgspecError:
        return None
