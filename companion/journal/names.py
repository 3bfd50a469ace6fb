"""The names of players: a table of their own, for a name may have to be forgotten.

On disk no event holds a name. Each one that gives somebody a name has a line in the table of names,
by its number and the player's; the last line of a player is how they are called now.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import TypeVar

from msgspec.structs import replace

from companion.journal.file import JournalDamaged, translated
from companion.referee import events as e
from companion.referee.model.table import Seat, Table

Names = Mapping[int, str]
"""How players are called, by their numbers."""
E = TypeVar("E", bound=e.EventBase)

NAMED = {"seat_taken", "player_renamed", "match_started", "match_forgotten"}
"""The kinds of events that hold names; other rooms add theirs, see `bodies.keep_kinds`."""
TELLING = NAMED | {"undone", "redone"}
"""Those, and the ones after which somebody may be called otherwise."""


def names_of_event(event: e.EventBase) -> Names:
    """Tell the names that an event holds."""
    match event:
        case (
            e.SeatTaken(player=player, name=name)
            | e.PlayerRenamed(player=player, name=name)
            | e.Naming(player=player, name=name)
        ):
            return {player: name}
        case e.MatchStarted(seats=seats) | e.MatchForgotten(seats=seats):
            return {seat.player: seat.name for seat in seats}
        case _:
            return {}


def take_out(event: e.EventBase) -> e.EventBase:
    """Write an event without the names in it."""
    return put_in(event, dict.fromkeys(names_of_event(event), ""))


def put_in(event: E, names: Names) -> E:
    """Write an event with the names that belong to it; where one is missing, a number stands."""
    match event:
        case e.SeatTaken(player=player) | e.PlayerRenamed(player=player) | e.Naming(player=player):
            return replace(event, name=names.get(player, stand_in(player)))
        case e.MatchStarted(seats=seats) | e.MatchForgotten(seats=seats):
            named = ((seat, names.get(seat.player, stand_in(seat.player))) for seat in seats)
            return replace(event, seats=tuple(replace(seat, name=name) for seat, name in named))
        case _:
            return event


def stand_in(player: int) -> str:
    """Call somebody by the number, as the table does who has not said a name."""
    return f"Player {player}"


def names_after(before: Table, events: Sequence[e.Event], after: Table) -> Names:
    """Tell who is called otherwise after an undo or a redo."""
    if not any(isinstance(event, e.Undone | e.Redone) for event in events):
        return {}
    names = dict(_called(before))
    return {player: name for player, name in _called(after) if names.get(player) != name}


def _called(table: Table) -> Iterator[tuple[int, str]]:
    seats: tuple[Seat, ...] = table.game.seats
    return ((seat.player, seat.name) for seat in seats)


def read_names(connection: sqlite3.Connection, version: int | None = None) -> dict[int, str]:
    """Tell how every player is called who ever had a number here, or the names in one event.

    A line that is not what was written is not believed; the checks tell of it.
    """
    which = "ORDER BY version" if version is None else "WHERE version = ?"
    query = f"SELECT version, player, name, seal FROM names {which}"
    try:
        lines = connection.execute(query, () if version is None else (version,)).fetchall()
    except sqlite3.Error as error:
        raise translated(error) from error
    return {line[1]: line[2] for line in lines if seal_of_name(*line[:3]) == line[3]}


def read_name_lines(connection: sqlite3.Connection) -> Iterator[tuple[int, int, str]]:
    """Read all lines of names in order, each checked by its seal: event, player and name."""
    try:
        lines = connection.execute("SELECT version, player, name, seal FROM names ORDER BY version")
        for version, player, name, seal in lines:
            if seal_of_name(version, player, name) != seal:
                raise JournalDamaged(f"a name in event {version} is not what was written")
            yield version, player, name
    except sqlite3.Error as error:
        raise translated(error) from error


def write_name_lines(connection: sqlite3.Connection, lines: Iterable[tuple[int, int, str]]) -> None:
    """Write lines down, within a transaction: event, player and name."""
    connection.executemany(
        "INSERT OR REPLACE INTO names VALUES (?, ?, ?, ?)",
        ((*line, seal_of_name(*line)) for line in lines),
    )


def seal_of_name(version: int, player: int, name: str) -> bytes:
    """Seal one line."""
    return blake2b(f"{version}\n{player}\n{name}".encode(), digest_size=16).digest()


_SIZES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
_LINE = re.compile(
    rb"(?=[\x05\x06]([\x01-\x06\x08\x09])([\x01-\x06\x08\x09])([\x81-\xff]?[\x00-\x7f]),)",
    re.DOTALL,
)
"""How SQLite begins a line of names: with the kinds of its four values, then come the values."""


def find_names(content: bytes) -> set[str]:
    """Find the names in the bytes of a file, however damaged; their seals tell them from chance."""
    players = set()
    for line in _LINE.finditer(content):
        at = line.end(3) + 1
        numbers: list[int] = []
        for kind in (line[1][0], line[2][0]):
            digits = content[at : at + _SIZES[kind]]
            numbers.append(int.from_bytes(digits, "big") if digits else kind - 8)
            at += len(digits)
        kind = line[3][0] if len(line[3]) == 1 else (line[3][0] & 0x7F) << 7 | line[3][1]
        end = at + (kind - 13) // 2
        with suppress(UnicodeDecodeError):
            name = content[at:end].decode()
            if seal_of_name(numbers[0], numbers[1], name) == content[end : end + 16]:
                players.add(name)
    return players
