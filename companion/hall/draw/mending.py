"""After a correction: the few people who change their seat in the round that is on."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from companion.hall.draw.drawing import before, in_order
from companion.hall.draw.seating import spread
from companion.hall.evening import DrawnRound, Evening, Seating
from companion.hall.events import ResultStruck, ResultWritten, apply
from companion.hall.standing import meetings

Moves = dict[int, int]
"""The person who sits down in the place of another."""


def redrawn(evening: Evening, event: ResultWritten | ResultStruck) -> DrawnRound | None:
    """Draw again what a correction concerns of the round that is on; none where that is nothing."""
    after = apply(evening, event)
    if isinstance(event, ResultWritten):
        return mended(evening, after, event.result.round, event.result.table)
    return mended(evening, after, event.round, event.table)


def mended(was: Evening, now: Evening, number: int, table: int) -> DrawnRound | None:
    """Draw the round that is on again for those whom the result of an earlier table concerns.

    A person who has somebody else's place at that table now takes their seat. Only these tables
    change, and among them nobody meets again without need; a table that has its result stays as it
    is. A pure function of the evening before and after; none where nobody has to move.
    """
    drawn = now.round
    if drawn is None or number >= drawn.number or now.plan.format in ("club", "free"):
        return None
    if now.plan.format != "swiss" and number != drawn.number - 1:
        return None
    round_ = now.rounds[number - 1]
    seating = next((one for one in round_.tables if one.table == table), None)
    if seating is None:
        return None
    old, new = in_order(was, round_, seating), in_order(now, round_, seating)
    moves = _possible(now, drawn, dict(zip(old, new, strict=True)))
    if not moves:
        return None
    tables = tuple(replace(one, people=_moved(one.people, moves)) for one in drawn.tables)
    redrawn = replace(drawn, tables=tables, byes=_moved(drawn.byes, moves))
    return _spread(now, drawn, redrawn)


def _possible(now: Evening, drawn: DrawnRound, moves: Moves) -> Moves:
    """Leave out people who cannot change places: they have played, left, or would sit out twice."""
    open_tables = set(now.waiting())
    at = {one: seating.table for seating in drawn.tables for one in seating.people}
    had = [one for round_ in now.rounds[: drawn.number - 1] for one in round_.byes]
    fixed = {one for one, table in at.items() if table not in open_tables}
    fixed |= {one for one in moves if not now.people[one].here}
    fixed |= {new for old, new in moves.items() if old in drawn.byes and new in had}
    possible: Moves = {}
    for ring in _rings(moves):
        if not fixed & ring and any(one in at or one in drawn.byes for one in ring):
            possible |= {one: moves[one] for one in ring}
    return possible


def _rings(moves: Moves) -> list[set[int]]:
    """Tell who changes places with whom: one after the other, until the first one's seat."""
    rings, seen = [], set()
    for one in moves:
        ring: list[int] = []
        while one not in seen:
            seen.add(one)
            ring.append(one)
            one = moves[one]
        if len(ring) > 1:
            rings.append(set(ring))
    return rings


def _moved(people: tuple[int, ...], moves: Moves) -> tuple[int, ...]:
    return tuple(moves.get(one, one) for one in people)


def _spread(now: Evening, drawn: DrawnRound, redrawn: DrawnRound) -> DrawnRound:
    """Let those of the tables that have changed not meet again, if they can do otherwise."""
    there = {one.table: one for one in drawn.tables}
    changed = [one for one in redrawn.tables if one.people != there[one.table].people]
    chance = Random(f"{now.plan.seed}/{drawn.seed}/{drawn.number}/mended")
    earlier = meetings(before(now, drawn.number))
    groups = spread([list(one.people) for one in changed], earlier, now.apart, chance)
    seats = {one.table: tuple(group) for one, group in zip(changed, groups, strict=True)}
    tables = (Seating(one.table, seats.get(one.table, one.people)) for one in redrawn.tables)
    return replace(redrawn, tables=tuple(tables))
