"""The matches of the table, past and present, one line each beside the journal's events.

They are written in the same transaction as the events they come from, so they never differ, and
a replay of the journal writes them anew.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.common.fingerprint import fingerprint
from companion.journal.file import JournalDamaged, reader, translated
from companion.journal.notes import write_notes
from companion.referee.commands import Scoring
from companion.referee.model.house import HouseRules
from companion.referee.model.table import Left, Match, Stint, Table
from companion.referee.rules.scoring import history


class PlayerRecord(Struct, frozen=True):
    """A player of a match with both totals."""

    player: int
    name: str
    stints: tuple[Stint, ...]
    """Which rounds they played."""
    classic: int
    alternative: int


class RoundRecord(Struct, frozen=True):
    """One scored round by player number, with the totals after it."""

    number: int
    out: int
    hands: dict[int, Left]
    edited: bool
    classic: dict[int, int]
    alternative: dict[int, int]


class MatchSheet(Struct, frozen=True):
    """What is kept of a match: who played by which rules, and the score sheet."""

    edition: str
    edition_name: str
    target: int
    scoring: Scoring
    house: HouseRules
    players: tuple[PlayerRecord, ...]
    rounds: tuple[RoundRecord, ...]
    winners: tuple[int, ...]
    playing_on: bool


class MatchRecord(Struct, frozen=True):
    """A match with its number and when it was, by the clock on the wall."""

    number: int
    started: str
    ended: str | None
    sheet: MatchSheet


FORMAT = "sealed " + fingerprint(MatchSheet)
"""The shape of the lines; those of another shape are written anew."""
READ_AT_ONCE = 50
LARGEST = 2**63 - 1
SEALED = hashlib.sha256().digest_size
"""So many bytes at the beginning of a line's body are its seal."""


class MatchList:
    """Notes which matches a batch has changed, and writes their lines."""

    def __init__(self) -> None:
        self._started: dict[int, str] = {}
        self._changed: dict[int, tuple[Match, str | None] | None] = {}
        """By number, the match and when it ended; nothing where its beginning was taken back."""

    def follow(self, before: Table, after: Table, wall: str) -> None:
        """Compare the table before and after something happened."""
        old, new = before.game.match, after.game.match
        if old is new:
            return
        if old is not None and (new is None or new.number != old.number):
            begun = old.number <= after.game.matches
            self._changed[old.number] = (old, wall) if begun else None
        if new is None:
            return
        if new.number > before.game.matches:
            self._started[new.number] = wall
        if old is None or old.number != new.number or _sheet_differs(old, new):
            self._changed[new.number] = (new, None)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the lines of the matches that changed."""
        for number, changed in sorted(self._changed.items()):
            if changed is None:
                connection.execute("DELETE FROM matches WHERE number = ?", (number,))
                continue
            match, ended = changed
            body = msgspec.json.encode(sheet(match))
            started = self._started.get(number)
            if started is None:
                query = "SELECT started FROM matches WHERE number = ?"
                (started,) = connection.execute(query, (number,)).fetchone() or ("",)
            sealed = _seal(number, started, ended, body) + body
            connection.execute(
                "INSERT OR REPLACE INTO matches VALUES (?, ?, ?, ?)",
                (number, started, ended, sealed),
            )

    def rewrite(self, connection: sqlite3.Connection) -> None:
        """Write all lines anew, after a replay of the whole journal."""
        connection.execute("DELETE FROM matches")
        self.write(connection)
        write_notes(connection, {"matches": FORMAT})

    def records(self) -> tuple[MatchRecord, ...]:
        """List the matches as they would be written, the latest first."""
        return tuple(
            MatchRecord(number, self._started[number], ended, sheet(match))
            for number, changed in sorted(self._changed.items(), reverse=True)
            if changed is not None
            for match, ended in (changed,)
        )


def sheet(match: Match) -> MatchSheet:
    """Write down what is kept of a match."""
    standings = history(match)
    now = standings[-1]
    return MatchSheet(
        edition=match.edition.key,
        edition_name=match.edition.name,
        target=match.target,
        scoring=match.scoring,
        house=match.house,
        players=tuple(
            PlayerRecord(
                player=entrant.player,
                name=entrant.name,
                stints=entrant.stints,
                classic=now.classic.get(entrant.player, 0),
                alternative=now.alternative.get(entrant.player, 0),
            )
            for entrant in match.entrants
        ),
        rounds=tuple(
            RoundRecord(
                number=scored.number,
                out=scored.out,
                hands=dict(scored.hands),
                edited=scored.edited,
                classic=dict(after.classic),
                alternative=dict(after.alternative),
            )
            for scored, after in zip(match.rounds, standings[1:], strict=True)
        ),
        winners=tuple(now.winners),
        playing_on=match.playing_on,
    )


def read_matches(path: Path) -> tuple[MatchRecord, ...]:
    """List all matches of a journal, the latest first; beside a running table too."""
    with closing(reader(path)) as connection:
        return written_records(connection, "ORDER BY number DESC")


def read_match(path: Path, number: int) -> MatchRecord | None:
    """Look one match up; there is none of a number that no journal can hold."""
    if not 0 < number <= LARGEST:
        return None
    with closing(reader(path)) as connection:
        return next(iter(written_records(connection, "WHERE number = ?", number)), None)


def each_match(path: Path) -> Iterator[MatchRecord]:
    """Go through all matches, the earliest first, without keeping them or the journal in hand."""
    number = 0
    while True:
        with closing(reader(path)) as connection:
            records = written_records(
                connection, "WHERE number > ? ORDER BY number LIMIT ?", number, READ_AT_ONCE
            )
        if not records:
            return
        yield from records
        number = records[-1].number


def whole_lines(path: Path) -> set[int]:
    """Check the seal of every match's line, and tell their numbers; the sheets are not unpacked."""
    with closing(reader(path)) as connection:
        lines = connection.execute("SELECT number, started, ended, body FROM matches")
        try:
            return {line[0] for line in lines if _unsealed(*line) is not None}
        except sqlite3.Error as error:
            raise translated(error) from error


def written_records(
    connection: sqlite3.Connection, which: str, *values: int
) -> tuple[MatchRecord, ...]:
    """Read the lines of matches."""
    query = f"SELECT number, started, ended, body FROM matches {which}"
    try:
        return tuple(_read_line(*line) for line in connection.execute(query, values))
    except sqlite3.Error as error:
        raise translated(error) from error
    except msgspec.MsgspecError as error:
        raise JournalDamaged(f"the line of a match cannot be read: {error}") from error


def _read_line(number: int, started: str, ended: str | None, sealed: bytes) -> MatchRecord:
    body = _unsealed(number, started, ended, sealed)
    return MatchRecord(number, started, ended, msgspec.json.decode(body, type=MatchSheet))


def _unsealed(number: int, started: str, ended: str | None, sealed: bytes) -> bytes:
    seal, body = sealed[:SEALED], sealed[SEALED:]
    if seal != _seal(number, started, ended, body):
        raise JournalDamaged(f"the line of match {number} is not what was written")
    return body


def _seal(number: int, started: str, ended: str | None, body: bytes) -> bytes:
    return hashlib.sha256(f"{number}\n{started}\n{ended or ''}\n".encode() + body).digest()


def _sheet_differs(old: Match, new: Match) -> bool:
    return (
        old.rounds is not new.rounds
        or old.entrants is not new.entrants
        or old.playing_on != new.playing_on
    )
