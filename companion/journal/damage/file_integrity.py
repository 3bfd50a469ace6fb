"""Whether a journal's file and its log are whole as files, before anything is written into them.

The chain of seals tells whether events are what was written. This tells whether the file around
them still works, so that the next tap does not fall into a hole.
"""

from __future__ import annotations

import sqlite3
import struct
from contextlib import closing
from functools import cache
from pathlib import Path

from companion.journal.file import SCHEMA, JournalDamaged, translated

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_READABLE = 16
"""Where the log's index, in the machine's own byte order, keeps how many frames are good."""


def check_outline(connection: sqlite3.Connection, path: Path) -> None:
    """Raise JournalDamaged where the tables are not ours any more, or the file is cut short.

    It takes no longer with years in the file; the rest is looked at while people play.
    """
    log = path.with_name(path.name + "-wal")
    try:
        if _schema_of(connection) != _our_schema():
            raise JournalDamaged("the file's tables are not those of a journal any more")
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    except sqlite3.Error as error:
        raise translated(error) from error
    logged = log.exists() and log.stat().st_size > 0
    if not logged and path.stat().st_size != pages * size:
        raise JournalDamaged("the file is cut short")


def check_file(connection: sqlite3.Connection, *, slowly: bool = False) -> None:
    """Raise JournalDamaged where SQLite finds holes in the file.

    The slow check compares every index with its table as well.
    """
    try:
        check = "integrity_check" if slowly else "quick_check"
        (found,) = connection.execute(f"PRAGMA {check}(1)").fetchone()
    except sqlite3.Error as error:
        raise translated(error) from error
    if found != "ok":
        raise JournalDamaged(" ".join(str(found).split()))


@cache
def _our_schema() -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:")) as fresh:
        fresh.executescript(SCHEMA)
        return _schema_of(fresh)


def _schema_of(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name"
    return connection.execute(query).fetchall()


def unreadable_commits(path: Path) -> int:
    """Count the transactions that were saved once and that SQLite passes over now.

    SQLite silently stops reading its log at the first frame whose checksum is wrong. After
    a power cut that is right, for the last transaction may be torn. When further ones follow it,
    they had been reported as saved, so the log was damaged later. A connection must have read
    the database, so that the log's index is up to date.
    """
    log, index = path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")
    try:
        frames = log.read_bytes()
        with index.open("rb") as file:
            (readable,) = struct.unpack("=I", file.read(_READABLE + 4)[_READABLE:])
    except (FileNotFoundError, struct.error):
        return 0
    if len(frames) < _HEADER.size + _FRAME.size:
        return 0
    page_size, salts = _page_size_and_salts(frames)
    commits, followed = 0, False
    step = _FRAME.size + page_size
    for at in range(_HEADER.size + readable * step, len(frames) - step + 1, step):
        _, pages, *marks = _FRAME.unpack_from(frames, at)
        if tuple(marks[:2]) != salts:
            # Beyond the log's end lie frames of its earlier turns.
            continue
        followed = commits > 0
        commits += pages != 0
    return commits if followed else 0


def _page_size_and_salts(frames: bytes) -> tuple[int, tuple[int, int]]:
    _, _, page_size, _, one, other, *_ = _HEADER.unpack_from(frames)
    if page_size < 512 or page_size > 65536 or page_size & (page_size - 1):
        page_size = 4096
    return page_size, (one, other)
