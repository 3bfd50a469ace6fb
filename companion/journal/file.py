"""The journal's file: how it is made, opened, recognised, and kept aside when it is damaged."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.common.whole_file import sync

FORMAT = 3
"""The number of this layout of the journal; a file with a higher one is refused."""
OLDEST = 3
"""Files with a lower number are refused too; they were written before the first release."""

APPLICATION = 0x7461626C
"""Marks the file as a table's journal."""

PAGE = 512
"""Bytes of a page, which is written whole for every byte that changes in it; a command changes a
few bytes in each of several pages. A journal keeps the size that it was made with."""
LOG = 4_000
"""So many pages may SQLite's log have before they are folded into the file."""

SCHEMA = f"""
PRAGMA page_size = {PAGE};
CREATE TABLE events (
    version INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    match INTEGER,
    command BLOB,
    part INTEGER NOT NULL,
    digest BLOB,
    at INTEGER,
    moment INTEGER,
    body BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE INDEX events_by_kind ON events (kind) WHERE kind > 0;
CREATE UNIQUE INDEX events_by_command ON events (command) WHERE command IS NOT NULL;
CREATE TABLE names (
    version INTEGER NOT NULL,
    player INTEGER NOT NULL,
    name TEXT NOT NULL,
    seal BLOB NOT NULL,
    PRIMARY KEY (version, player)
) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten (
    version INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,
    seal BLOB NOT NULL
) STRICT;
CREATE TABLE head (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    format INTEGER NOT NULL,
    version INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TABLE notes (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TRIGGER events_stay BEFORE UPDATE ON events
    WHEN NOT EXISTS (SELECT 1 FROM forgotten WHERE version = old.version)
    BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER events_last BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
INSERT INTO head VALUES (1, {FORMAT}, 0, zeroblob(16));
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""

_DAMAGE = (
    sqlite3.SQLITE_ERROR,  # a table or column is gone
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_NOTADB,
)


class JournalError(Exception):
    """The journal cannot be read or written now; nothing was recorded."""

    exit_code = 1

    @property
    def sentence(self) -> str:
        """What to tell a person."""
        return f"The journal cannot be used: {self}."


class JournalOfAnotherVersion(JournalError):
    """The journal is whole, but of a layout that this version does not know."""

    exit_code = 2

    @property
    def sentence(self) -> str:
        """What to tell a person."""
        return str(self)


class JournalTooNew(JournalOfAnotherVersion):
    """The journal was written by a later version of the companion."""


class JournalTooOld(JournalOfAnotherVersion):
    """The journal was written before the first release of the companion."""


class JournalDamaged(JournalError):
    """The journal does not say what was once written into it."""


def in_words(error: sqlite3.Error) -> str:
    """Say what went wrong with the file as a person would."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_FULL:
            return "the disk is full"
        case sqlite3.SQLITE_IOERR:
            return "the disk reports an error"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return "the data folder is read-only"
        case sqlite3.SQLITE_CANTOPEN:
            return "the journal's file cannot be opened"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return "another program holds the journal"
        case _:
            return f"the journal's file gives an error: {error}"


