"""What the hall's pages show: the evening as everybody may see it, and what only the desk sees."""

from __future__ import annotations

from collections.abc import Iterator

from companion.hall.contract import SentRound, SentRuling, with_names
from companion.hall.evening import DrawnRound, Evening, Result
from companion.hall.intake import TableSeen
from companion.hall.standing import standing
from web.hall.shapes import (
    BestShown,
    CorrectionShown,
    DrawnRoundShown,
    EveningShown,
    HandShown,
    MatchShownByHall,
    MovedShown,
    PersonShown,
    PlayedRoundShown,
    RankShown,
    ResultShown,
    RulingShown,
    SeatingShown,
    TableShown,
)

BEST = 5
"""So many of each kind are the best of the evening."""


def evening_shown(evening: Evening) -> EveningShown:
    """Write down what everybody may see."""
    return EveningShown(
        version=evening.version,
        plan=evening.plan,
        people=tuple(
            PersonShown(one.number, one.name, one.club, one.here) for one in evening.people.values()
        ),
        rounds=tuple(round_shown(evening, drawn) for drawn in evening.rounds),
        standing=standing(evening),
        clock=evening.clock,
        best=tuple(_best(evening)),
        waiting=evening.waiting(),
    )


def round_shown(evening: Evening, drawn: DrawnRound) -> DrawnRoundShown:
    """Show a round with what its tables have come to."""
    counted = evening.counted()
    tables = []
    for seating in drawn.tables:
        result = counted.get((drawn.number, seating.table))
        points = {} if result is None else {one.person: one.points for one in result.places}
        tables.append(SeatingShown(seating.table, seating.people, result is not None, points))
    return DrawnRoundShown(drawn.number, drawn.seed, tuple(tables), drawn.byes)


def correction_shown(
    evening: Evening, after: Evening, redrawn: DrawnRound | None
) -> CorrectionShown:
    """Show what a correction would change: for those whose sums change, and at which tables."""
    tables = []
    if redrawn is not None and evening.round is not None:
        for was, now in zip(evening.round.tables, redrawn.tables, strict=True):
            if set(was.people) != set(now.people):
                tables.append(MovedShown(was.table, was.people, now.people))
    old, new = _places_in(evening), _places_in(after)
    ranks = []
    for person in {**new, **old}:
        # Whoever left before they had played is in no standing, and below all who are.
        before = old.get(person, (len(old) + 1, 0, 0))
        then = new.get(person, (len(new) + 1, 0, 0))
        if before[1:] != then[1:]:
            ranks.append(RankShown(person, (before[0], then[0]), (before[1], then[1])))
    return CorrectionShown(evening.version, tuple(tables), tuple(ranks))


def _places_in(evening: Evening) -> dict[int, tuple[int, int, int]]:
    """Tell everybody's rank, points, and points scored."""
    return {line.person: (line.rank, line.points, line.scored) for line in standing(evening)}


def match_shown(
    evening: Evening, result: Result, rounds: tuple[SentRound, ...]
) -> MatchShownByHall:
    """Show what a result adds up from, down to the rulings of each round."""
    names = tuple(_called(evening, place.person, place.name) for place in result.places)
    return MatchShownByHall(
        table=result.table,
        round=result.round,
        sequence=result.sequence,
        scoring=result.scoring,
        names=names,
        points=tuple(place.points for place in result.places),
        reason=result.reason,
        timed=result.timed,
        rounds=tuple(
            PlayedRoundShown(
                one.out,
                one.left,
                tuple(_ruling(said, with_names(said.parts, names)) for said in one.rulings),
            )
            for one in rounds
        ),
    )


def _ruling(said: SentRuling, parts: dict[str, str | int]) -> RulingShown:
    return RulingShown(said.rule, said.code, "", parts)


def tables_shown(evening: Evening, seen: dict[int, TableSeen]) -> tuple[TableShown, ...]:
    """Show every table that has joined, was drawn to play on paper, or speaks uninvited."""
    drawn = () if evening.round is None else evening.round.tables
    outside = {
        number
        for number, one in seen.items()
        if number not in evening.tables and one.here is not None and one.here.here
    }
    numbers = sorted({*evening.tables, *(one.table for one in drawn), *outside})
    unheard = TableSeen()
    return tuple(
        _table(number, seen.get(number, unheard), joined=True)
        if number in evening.tables
        else _table(number, unheard, joined=False, outside=number in outside)
        for number in numbers
    )


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
            timed=one.timed,
            reason=one.reason,
            strangers=tuple(place.name for place in one.places if not place.person),
        )
        for one in reversed(every)
    )


def _table(number: int, seen: TableSeen, *, joined: bool, outside: bool = False) -> TableShown:
    here, state = seen.here, seen.state
    ruling = None if state is None else state.ruling
    return TableShown(
        table=number,
        joined=joined,
        outside=outside,
        here=here is not None and here.here,
        since=seen.since,
        behind=here is not None and here.behind,
        foreign=seen.foreign,
        twins=seen.twins,
        phase="" if state is None else state.phase,
        round=0 if state is None else state.round,
        people=() if state is None else state.people,
        unsent=0 if state is None else state.unsent,
        ruling=None if ruling is None else _ruling(ruling, ruling.parts),
        broken=() if here is None else here.broken,
        battery=None if here is None else here.battery,
        weak=here is not None and here.weak,
    )


def _best(evening: Evening) -> Iterator[BestShown]:
    """Find the closest races, the fastest hands and the longest ways back of all tables."""
    found = [
        BestShown(
            best.kind,
            best.size,
            result.table,
            tuple(_at(evening, result, at) for at in best.people),
            max(result.round, 0),
            tuple(
                HandShown(_at(evening, result, hand.at), hand.after, hand.handicap)
                for hand in best.hands
            ),
            best.light,
        )
        for result in evening.results.values()
        if result.counts
        for best in result.best
    ]
    for kind, sign in (("race", 1), ("hand", -1), ("comeback", -1)):
        same = [one for one in found if one.kind == kind and one.people]
        yield from sorted(same, key=lambda one: sign * one.size)[:BEST]


def _at(evening: Evening, result: Result, at: int) -> str:
    return _called(evening, result.places[at].person, result.places[at].name)


def _called(evening: Evening, person: int, name: str) -> str:
    return evening.name(person) if person else name
