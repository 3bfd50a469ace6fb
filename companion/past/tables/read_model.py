"""The read model: the past as tables, which follow the journal behind the worker.

A catch-up reads only what was added to the journal, and writes the matches that changed in one
transaction with the place that it has come to; so it can be killed at any moment. A file that is
missing, damaged, of another shape or of another journal is made anew.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from companion.journal.chain import GENESIS, Head, read_head, read_rows, read_seal
from companion.journal.file import JournalDamaged, reader, translated
from companion.journal.names import read_name_lines
from companion.journal.notes import read_note
from companion.past.facts import MatchFacts
from companion.past.names import PlayerNames
from companion.past.replay import BeforeTheBeginning, Replay
from companion.past.tables.past_file import (
    PAST,
    begin_anew,
    delete_match,
    in_memory,
    open_file,
    shape,
    write_match,
    wrong_query,
)
from companion.referee.model.table import Table

log = logging.getLogger(__name__)

FORGOTTEN = "forgotten"
"""Under this key the journal notes how often something was forgotten."""
STRETCH = 500
"""So many events are followed in one transaction."""
BREATH = 32
"""After so many events other threads get the processor."""

Answer = TypeVar("Answer")
Trouble = (sqlite3.Error, msgspec.MsgspecError)


class JournalPlace(Struct, frozen=True):
    """How far a journal was followed."""

    position: int = 0
    seal: bytes = GENESIS


class ReadModel:
    """Follows one journal; anybody may ask, on any thread."""

    def __init__(self, journal: Path) -> None:
        self.path = journal.with_name(PAST)
        self.place = JournalPlace()
        self.generation = 0
        """Goes on with each file that is opened: what was read before may be of another one."""
        self._journal = journal
        self._noted: str | None = None
        """What the journal has noted about what was forgotten."""
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._file: int | None = None
        """Which file is open, as the disk counts them; none in memory."""
        self._replay: Replay | None = None
        self._names: tuple[object, PlayerNames] = (None, PlayerNames(()))
        self._written: tuple[object, ...] = ()
        """What was written last of the match that is on."""

    def ask(self, question: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Catch up, and answer from the tables."""
        with self._lock:
            try:
                return question(self._caught_up())
            except Trouble as trouble:
                self._give_up(trouble)
                return question(self._caught_up())

    def step(self) -> bool:
        """Catch up by one stretch; tell whether that was the last one."""
        with self._lock:
            try:
                with closing(reader(self._journal)) as journal:
                    head = read_head(journal)
                    connection = self._belonging(journal)
                    if self.place.position < head.version:
                        self._follow(connection, journal, head)
                    return self.place.position >= head.version
            except Trouble as trouble:
                self._give_up(trouble)
                return False

    def current(self) -> MatchFacts | None:
        """Give the facts of the match that is on, as far as the tables have come."""
        return None if self._replay is None else self._replay.current()

    def names(self) -> PlayerNames:
        """Tell which name each player had when, as far as the tables have come."""
        key = (self.generation, self.place)
        if self._names[0] != key:
            with closing(reader(self._journal)) as journal:
                self._names = key, PlayerNames(read_name_lines(journal))
        return self._names[1]

    def replay(self, number: int) -> MatchFacts | None:
        """Replay one match from its own beginning; None where there is no such match."""

        def replayed(connection: sqlite3.Connection) -> MatchFacts | None:
            query = "SELECT before, begin, end FROM matches WHERE number = ?"
            row = connection.execute(query, (number,)).fetchone()
            if row is None:
                return None
            before, begin, end = row
            replay = Replay(self._table(before))
            with closing(reader(self._journal)) as journal:
                _follow_rows(replay, journal, begin - 1, end or self.place.position)
            return replay.matches().get(number)

        return self.ask(replayed)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._replay, self.place = None, JournalPlace()
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _caught_up(self) -> sqlite3.Connection:
        """Follow the journal to its end."""
        with closing(reader(self._journal)) as journal:
            head = read_head(journal)
            connection = self._belonging(journal)
            while self.place.position < head.version:
                self._follow(connection, journal, head)
        return connection

    def _belonging(self, journal: sqlite3.Connection) -> sqlite3.Connection:
        """Give the tables that belong to this journal; others are begun anew."""
        if self._connection is None or self._file not in (None, _number(self.path)):
            self.close()
            self._connection, self._file = open_file(self.path), _number(self.path)
            self.generation += 1
        forgotten = read_note(journal, FORGOTTEN)
        query = "SELECT shape, position, seal, forgotten FROM state"
        form, position, seal, noted = self._connection.execute(query).fetchone()
        if form != shape():
            self._begin_anew("of another version")
        elif read_seal(journal, position) != seal or (position and noted != forgotten):
            self._begin_anew("of another journal")
        elif noted != self._noted:
            # Names that were read before are perhaps other ones now.
            self._replay, self.place = None, JournalPlace(position, seal)
            self.generation += 1
        elif JournalPlace(position, seal) != self.place:
            # Another program has followed the journal too.
            self._replay, self.place = None, JournalPlace(position, seal)
        if not self.place.position:
            self._connection.execute("UPDATE state SET forgotten = ?", (forgotten,))
        self._noted = forgotten
        return self._connection

    def _follow(
        self, connection: sqlite3.Connection, journal: sqlite3.Connection, head: Head
    ) -> None:
        """Follow one stretch in one transaction, from a replay that reaches back far enough."""
        (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
        for back in range(matches + 2):
            replay, self._replay = self._replay, None
            connection.execute("BEGIN IMMEDIATE")
            try:
                state = connection.execute("SELECT position, seal FROM state").fetchone()
                if JournalPlace(*state) != self.place:
                    # Another program has just followed the journal too.
                    connection.execute("ROLLBACK")
                    self.place = JournalPlace(*state)
                    return
                replay = replay or self._resumed(connection, journal, back)
                place, written = self._write_stretch(connection, journal, replay, head)
                connection.execute("COMMIT")
            except BeforeTheBeginning:
                connection.execute("ROLLBACK")
                continue
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
            self._replay, self.place, self._written = replay, place, written
            return
        raise JournalDamaged(f"after event {self.place.position} more is undone than was done")

    def _resumed(
        self, connection: sqlite3.Connection, journal: sqlite3.Connection, back: int
    ) -> Replay:
        """Replay the latest match so far, and so many more before it."""
        query = "SELECT before, begin FROM matches ORDER BY begin DESC LIMIT 1 OFFSET ?"
        row = connection.execute(query, (back,)).fetchone()
        replay, begin = Replay(), 1
        if row is not None:
            replay, begin = Replay(self._table(row[0])), row[1]
        _follow_rows(replay, journal, begin - 1, self.place.position)
        replay.taken()
        self._written = ()
        return replay

    def _write_stretch(
        self,
        connection: sqlite3.Connection,
        journal: sqlite3.Connection,
        replay: Replay,
        head: Head,
    ) -> tuple[JournalPlace, tuple[object, ...]]:
        after = self.place.position
        last = min(head.version, after + STRETCH)
        place = _follow_rows(replay, journal, after, last)
        if place.position != last:
            raise JournalDamaged(f"event {place.position + 1} is missing")
        current = replay.current()
        outline = () if current is None else _outline(current)
        for number, facts in replay.taken().items():
            if facts is None:
                delete_match(connection, number)
            elif facts.end is not None or outline != self._written:
                write_match(connection, facts, last)
        state = (place.position, place.seal)
        connection.execute("UPDATE state SET position = ?, seal = ?", state)
        return place, outline

    def _table(self, before: bytes) -> Table:
        return self.names().on_seats(msgspec.json.decode(before, type=Table))

    def _give_up(self, trouble: Exception) -> None:
        """Go on with new tables, or in memory where the file is whole and cannot be written."""
        if isinstance(trouble, sqlite3.Error):
            if self._connection is not None and wrong_query(self._connection, trouble):
                raise trouble
            error = translated(trouble)
            if not isinstance(error, JournalDamaged):
                log.warning("%s: %s. It is kept in memory.", self.path.name, error)
                self.close()
                self._connection, self._file = in_memory(self.path), None
                return
        self._begin_anew(f"damaged ({trouble})")

    def _begin_anew(self, why: str) -> None:
        log.warning("%s is %s; it is made anew from the journal.", self.path.name, why)
        self.close()
        self.generation += 1
        self._connection = begin_anew(self.path)
        self._file = _number(self.path)


def forget_match(journal: Path, number: int | None) -> None:
    """Take a match out once the journal has forgotten it; None where a name was forgotten."""
    path = journal.with_name(PAST)
    if not path.exists():
        return
    with closing(reader(journal)) as known, closing(open_file(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        if number is not None:
            delete_match(connection, number)
        forgotten = read_note(known, FORGOTTEN)
        connection.execute("UPDATE state SET forgotten = ?", (forgotten,))
        connection.execute("COMMIT")


def _outline(facts: MatchFacts) -> tuple[object, ...]:
    """What is written of a match: as long as it is the same, nothing is."""
    match = facts.match
    assert match is not None
    kept = (facts.number, facts.begin, facts.rulings, facts.races, facts.calls)
    return (*kept, match.rounds, match.entrants, match.playing_on)


def _number(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _follow_rows(
    replay: Replay, journal: sqlite3.Connection, after: int, up_to: int
) -> JournalPlace:
    place = JournalPlace(after)
    for row in read_rows(journal, after, up_to):
        replay.follow(row.event(), row.version, row.wall)
        place = JournalPlace(row.version, row.hash)
        if row.version % BREATH == 0:
            time.sleep(0)
    return place
