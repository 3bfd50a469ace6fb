"""Which events belong to which match, as the columns of the journal tell it."""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from companion.journal.bodies import kind_number, kind_of
from companion.journal.chain import read_head
from companion.journal.file import translated


class Span(Struct, frozen=True):
    """The events of a match: from its beginning to before the next one, however often undone."""

    first: int
    last: int


def beginnings(connection: sqlite3.Connection) -> dict[int, int]:
    """Tell with which event each match began; not those that were taken back or forgotten."""
    latest = "SELECT match FROM events ORDER BY version DESC LIMIT 1"
    starts = "SELECT match, max(version) FROM events WHERE kind = ? AND kind > 0"
    starts += " AND match <= ? GROUP BY match"
    gone = "SELECT match FROM events WHERE kind = ? AND kind > 0"
    try:
        (matches,) = connection.execute(latest).fetchone() or (0,)
        begun = dict(connection.execute(starts, (kind_number("match_started"), matches or 0)))
        for (number,) in connection.execute(gone, (kind_number("match_forgotten"),)):
            begun.pop(number, None)
    except sqlite3.Error as error:
        raise translated(error) from error
    return begun


def match_span(connection: sqlite3.Connection, match: int) -> Span | None:
    """Find the events of a match; none where there is no such match."""
    begun = beginnings(connection)
    if match not in begun:
        return None
    first = begun[match]
    following = [version for version in begun.values() if version > first]
    query = "SELECT min(version) FROM events WHERE kind IN (?, ?) AND kind > 0 AND version > ?"
    emptied = (kind_number("forgotten"), kind_number("match_forgotten"), first)
    try:
        (gone,) = connection.execute(query, emptied).fetchone()
    except sqlite3.Error as error:
        raise translated(error) from error
    following += [] if gone is None else [gone]
    return Span(first, min(following) - 1 if following else read_head(connection).version)


def count_kinds(connection: sqlite3.Connection) -> dict[str, int]:
    """Count the events of each kind."""
    counted = connection.execute("SELECT kind, count(*) FROM events GROUP BY kind")
    return {kind_of(number) or "unknown": count for number, count in counted}
