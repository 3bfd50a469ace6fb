"""Whether a journal's file is whole as a file, before anything is written into it.

The chain of seals tells whether events are what was written. This tells whether the file around
them still works, so that the next tap does not fall into a hole.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache

from companion.journal.file import SCHEMA, JournalDamaged, translated


def check_file(connection: sqlite3.Connection) -> None:
    """Raise JournalDamaged where the tables are not ours any more, or SQLite finds holes."""
    try:
        if _schema_of(connection) != _our_schema():
            raise JournalDamaged("the file's tables are not those of a journal any more")
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
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
