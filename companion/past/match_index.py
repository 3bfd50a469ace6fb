"""Where in the journal each match is told, and who sat where when it began.

A match has its events together, from its start to the start of the next one that was not taken
back; so one look through the seats finds them all, and from then on only what was added is read.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct

from companion.journal.chain import Row
from companion.journal.file import JournalDamaged, reader, translated
from companion.referee import events as e

NAME_AT = len('{"event":"') + 1
ALIKE = 6
"""So many letters of an event's name are asked for on disk; the shortest names have no more."""
Known = TypeVar("Known")
_EVENT = re.compile(rb'\{"event":"(\w+)"')

SEATING = frozenset(
    {
        "step_taken",
        "undone",
        "redone",
        "presses_dismissed",
        "seat_taken",
        "seat_left",
        "player_renamed",
        "seats_swapped",
        "match_started",
        "match_forgotten",
    }
)


class Sitter(Struct, frozen=True):
    """Who sat at a seat, under the name that they had then."""

    seat: int
    player: int
    name: str


Seats = Mapping[int, Sitter]


class Span(Struct, frozen=True):
    """The events of one match: after `begin`, up to `end` where the next match begins."""

    begin: int
    end: int | None
    seats: Seats


class Steps(Generic[Known]):
    """What is known, with the way back through it that undo takes."""

    def __init__(self, now: Known) -> None:
        self.now = now
        self._past: list[Known] = []
        self._future: list[Known | None] = []
        """Nothing stands for hands that were taken back, which changes nothing here."""

    def follow(self, name: str) -> bool:
        """Take a step, or take it back, or again; tell whether the event was such a one.

        Its name says enough: these are so many that reading them whole would take the most time.
        """
        match name:
            case "step_taken":
                # What it replaces may stay in the future: nothing asks for that again.
                self._past.append(self.now)
            case "undone":
                self._future.append(self.now)
                self.now = self._past.pop()
            case "redone":
                later = self._future.pop()
                if later is not None:
                    self._past.append(self.now)
                    self.now = later
            case "presses_dismissed":
                self._future.append(None)
            case _:
                return False
        return True

    def forget(self, keep: int = 0) -> None:
        """A match has begun, and nothing before it can be taken back but its beginning."""
        self._past = self._past[-keep:] if keep else []
        self._future.clear()


class MatchIndex:
    """Looks through a table's journal as far as it has got, beside the one who writes it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._known = _Known()

    def span(self, match: int) -> Span | None:
        """Tell where this match is, and who sat where when it began."""
        with self._lock, closing(reader(self._path)) as connection:
            known = self._known
            if known.version and _seal(connection, known.version) != known.seal:
                known = _Known()  # somebody was forgotten, and the journal was written anew
            for name, row in named_rows(connection, SEATING, known.version):
                known.follow(name, row)
            self._known = known
            return known.span(match)


class _Seated(Struct, frozen=True):
    seats: Seats
    matches: int = 0
    """How many matches were begun, without those whose beginning was taken back."""


class _Known:
    """What was found so far, and up to which event."""

    def __init__(self) -> None:
        self.version = 0
        self.seal = b""
        self._begun: dict[int, tuple[int, Seats]] = {}
        """By match, its latest beginning and who sat where; some of them were taken back."""
        self._seated: Steps[_Seated] = Steps(_Seated({}))

    def span(self, match: int) -> Span | None:
        begun = range(1, self._seated.now.matches + 1)
        if match not in begun or match not in self._begun:
            return None
        begin, seats = self._begun[match]
        later = [self._begun[n][0] for n in begun[match:] if n in self._begun]
        return Span(begin, min(later) - 1 if later else None, seats)

    def follow(self, name: str, row: Row) -> None:
        self.version, self.seal = row.version, row.hash
        steps = self._seated
        if steps.follow(name):
            return
        match event := row.event():
            case e.MatchStarted(match=number, as_step=as_step):
                steps.forget(keep=1 if as_step else 0)
                self._begun[number] = row.version, steps.now.seats
                steps.now = _Seated(steps.now.seats, number)
            case e.MatchForgotten(match=number, seats=seats):
                steps.forget()
                there = {s.number: Sitter(s.number, s.player, s.name) for s in seats}
                steps.now = _Seated(there, number)
            case _:
                steps.now = _Seated(seated(steps.now.seats, event), steps.now.matches)


def seated(seats: Seats, event: e.Event) -> Seats:
    """Follow somebody who sits down, leaves, moves, or takes another name."""
    match event:
        case e.SeatTaken(seat, player, name):
            return {**seats, seat: Sitter(seat, player, name)}
        case e.SeatLeft(seat):
            return {number: sitter for number, sitter in seats.items() if number != seat}
        case e.PlayerRenamed(seat, name):
            return {**seats, seat: Sitter(seat, seats[seat].player, name)}
        case e.SeatsSwapped(seat, other):
            moved = {seat: other, other: seat}
            changed = (Sitter(moved.get(s.seat, s.seat), s.player, s.name) for s in seats.values())
            return {sitter.seat: sitter for sitter in changed}
        case _:
            return seats


def named_rows(
    connection: sqlite3.Connection,
    names: Collection[str],
    after: int = 0,
    up_to: int | None = None,
) -> Iterator[tuple[str, Row]]:
    """Read these events only, each by its name; presses, which are most of a journal, are not."""
    starts = sorted({name[:ALIKE].encode() for name in names})
    query = (
        "SELECT version, command, at, wall, body, hash FROM events"
        f" WHERE version > ? AND version <= ? AND substr(body, {NAME_AT}, {ALIKE})"
        f" IN ({', '.join('?' * len(starts))}) ORDER BY version"
    )
    try:
        for found in connection.execute(query, (after, up_to or 2**62, *starts)):
            match found:
                case (int(), str() | None, int(), str(), bytes(), bytes()):
                    row = Row(*found)
                case _:
                    raise JournalDamaged(f"a row after event {after} is no event")
            named = _EVENT.match(row.body)
            if named is not None and (name := named[1].decode()) in names:
                yield name, row
    except sqlite3.Error as error:
        raise translated(error) from error


def _seal(connection: sqlite3.Connection, version: int) -> bytes | None:
    query = "SELECT hash FROM events WHERE version = ?"
    try:
        found = connection.execute(query, (version,)).fetchone()
    except sqlite3.Error as error:
        raise translated(error) from error
    return found[0] if found else None
