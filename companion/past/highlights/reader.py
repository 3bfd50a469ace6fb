"""The highlights of every match, read from the journal beside the one who writes it.

It is read once when somebody asks, and from then on only what was added.
"""

from __future__ import annotations

import re
import threading
from contextlib import closing
from pathlib import Path

from companion.journal.chain import Row, read_rows
from companion.journal.file import reader
from companion.past.highlights.highlights import Highlights
from companion.past.highlights.memory import TOLD, Memory


class HighlightsReader:
    """Reads the journal of a table as far as it has got."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._version = 0
        self._seal = b""
        self._memory = Memory()

    def moments(self) -> dict[int, Highlights]:
        """Tell the moments of every match up to now, by its number."""
        with self._lock, closing(reader(self._path)) as connection:
            rows = read_rows(connection, max(0, self._version - 1))
            if self._version > 0:
                latest = next(rows, None)
                if latest is None or latest.hash != self._seal:
                    # Something was forgotten for good, so this is another journal.
                    self._version, self._memory = 0, Memory()
                    rows = read_rows(connection)
            for row in rows:
                if _tells(row):
                    self._memory.follow(row.event())
                self._version, self._seal = row.version, row.hash
            return dict(self._memory.matches)


_EVENT = re.compile(rb'\{"event":"(\w+)"')


def _tells(row: Row) -> bool:
    """Presses are most of a journal, and are passed over unread."""
    found = _EVENT.match(row.body)
    return found is not None and found[1].decode() in TOLD
