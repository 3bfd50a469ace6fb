"""The sheets of past matches, unpacked once and kept for as long as their lines stay the same."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from companion.journal.file import reader, translated
from companion.journal.match_list import SEALED, MatchRecord, written_records

LINES = "SELECT number, substr(body, 1, ?) FROM matches ORDER BY number DESC"


class ScoreSheets:
    """Reads the lines of matches; checking and unpacking them again is most of what it costs."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._kept: dict[int, tuple[bytes, MatchRecord]] = {}

    def matches(self) -> tuple[MatchRecord, ...]:
        """List all matches, the latest first; a match that is the same is the same object."""
        with self._lock, closing(reader(self._journal)) as connection:
            try:
                lines = connection.execute(LINES, (SEALED,)).fetchall()
            except sqlite3.Error as error:
                raise translated(error) from error
            known, self._kept = self._kept, {}
            for number, seal in lines:
                kept = known.get(number)
                if kept is None or kept[0] != seal:
                    kept = seal, self._read(connection, number)
                self._kept[number] = kept
            return tuple(record for _, record in self._kept.values())

    def _read(self, connection: sqlite3.Connection, number: int) -> MatchRecord:
        (record,) = written_records(connection, "WHERE number = ?", number)
        return record