def translated(error: sqlite3.Error) -> JournalError:
    """Tell damage from trouble."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code & 0xFF in _DAMAGE or code == sqlite3.SQLITE_IOERR_SHORT_READ:
        return JournalDamaged(str(error))
    return JournalError(in_words(error))


def create(path: Path, fill: Callable[[sqlite3.Connection], None] | None = None) -> Path:
    """Make a new journal beside where it shall stand; `put_in_place` then gives it its name.

    So a half-made journal is never found under the name of a whole one.
    """
    fresh = path.with_name(path.name + ".new")
    try:
        for leftover in companions(fresh):
            leftover.unlink(missing_ok=True)
        connection = _plain(fresh, "rwc")
        try:
            connection.executescript(SCHEMA)
            if fill is not None:
                connection.execute("BEGIN")
                fill(connection)
                connection.execute("COMMIT")
            # Changed over here and not later, where a power cut could leave it half done.
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
        finally:
            connection.close()
        sync(fresh)
    except sqlite3.Error as error:
        raise JournalError(in_words(error)) from error
    except OSError as error:
        raise JournalError(f"{error.strerror}: {path.parent}") from error
    return fresh


def put_in_place(fresh: Path, path: Path) -> None:
    """Give a new journal its name."""
    try:
        fresh.rename(path)
        sync(path.parent)
    except OSError as error:
        raise JournalError(f"{error.strerror}: {path}") from error


def connect(path: Path) -> sqlite3.Connection:
    """Open an existing journal for writing, so that a commit means that it is on disk."""
    with _opened(path, "rw") as connection:
        recognise(connection)
        connection.execute("PRAGMA journal_mode = WAL").fetchone()
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA wal_autocheckpoint = {LOG}")
    return connection


def reader(path: Path, *, known: bool = True, still: bool = False) -> sqlite3.Connection:
    """Open a journal for reading only, beside a running table or on a disk that is read-only.

    With `known` false the file may be anything that SQLite can read. With `still` nobody writes
    to it, as to a backup, so that no log is begun beside it.
    """
    take_back_half_done(path)
    log = path.with_name(path.name + "-wal")
    changing = path.with_name(path.name + "-journal").exists()
    unlogged = not changing and (not log.exists() or log.stat().st_size == 0)
    frozen = unlogged and (still or not os.access(path.parent, os.W_OK))
    with _opened(path, "ro&immutable=1" if frozen else "ro") as connection:
        if known:
            # The first question also opens the log, and both stay open from then on.
            recognise(connection)
    return connection


def change_copy(path: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    """Change a backup in its place, wholly and on disk, or not at all; no log stays beside it."""
    connection = _plain(path, "rw")
    try:
        recognise(connection)
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        # What is taken back after a power cut is gone from the folder before this counts as done.
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("BEGIN IMMEDIATE")
        change(connection)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise translated(error) from error
    finally:
        # Closing takes back what was not finished.
        connection.close()


def take_back_half_done(path: Path) -> None:
    """Take back a change of the file that a power cut left half done, where one may write."""
    if not path.with_name(path.name + "-journal").exists() or not os.access(path, os.W_OK):
        return
    try:
        with closing(_plain(path, "rw")) as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error as error:
        raise translated(error) from error


def recognise(connection: sqlite3.Connection) -> None:
    """Check that this is a journal, of a format that this program knows."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (written,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise JournalDamaged("the file does not carry a journal's mark")
    try:
        (noted,) = connection.execute("SELECT format FROM head").fetchone() or (None,)
    except sqlite3.OperationalError:
        # A later format may keep its head elsewhere; that is no reason to put it aside.
        noted = written if written > FORMAT else None
    except UnicodeDecodeError as error:
        # SQLite quotes the spoiled letters of its own table of contents.
        raise JournalDamaged("the file's tables cannot be read any more") from error
    if written != noted:
        raise JournalDamaged("the file does not tell its format any more")
    if written > FORMAT:
        raise JournalTooNew(
            f"This journal was written by a later version of the companion (format {written}; "
            f"this one knows {FORMAT}). Update the companion. Nothing was changed."
        )
    if written < OLDEST:
        raise JournalTooOld(
            f"This journal was written before the companion was first released (format {written}; "
            f"the oldest that can be read is {OLDEST}). Use another data folder, or the version "
            "that wrote it. Nothing was changed."
        )


def companions(path: Path) -> list[Path]:
    """List the files that SQLite keeps for one database, those that exist."""
    names = (path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal"))
    return [name for name in names if name.exists()]


def keep_aside(path: Path, label: str, *, copy: bool = False) -> Path:
    """Give a damaged journal another name, together with its log; nothing is deleted.

    With `copy` the journal also stays, because it can go on.
    """
    stamp = "".join(letter for letter in label if letter.isalnum())
    aside = path.with_name(f"{path.stem}-damaged-{stamp}{path.suffix}")
    number = 1
    while companions(aside):
        number += 1
        aside = path.with_name(f"{path.stem}-damaged-{stamp}-{number}{path.suffix}")
    try:
        # The database goes last: were the power cut in between, the next start would see it still.
        for found in reversed(companions(path)):
            name = aside.with_name(aside.name + found.name.removeprefix(path.name))
            if copy:
                shutil.copy2(found, name)
                sync(name)
            else:
                found.rename(name)
        sync(path.parent)
    except OSError as error:
        raise JournalError(f"the damaged journal cannot be kept aside: {error.strerror}") from error
    return aside


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open the file and leave it open, unless what is done to it here fails."""
    try:
        connection = _plain(path, mode)
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise translated(error) from error


def _plain(path: Path, mode: str) -> sqlite3.Connection:
    address = f"file:{_quoted(path)}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA busy_timeout = 5000")
    # A damaged text must reach the check of the seals, not stop the reading.
    connection.text_factory = _lenient
    return connection


def _lenient(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _quoted(path: Path) -> str:
    text = str(path.absolute())
    return text.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
