"""What is forgotten is taken out of one journal, in its place.

Every event keeps its number, its command's id and its seal, so that receipts, screens and copies
still mean the same and the chain is as it was; only the words go.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from msgspec.structs import replace

from companion.journal.bodies import encoded, kind_number
from companion.journal.chain import GENESIS, Row, check_rows, read_rows, read_seal
from companion.journal.names import read_name_lines, write_name_lines
from companion.journal.notes import read_note, write_notes
from companion.journal.opening import applied
from companion.journal.spans import Span, match_span
from companion.keeping.forgetting.plan import ForgettingPlan, alike
from companion.referee import events as e
from companion.referee.apply import apply
from companion.referee.model.table import Game, Match, Setup, Step, Table

NOTE = "forgotten"
"""Under this key a journal notes how often something was forgotten, and when last; never what."""


def holds(connection: sqlite3.Connection, plan: ForgettingPlan) -> bool:
    """Tell whether a journal holds any of what is forgotten."""
    if plan.match is not None and read_seal(connection, plan.begins[0]) == plan.begins[1]:
        return match_span(connection, plan.match) is not None
    return any(alike(name) in plan.names for _, _, name in read_name_lines(connection))


def erase(
    connection: sqlite3.Connection, plan: ForgettingPlan, when: str
) -> e.MatchForgotten | None:
    """Take out what is forgotten, within a transaction; gives what is left of the match."""
    left = None
    if plan.match is not None and read_seal(connection, plan.begins[0]) == plan.begins[1]:
        span = match_span(connection, plan.match)
        if span is not None:
            left = _erase_match(connection, plan.match, span)
    _erase_names(connection, plan)
    times = (read_note(connection, NOTE) or "0").split()[0]
    write_notes(connection, {NOTE: f"{int(times) + 1} {when}"})
    return left


def _erase_match(connection: sqlite3.Connection, match: int, span: Span) -> e.MatchForgotten:
    rows = list(_checked(connection, span))
    left = _left_by(connection, match, rows)
    earlier = next(read_rows(connection, span.first - 2, span.first - 1), rows[0])
    following = next(read_rows(connection, span.last, span.last + 1), None)
    # A command that went on after the match still tells when it came.
    until = span.last + 1 if following is None else following.version - following.part
    for row in rows:
        event = left if row is rows[-1] else e.Forgotten()
        kind, body, _ = encoded(event)
        digest = None if row.digest is None else b""
        blank = replace(row, kind=kind, body=body, digest=digest)
        if span.first <= row.version - row.part < until:
            blank = replace(blank, at=rows[-1].at, moment=earlier.moment)
        put_instead(connection, row, blank)
    connection.execute("DELETE FROM names WHERE version BETWEEN ? AND ?", (span.first, span.last))
    write_name_lines(connection, [(span.last, seat.player, seat.name) for seat in left.seats])
    return left


def _erase_names(connection: sqlite3.Connection, plan: ForgettingPlan) -> None:
    lines = list(read_name_lines(connection)) if plan.names else []
    # A few names stand in thousands of lines: whether one is meant is worked out once.
    meant = {name for name in {name for _, _, name in lines} if alike(name) in plan.names}
    instead = {name: plan.instead(name) for name in meant}
    given = {version for version, _, name in lines if name in instead}
    if not given:
        return
    # All of them are written anew: SQLite leaves copies of lines where it has moved them.
    connection.execute("DELETE FROM names")
    write_name_lines(
        connection, ((version, player, instead.get(name, name)) for version, player, name in lines)
    )
    for row in read_rows(connection, kinds={"seat_taken", "player_renamed"}):
        if row.version in given:
            _blank_receipt(connection, row.version - row.part)


def _blank_receipt(connection: sqlite3.Connection, version: int) -> None:
    """Let go of what tells a command apart from others: it could be guessed at with names."""
    (first,) = _checked(connection, Span(version, version))
    if first.digest:
        put_instead(connection, first, replace(first, digest=b""))


def _checked(connection: sqlite3.Connection, span: Span) -> Iterator[Row]:
    seal = read_seal(connection, span.first - 1) or GENESIS
    return check_rows(connection, span.first - 1, seal, span.last)


def put_instead(connection: sqlite3.Connection, old: Row, new: Row) -> None:
    """Write another event in the place of one, whose seal stays right, within a transaction."""
    digest = old.content if old.gone is None else old.gone.digest
    connection.execute(
        "INSERT OR REPLACE INTO forgotten VALUES (?, ?, ?)",
        (old.version, digest, new.forgetting_seal(digest)),
    )
    connection.execute(
        "UPDATE events SET kind = ?, digest = ?, body = ? WHERE version = ?",
        (kind_number(new.kind), new.digest, new.body, new.version),
    )
    if new.part == 0:
        when = (new.at, new.moment, new.version)
        connection.execute("UPDATE events SET at = ?, moment = ? WHERE version = ?", when)


def _left_by(connection: sqlite3.Connection, match: int, rows: list[Row]) -> e.MatchForgotten:
    """Play a match again, and tell all of it that what came after needs."""
    table = _table_before(connection, rows[0])
    for row in rows:
        table = applied(table, row.version, row.event())
    return e.MatchForgotten(
        match=match,
        seats=table.game.seats,
        setup=table.game.setup,
        players=_highest_player(connection),
        editions=table.editions,
        timing=table.timing,
        aside=table.aside,
        awaiting_button=table.awaiting_button,
    )


def _table_before(connection: sqlite3.Connection, row: Row) -> Table:
    """Give the table that a match began at; its beginning tells who sat there."""
    begun, opened = row.event(), _latest(connection, row.version, "table_opened", "match_forgotten")
    assert isinstance(begun, e.MatchStarted)
    played = Setup(begun.edition.key, begun.scoring, begun.way, begun.house)
    table = Table(game=Game(begun.seats, begun.setup or played, matches=begun.match - 1))
    if opened is not None:
        event = opened.event()
        assert isinstance(event, e.TableOpened | e.MatchForgotten)
        aside = event.aside if isinstance(event, e.MatchForgotten) else {}
        table = replace(table, editions=event.editions, timing=event.timing, aside=aside)
        broken = {"button_set_aside", "button_put_back"}
        for since in read_rows(connection, opened.version, row.version, broken):
            table = applied(table, since.version, since.event())
    kinds = ("button_awaited", "seat_taken", "button_assigned", "match_forgotten")
    asked = _latest(connection, row.version, *kinds)
    match asked and asked.event():
        case e.ButtonAwaited(seat=seat) | e.MatchForgotten(awaiting_button=seat):
            return replace(table, awaiting_button=seat)
        case _:
            return table


def _latest(connection: sqlite3.Connection, up_to: int, *kinds: str) -> Row | None:
    """Give the last event of one of these kinds."""
    query = "SELECT max(version) FROM events WHERE kind = ? AND kind > 0 AND version <= ?"
    rows = [connection.execute(query, (kind_number(kind), up_to)).fetchone() for kind in kinds]
    version = max(version or 0 for (version,) in rows)
    return next(read_rows(connection, version - 1, version), None)


def _highest_player(connection: sqlite3.Connection) -> int:
    """Tell the highest number that a player ever had; a later one does no harm."""
    (named,) = connection.execute("SELECT max(player) FROM names").fetchone()
    events = (
        row.event() for row in read_rows(connection, kinds={"table_opened", "match_forgotten"})
    )
    counts = (one.players for one in events if isinstance(one, e.TableOpened | e.MatchForgotten))
    return max(named or 0, *counts, 0)


def erased(table: Table, plan: ForgettingPlan, left: e.MatchForgotten | None) -> Table:
    """Give a table as the journal tells it from now on, without playing everything again."""
    if left is not None and table.game.matches == plan.match:
        table = apply(replace(table, version=table.version - 1), left)
    elif left is not None:
        table = replace(table, forgotten=tuple(sorted({*table.forgotten, left.match})))
    past, future = _way(table.past, plan, left), _way(table.future, plan, left)
    return replace(table, game=_renamed(table.game, plan), past=past, future=future)


def _way(step: Step | None, plan: ForgettingPlan, left: e.MatchForgotten | None) -> Step | None:
    """Write the way back anew, without what is gone."""
    steps = []
    while step is not None:
        if left is None or step.game.matches != left.match:
            steps.append(step)
        step = step.below
    way: Step | None = None
    for one in reversed(steps):
        way = replace(one, game=_renamed(one.game, plan), below=way)
    return way


def _renamed(game: Game, plan: ForgettingPlan) -> Game:
    seats = tuple(replace(seat, name=plan.instead(seat.name)) for seat in game.seats)
    return replace(game, seats=seats, match=_match_renamed(game.match, plan))


def _match_renamed(match: Match | None, plan: ForgettingPlan) -> Match | None:
    if match is None:
        return None
    entrants = tuple(replace(one, name=plan.instead(one.name)) for one in match.entrants)
    return replace(match, entrants=entrants)
