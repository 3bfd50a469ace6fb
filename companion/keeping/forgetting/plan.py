"""What shall be forgotten, and whether it may be: decided before anything is touched."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.common.refusals import service_refusal
from companion.journal.chain import read_head, read_rows
from companion.journal.file import JournalDamaged, reader, translated
from companion.journal.match_list import MatchRecord, written_records
from companion.keeping.forgetting.names import (
    STAND_IN,
    Renaming,
    alike,
    names_in,
    players_called,
    stand_in,
    tidy,
)
from companion.referee.model.table import Table

_BORDERS = tuple(
    b'{"event":"' + kind + b'"' for kind in (b"match_started", b"forgotten", b"match_forgotten")
)
"""Where a match begins, or one began that is gone."""


class Wish(Struct, frozen=True):
    """A match by its number, or a player by the name."""

    match: int | None = None
    name: str | None = None


class Plan(Struct, frozen=True):
    """What goes, the same in the journal and in every copy of it."""

    match: int | None
    started: str
    """When that match began: a copy may hold another one of the same number."""
    names: Mapping[str, str]
    """Each forgotten name, as names are compared, and what stands in its place."""
    said: tuple[str, ...]
    """The same names as people write them."""
    records: tuple[MatchRecord, ...]
    """The match that goes, or all in which the name is replaced."""

    def concerns(self, body: bytes) -> bool:
        """Tell whether somebody takes a forgotten name in this event."""
        match msgspec.json.decode(body):
            case {"name": str(name)}:
                return alike(name) in self.names
            case _:
                return False

    def seated(self, table: Table) -> bool:
        """Tell whether somebody with a forgotten name sits at the table."""
        return any(alike(seat.name) in self.names for seat in table.game.seats)

    def renaming(self, connection: sqlite3.Connection) -> Renaming:
        """Find out how the names are written in one journal."""
        said = names_in(connection) if self.names else {}
        gone = {name: self.names[alike(name)] for name in said if alike(name) in self.names}
        return Renaming(gone, said if gone else ())


class Zone(Struct, frozen=True):
    """The events of a match: from its beginning to before the next one, however often undone."""

    first: int
    last: int
    last_at: int
    """When the last of them happened, by the table's clock, which must never run back."""

    def holds(self, version: int) -> bool:
        """Whether this event goes."""
        return self.first <= version <= self.last


def planned(journal: Path, wish: Wish, table: Table) -> Plan:
    """Say what would be forgotten, or refuse."""
    with closing(reader(journal)) as connection:
        records = written_records(connection, "ORDER BY number")
        known = names_in(connection)
    if wish.match is not None:
        return _match(wish.match, records, known, table)
    return _name(wish.name or "", records, known, table)


def zone_of(connection: sqlite3.Connection, plan: Plan) -> Zone | None:
    """Find the match in a journal; None where it is not in it."""
    if plan.match is None:
        return None
    asked = " OR ".join("substr(body, 1, ?) = ?" for _ in _BORDERS)
    query = f"SELECT version, wall, body FROM events WHERE {asked} ORDER BY version"
    values = [value for border in _BORDERS for value in (len(border), border)]
    sought = ("match_started", plan.match)
    first, last = None, read_head(connection).version
    try:
        counts = set(connection.execute("SELECT number, started FROM matches"))
        for version, wall, body in connection.execute(query, values):
            event = msgspec.json.decode(body)
            if event["event"] == "match_started" and (event["match"], wall) not in counts:
                continue  # its beginning was taken back, so it is a part of the match before
            if first is not None:
                last = version - 1
                break
            if wall == plan.started and (event["event"], event.get("match")) == sought:
                first = version
    except sqlite3.Error as error:
        raise translated(error) from error
    except (msgspec.MsgspecError, LookupError) as error:
        raise JournalDamaged(f"the beginning of a match cannot be read: {error!r}") from error
    if first is None:
        return None
    end = next(read_rows(connection, last - 1, last), None)
    if end is None:
        raise JournalDamaged(f"event {last} is missing")
    return Zone(first, last, end.at)


def _match(
    number: int, records: tuple[MatchRecord, ...], known: Mapping[str, set[int]], table: Table
) -> Plan:
    record = next((one for one in records if one.number == number), None)
    if record is None:
        raise service_refusal("forget_no_match", number=number)
    if table.game.match is not None and table.game.match.number == number:
        raise service_refusal("forget_running", number=number)
    others = [one.sheet.players for one in records if one.number != number]
    elsewhere = {player.player for players in others for player in players}
    elsewhere |= {seat.player for seat in table.game.seats}
    stay = {alike(player.name) for players in others for player in players}
    stay |= {alike(seat.name) for seat in table.game.seats}
    players = {player.player for player in record.sheet.players} - elsewhere
    gone = {player.name for player in record.sheet.players}
    gone |= {name for name, numbers in known.items() if numbers & players}
    names: dict[str, str] = {}
    said: list[str] = []
    taken = dict(known)
    for name in sorted(gone):
        same = alike(name)
        if same not in stay | names.keys() and not STAND_IN.fullmatch(name):
            names[same] = stand_in(name, taken)
            before = taken.get(names[same], set())
            taken[names[same]] = before | players_called(name, known)
            said.append(name)
    return Plan(number, record.started, names, tuple(said), (record,))


def _name(
    typed: str, records: tuple[MatchRecord, ...], known: Mapping[str, set[int]], table: Table
) -> Plan:
    name = tidy(typed)
    same = alike(name)
    if STAND_IN.fullmatch(name):
        raise service_refusal("forget_stand_in", name=name)
    if same not in {alike(said) for said in known}:
        raise service_refusal("forget_no_name", name=name)
    if same in {alike(seat.name) for seat in table.game.seats}:
        raise service_refusal("forget_seated", name=name)
    played = tuple(one for one in records if same in {alike(p.name) for p in one.sheet.players})
    as_known = next(said for said in known if alike(said) == same)
    return Plan(None, "", {same: stand_in(name, known)}, (as_known,), played)
