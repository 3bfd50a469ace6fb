"""A past match told again, event by event, with the table as it was before each of them.

Where each match begins is noted once, passing over all that happens inside of it; from there one
match is read by itself, beside the worker that writes the journal.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from companion.journal.chain import read_head, read_rows
from companion.journal.file import reader
from companion.past.match_index import named_rows
from companion.referee import events as e
from companion.referee.apply import apply
from companion.referee.model.table import Table

Heard = TypeVar("Heard")
Read = TypeVar("Read")

BREATH = 32
"""After so many events whoever waits for the processor gets it."""


class Told(Struct, frozen=True):
    """One event, the table that it found, and the one that it left."""

    event: e.Event
    before: Table
    after: Table


class Beginning(Struct, frozen=True):
    """Where a match begins: the version of its first event, and the table before it."""

    version: int
    before: Table


def _tags(*kinds: type) -> frozenset[str]:
    return frozenset(str(kind.__struct_config__.tag) for kind in kinds)  # type: ignore[attr-defined]


SEATING = _tags(
    *get_args(e.SeatingEvent),
    *get_args(e.HistoryEvent),
    e.ButtonSetAside,
    e.ButtonPutBack,
    e.PressesMissed,
)
"""What tells who sits where as a match begins, with which buttons and by which durations."""


class MatchReplay:
    """Tells the matches of a journal again; anybody may ask, on any thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._version = 0
        self._seal = b""
        self._table = Table()
        self._beginnings: dict[int, Beginning] = {}

    def match(self, number: int, hear: Callable[[Iterator[Told]], Heard]) -> Heard | None:
        """Let somebody hear a match as far as it has got; None where there is no such match."""
        with closing(reader(self._path)) as connection:
            found = self._look_up(connection, number)
            if found is None:
                return None
            beginning, end = found
            rows = read_rows(connection, beginning.version - 1, end)
            return hear(tell(beginning.before, (row.event() for row in _breathing(rows))))

    def reach(self, number: int) -> bytes | None:
        """Tell how far a match has got, in a word that changes when anything is added to it."""
        with closing(reader(self._path)) as connection:
            found = self._look_up(connection, number)
            return None if found is None else _seal(connection, found[1])

    def _look_up(self, connection: Connection, number: int) -> tuple[Beginning, int] | None:
        with self._lock:
            self._follow(connection)
            # What was begun beyond the latest match was taken back.
            begun = range(1, self._table.game.matches + 1)
            beginning = self._beginnings.get(number)
            later = [self._beginnings[n].version for n in begun[number:] if n in self._beginnings]
            end = min(later) - 1 if later else self._version
        return (beginning, end) if beginning is not None and number in begun else None

    def _follow(self, connection: Connection) -> None:
        if self._version and _seal(connection, self._version) != self._seal:
            self._forget()
        head = read_head(connection)
        seating = named_rows(connection, SEATING, self._version, head.version)
        for _, row in _breathing(seating):
            event = row.event()
            if isinstance(event, e.MatchStarted):
                # Nobody goes back to before a match that counts, so the way there is not kept.
                before = replace(self._table, past=None, future=None)
                self._beginnings[event.match] = Beginning(row.version, before)
            self._table = apply(self._table, event)
            self._version, self._seal = row.version, row.hash
        self._version, self._seal = head.version, head.hash

    def _forget(self) -> None:
        """Begin anew, also where the journal is not the one that was read before."""
        self._version = 0
        self._seal = b""
        self._table = Table()
        self._beginnings = {}


def tell(table: Table, events: Iterable[e.Event]) -> Iterator[Told]:
    """Tell events one after the other, each with the table that it found."""
    for event in events:
        after = apply(table, event)
        yield Told(event, table, after)
        table = after


def _breathing(rows: Iterator[Read]) -> Iterator[Read]:
    for count, row in enumerate(rows, start=1):
        yield row
        if count % BREATH == 0:
            time.sleep(0)


def _seal(connection: Connection, version: int) -> bytes | None:
    found = connection.execute("SELECT hash FROM events WHERE version = ?", (version,)).fetchone()
    return bytes(found[0]) if found else None
