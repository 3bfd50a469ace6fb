"""What the hall's pages show: the evening as everybody may see it, and what only the desk sees."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.hall.contract import Seated
from companion.hall.evening import DrawnRound, Evening, Plan, RoundClock
from companion.hall.intake import TableSeen
from companion.hall.standing import Line, Score, standing

BEST = 5
"""So many of each kind are the best of the evening."""


class PersonShown(Struct, frozen=True):
    """Somebody on the list."""

    number: int
    name: str
    club: str
    here: bool


class SeatingShown(Struct, frozen=True):
    """A table of a round, and whether its result is in."""

    table: int
    people: tuple[int, ...]
    done: bool
    points: dict[int, int]


class RoundShown(Struct, frozen=True):
    """A round with its seats."""

    number: int
    seed: int
    tables: tuple[SeatingShown, ...]
    byes: tuple[int, ...]


class StandingShown(Struct, frozen=True):
    """A line of the standing, down to each round."""

    rank: int
    person: int
    points: int
    scored: int
    head_to_head: int
    opponents: int
    scores: tuple[Score, ...]


class BestShown(Struct, frozen=True):
    """Something of the evening that people talk about."""

    kind: str
    size: int
    table: int
    people: tuple[str, ...]


class EveningShown(Struct, frozen=True):
    """What everybody may see."""

    version: int
    plan: Plan
    people: tuple[PersonShown, ...]
    rounds: tuple[RoundShown, ...]
    standing: tuple[StandingShown, ...]
    clock: RoundClock | None
    best: tuple[BestShown, ...]
    waiting: tuple[int, ...]


class ResultShown(Struct, frozen=True):
    """A result as it came, for the desk."""

    table: int
    match: int
    round: int
    ending: str
    adds_up: bool
    people: tuple[str, ...]
    points: tuple[int, ...]
    counts: bool
    reason: str
    strangers: tuple[str, ...]


class TableShown(Struct, frozen=True):
    """A table as the desk sees it."""

    table: int
    joined: bool
    here: bool
    since: str
    behind: bool
    foreign: bool
    twins: bool
    phase: str
    round: int
    people: tuple[Seated, ...]
    unsent: int
    ruling: str
    broken: tuple[int, ...]


class DeskShown(Struct, frozen=True):
    """What only the desk sees."""

    tables: tuple[TableShown, ...]
    results: tuple[ResultShown, ...]
    apart: tuple[tuple[int, int], ...]
    helper_code: str | None
    table_code: str
    join: str
    broker: str | None
    """Why the broker is not reached, if it is not."""
    damage: str | None


def evening_shown(evening: Evening) -> EveningShown:
    """Write down what everybody may see."""
    return EveningShown(
        version=evening.version,
        plan=evening.plan,
        people=tuple(
            PersonShown(one.number, one.name, one.club, one.here) for one in evening.people.values()
        ),
        rounds=tuple(round_shown(evening, drawn) for drawn in evening.rounds),
        standing=tuple(_line(line) for line in standing(evening)),
        clock=evening.clock,
        best=tuple(_best(evening)),
        waiting=evening.waiting(),
    )


def round_shown(evening: Evening, drawn: DrawnRound) -> RoundShown:
    """Show a round with what its tables have come to."""
    counted = evening.counted()
    tables = []
    for seating in drawn.tables:
        result = counted.get((drawn.number, seating.table))
        points = {} if result is None else {one.person: one.points for one in result.places}
        tables.append(SeatingShown(seating.table, seating.people, result is not None, points))
    return RoundShown(drawn.number, drawn.seed, tuple(tables), drawn.byes)


def tables_shown(evening: Evening, seen: dict[int, TableSeen]) -> tuple[TableShown, ...]:
    """Show every table that has joined, or was drawn to play on paper."""
    drawn = () if evening.round is None else evening.round.tables
    numbers = sorted({*evening.tables, *(one.table for one in drawn)})
    return tuple(_table(evening, number, seen.get(number, TableSeen())) for number in numbers)


def results_shown(evening: Evening) -> tuple[ResultShown, ...]:
    """Show all results as they came, the latest first."""
    counted = {id(result) for result in evening.counted().values()}
    every = [*evening.results.values(), *evening.corrections.values()]
    return tuple(
        ResultShown(
            table=one.table,
            match=one.match,
            round=one.round,
            ending=one.ending,
            adds_up=one.adds_up,
            people=tuple(place.name or evening.name(place.person) for place in one.places),
            points=tuple(place.points for place in one.places),
            counts=id(one) in counted,
            reason=one.reason,
            strangers=tuple(place.name for place in one.places if not place.person),
        )
        for one in reversed(every)
    )


def _line(line: Line) -> StandingShown:
    sums = (line.points, line.scored, line.head_to_head, line.opponents)
    return StandingShown(line.rank, line.person, *sums, line.scores)


def _table(evening: Evening, number: int, seen: TableSeen) -> TableShown:
    here, state = seen.here, seen.state
    return TableShown(
        table=number,
        joined=number in evening.tables,
        here=here is not None and here.here,
        since=seen.since,
        behind=here is not None and here.behind,
        foreign=seen.foreign,
        twins=seen.twins,
        phase="" if state is None else state.phase,
        round=0 if state is None else state.round,
        people=() if state is None else state.people,
        unsent=0 if state is None else state.unsent,
        ruling="" if state is None else state.ruling,
        broken=() if here is None else here.broken,
    )


def _best(evening: Evening) -> Iterator[BestShown]:
    """Find the closest races, the fastest hands and the longest ways back of all tables."""
    found = [
        BestShown(
            best.kind,
            best.size,
            result.table,
            tuple(
                _called(evening, result.places[at].person, result.places[at].name)
                for at in best.people
            ),
        )
        for result in evening.results.values()
        if result.counts
        for best in result.best
    ]
    for kind, sign in (("race", 1), ("hand", 1), ("comeback", -1)):
        same = [one for one in found if one.kind == kind and one.people]
        yield from sorted(same, key=lambda one: sign * one.size)[:BEST]


def _called(evening: Evening, person: int, name: str) -> str:
    return evening.name(person) if person else name
