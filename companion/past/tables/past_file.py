"""The read model's file: `past.db` beside the journal, derived from it; its loss loses nothing."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.common.fingerprint import fingerprint
from companion.journal.chain import GENESIS
from companion.journal.file import companions
from companion.past.facts import MatchFacts
from companion.past.highlights import Highlights, highlights_of
from companion.past.names import nameless
from companion.past.records import MatchSheet, sheet
from companion.past.tables.match_rows import TABLES, Row, rows_of
from companion.referee.model.table import Table

PAST = "past.db"
SCHEMA = f"""
CREATE TABLE state (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    shape TEXT NOT NULL,
    position INTEGER NOT NULL,
    seal BLOB NOT NULL,
    forgotten TEXT
) STRICT;
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    begin INTEGER NOT NULL,
    end INTEGER,
    written INTEGER NOT NULL,
    started TEXT NOT NULL,
    ended TEXT,
    edition TEXT NOT NULL,
    edition_name TEXT NOT NULL,
    scoring TEXT NOT NULL,
    rounds INTEGER NOT NULL,
    before BLOB NOT NULL,
    sheet BLOB NOT NULL,
    highlights BLOB NOT NULL
) STRICT;
{TABLES}
"""
"""`begin` and `end` are events of the journal, and `before` is the table that the first of them
found; `written` is how far the journal was followed when the match was written down last."""
MATCH_TABLES = tuple(
    line.split()[2] for line in TABLES.splitlines() if line.startswith("CREATE TABLE")
)


def shape() -> str:
    """Tell what this program would write; a file of another shape is made anew."""
    shapes = (fingerprint(kind) for kind in (Table, MatchSheet, Highlights))
    return sha256("\n".join((SCHEMA, *shapes)).encode()).hexdigest()


def open_file(path: Path) -> sqlite3.Connection:
    """Open the file, or begin one; a copy of it in memory where writing is not allowed."""
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        return in_memory(path)
    connection = _connect(str(path))
    try:
        connection.execute("PRAGMA journal_mode = WAL").fetchone()
        connection.execute("PRAGMA synchronous = NORMAL")
        _make_tables(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def begin_anew(path: Path) -> sqlite3.Connection:
    """Begin an empty file in the place of another; in memory where writing is not allowed."""
    try:
        drop(path)
        return open_file(path)
    except (OSError, sqlite3.Error):
        return in_memory(None)


def drop(path: Path) -> None:
    """Delete the file; the next question makes it anew."""
    for file in companions(path):
        file.unlink(missing_ok=True)


def in_memory(path: Path | None) -> sqlite3.Connection:
    """Copy the file, where there is one, into memory."""
    connection = _connect(":memory:")
    if path is not None and path.exists():
        still = "" if path.with_name(path.name + "-wal").exists() else "&immutable=1"
        with suppress(sqlite3.Error), closing(_connect(f"file:{path}?mode=ro{still}")) as file:
            file.backup(connection)
    _make_tables(connection)
    return connection


def _connect(name: str) -> sqlite3.Connection:
    connection = sqlite3.connect(name, isolation_level=None, check_same_thread=False, uri=True)
    connection.execute("PRAGMA busy_timeout = 5000")
    return connection


def _make_tables(connection: sqlite3.Connection) -> None:
    if not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        state = f"INSERT INTO state VALUES (1, '{shape()}', 0, zeroblob({len(GENESIS)}), NULL)"
        connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA}; {state}; COMMIT;")


def wrong_query(connection: sqlite3.Connection, trouble: sqlite3.Error) -> bool:
    """Tell whether the program asked for what no file has: all tables are there."""
    if getattr(trouble, "sqlite_errorcode", 0) != sqlite3.SQLITE_ERROR:
        return False
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    return there.issuperset(MATCH_TABLES) and "matches" in there


def write_match(connection: sqlite3.Connection, facts: MatchFacts, position: int) -> None:
    """Write a match down in place of what was written of it before."""
    assert facts.match is not None
    paper, highlights = sheet(facts.match), highlights_of(facts)
    unnamed = tuple(replace(player, name="") for player in paper.players)
    delete_match(connection, facts.number)
    connection.execute(
        "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            facts.number,
            facts.begin,
            facts.end,
            position,
            facts.started,
            facts.ended,
            paper.edition,
            paper.edition_name,
            paper.scoring,
            len(paper.rounds),
            msgspec.json.encode(nameless(facts.before)),
            msgspec.json.encode(replace(paper, players=unnamed)),
            msgspec.json.encode(highlights),
        ),
    )
    insert_rows(connection, facts.number, rows_of(paper, highlights, facts.rulings))


def insert_rows(
    connection: sqlite3.Connection, number: int, rows: Mapping[str, Iterable[Row]]
) -> None:
    """Write the rows of a match."""
    for table, lines in rows.items():
        filled = [(number, *line) for line in lines]
        if filled:
            places = ", ".join("?" * len(filled[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({places})", filled)


def delete_match(connection: sqlite3.Connection, number: int) -> None:
    """Take a match out of all tables."""
    connection.execute("DELETE FROM matches WHERE number = ?", (number,))
    for table in MATCH_TABLES:
        connection.execute(f"DELETE FROM {table} WHERE match = ?", (number,))
