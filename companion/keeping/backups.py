"""Backups: whole copies of the journal in a folder beside it, few, and checked when made."""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.common.clock import compact, label, spoken
from companion.common.whole_file import sync
from companion.journal.chain import (
    GENESIS,
    Head,
    Row,
    check_to_head,
    read_head,
    read_rows,
    read_seal,
)
from companion.journal.file import JournalError, companions, in_words, reader, translated
from companion.journal.opening import JOURNAL
from companion.journal.spans import beginnings
from companion.keeping.folder_files import found, free_name
from companion.referee.events import TableOpened

FOLDER = "backups"
UNFINISHED = "unfinished.db"
Kind = Literal["daily", "before", "asked"]
KEPT: dict[Kind, int] = {"daily": 7, "before": 3, "asked": 7}
"""So many of each kind stay: those of the days, those before an upgrade, those made by hand."""
KINDS = {
    "daily": "of that day",
    "before": "before an upgrade",
    "asked": "made by hand",
    "replaced": "replaced by a restore",
    "rescued": "saved when the journal was lost",
}
CHUNK = 200
NAME = re.compile(r"(daily|before|asked)-.+\.db")

Rest = Callable[[], None]


class Backup(Struct, frozen=True):
    """A file that can be taken as the journal again."""

    path: Path
    kind: str
    changed: float


class Contents(Struct, frozen=True):
    """What is in a journal that was found whole."""

    events: int
    matches: int
    last: str
    """When the last event was written, by the clock on the wall."""

    @property
    def told(self) -> str:
        """Say it in words."""
        matches = "1 match" if self.matches == 1 else f"{self.matches} matches"
        return f"{matches}, up to {spoken(self.last)}" if self.last else matches


def make(
    folder: Path,
    kind: Kind,
    moment: str | None = None,
    *,
    version: str = "",
    rest: Rest = lambda: None,
) -> Path:
    """Copy the journal of a data folder, beside a running table too, and check the copy.

    Only then does it get its name and the oldest of its kind go; `rest` is called now and then.
    """
    try:
        with alone(folder) as place:
            return _make(folder / JOURNAL, place, kind, moment or label(), version, rest)
    except OSError as error:
        raise JournalError(f"no backup could be written: {error.strerror}") from error


def _make(journal: Path, place: Path, kind: Kind, moment: str, version: str, rest: Rest) -> Path:
    fresh = place / UNFINISHED
    try:
        copy(journal, fresh)
        contents(fresh, rest)
        path = _name(place, kind, moment, version, fresh)
        sync(fresh)
        fresh.replace(path)
        sync(place)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
    _thin_out(place, kind, path)
    return path


@contextmanager
def alone(folder: Path) -> Iterator[Path]:
    """Keep every other program from making or rewriting a backup meanwhile."""
    place = folder / FOLDER
    place.mkdir(exist_ok=True, mode=0o700)
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield place
    finally:
        os.close(handle)


def copy(journal: Path, target: Path) -> None:
    """Copy a journal as it is at one moment into one new file, without any log beside it."""
    with suppress(FileNotFoundError):
        target.unlink()
    try:
        with closing(_reader(journal)) as source, closing(sqlite3.connect(target)) as copied:
            source.backup(copied)
            copied.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.Error as error:
        for left in companions(target):
            left.unlink()
        raise _told(error) from error
    target.chmod(0o600)


def contents(path: Path, rest: Rest = lambda: None) -> Contents:
    """Follow the chain of a journal from its first event to its last, and tell what is in it."""
    if not path.exists():
        raise JournalError(f"there is no file {path}")
    last: Row | None = None
    with closing(_reader(path)) as connection:
        head = read_head(connection)
        for row in check_to_head(connection, 0, GENESIS, head):
            last = row
            if row.version % CHUNK == 0:
                rest()
        matches = len(beginnings(connection))
    return Contents(head.version, matches, "" if last is None else last.wall)


def holds_all_play(folder: Path) -> bool:
    """Tell whether the latest backup has all that was played; openings of the table are no play."""
    latest = next((one.path for one in listed(folder) if NAME.fullmatch(one.path.name)), None)
    if latest is None:
        return False
    try:
        head = head_of(latest)
        with closing(_reader(folder / JOURNAL)) as connection:
            if read_seal(connection, head.version) != head.hash:
                return False
            later = read_rows(connection, head.version)
            return all(isinstance(row.event(), TableOpened) for row in later)
    except JournalError:
        return False


def listed(folder: Path) -> list[Backup]:
    """List the files that can be restored, the latest first; they were not looked into."""
    copies = [
        Backup(path, path.name.removeprefix("journal-").partition("-")[0], path.stat().st_mtime)
        for path in found(folder, "copy")
        if path.suffix == ".db"
    ]
    return sorted(copies, key=lambda one: (one.changed, one.path.name), reverse=True)


def holds(journal: Path, head: Head) -> bool:
    """Tell whether this journal goes on from where another one ends, or ends there too."""
    if head.version == 0:
        return True
    with closing(_reader(journal)) as connection:
        return read_seal(connection, head.version) == head.hash


def head_of(journal: Path) -> Head:
    """Tell where a journal ends."""
    with closing(_reader(journal)) as connection:
        return read_head(connection)


def _reader(path: Path) -> sqlite3.Connection:
    """Open a journal for reading; only the table's own may be in use."""
    return reader(path, still=path.name != JOURNAL)


def _name(place: Path, kind: Kind, moment: str, version: str, fresh: Path) -> Path:
    """Choose the name; a day's backup replaces an earlier one of that day if it holds it all."""
    if kind != "daily":
        parts = (kind, version, compact(moment)) if version else (kind, compact(moment))
        return free_name(place / f"{'-'.join(parts)}.db")
    day = place / f"daily-{moment[:10]}.db"
    number = 1
    while day.exists() and not _is_part_of(day, fresh):
        number += 1
        day = place / f"daily-{moment[:10]}-{number}.db"
    return day


def _is_part_of(old: Path, new: Path) -> bool:
    try:
        return holds(new, head_of(old))
    except JournalError:
        return False


def _thin_out(place: Path, kind: Kind, made: Path) -> None:
    """Let the oldest of a kind go, and never the one just made, whatever the clock says."""
    others = [path for path in place.glob(f"{kind}-*.db") if path != made]
    others.sort(key=lambda path: (path.stat().st_mtime, path.name))
    for old in others[: max(0, len(others) + 1 - KEPT[kind])]:
        old.unlink(missing_ok=True)


def _told(error: sqlite3.Error) -> JournalError:
    trouble = translated(error)
    return trouble if type(trouble) is not JournalError else JournalError(in_words(error))
