"""Events of the hall, in the past tense, as its journal keeps them, and what each one changes."""

from __future__ import annotations

from typing import Literal, assert_never

from msgspec.structs import replace

from companion.hall.contract import SentRound
from companion.hall.evening import (
    DrawnRound,
    Evening,
    HallTable,
    Person,
    Plan,
    Result,
    RoundClock,
)
from companion.referee.events import EventBase, Naming

DrawWay = Literal["drawn", "by_hand", "corrected"]
"""How a round came about: by a draw, by people who changed places, or by a correction."""


class EveningPlanned(EventBase, frozen=True):
    """Somebody has said how the evening is played."""

    plan: Plan


class PersonSignedUp(Naming, frozen=True):
    """Somebody is on the list."""

    club: str = ""


class PersonRenamed(Naming, frozen=True):
    """Somebody is called otherwise."""


class PersonLeft(EventBase, frozen=True):
    """Somebody takes no further part."""

    person: int


class PersonReturned(EventBase, frozen=True):
    """Somebody who had left takes part again."""

    person: int


class ApartChosen(EventBase, frozen=True):
    """Two people shall not meet, or may again."""

    one: int
    other: int
    apart: bool = True


class TableJoined(EventBase, frozen=True):
    """A table belongs to the hall."""

    table: int
    identity: str
    password: str
    since: int = 0
    """The event of its journal after which its results are wanted, and the seal of that one."""
    seal: str = ""


class TableLeft(EventBase, frozen=True):
    """A table belongs to the hall no longer; its results stay."""

    table: int


class RoundDrawn(EventBase, frozen=True):
    """A round was drawn and published, drawn once more, or changed before it was played."""

    round: DrawnRound
    way: DrawWay = "drawn"


class ClockSet(EventBase, frozen=True):
    """The clock of the round was started, paused, or given more time."""

    clock: RoundClock


class ResultTaken(EventBase, frozen=True):
    """A table's result is in the hall; its rounds are read from the journal when asked for.

    A table that came back tells again what it told before; that result stays as it is.
    """

    result: Result
    seal: str
    rounds: tuple[SentRound, ...] = ()
    again_by: int = 0
    """The table that tells it anew, perhaps under another number."""


class ResultWritten(EventBase, frozen=True):
    """The desk has written or corrected the result of a table in a round."""

    result: Result


class ResultStruck(EventBase, frozen=True):
    """What the desk had written is taken back: the table's own result counts again."""

    round: int
    table: int


HallEvent = (
    EveningPlanned
    | PersonSignedUp
    | PersonRenamed
    | PersonLeft
    | PersonReturned
    | ApartChosen
    | TableJoined
    | TableLeft
    | RoundDrawn
    | ClockSet
    | ResultTaken
    | ResultWritten
    | ResultStruck
)


def apply(evening: Evening, event: HallEvent) -> Evening:
    """Write an event into the evening; this never refuses."""
    return replace(_changed(evening, event), version=evening.version + 1)


def _changed(evening: Evening, event: HallEvent) -> Evening:
    match event:
        case EveningPlanned(plan):
            old = evening.plan
            same = (old.edition, old.scoring) == (plan.edition, plan.scoring)
            ordered = evening.ordered if same else evening.version + 1
            return replace(evening, plan=plan, ordered=ordered)
        case PersonSignedUp(player, name, club):
            return _with_person(evening, Person(player, name, club))
        case PersonRenamed(player, name):
            person = evening.people[player]
            renamed = replace(person, name=name, before=(*person.before, person.name))
            return _told_anew(_with_person(evening, renamed), player)
        case PersonLeft(person):
            left = _with_person(evening, replace(evening.people[person], here=False))
            return _told_anew(left, person)
        case PersonReturned(person):
            back = _with_person(evening, replace(evening.people[person], here=True))
            return _told_anew(back, person)
        case ApartChosen(one, other, apart):
            pair = {(min(one, other), max(one, other))}
            return replace(evening, apart=evening.apart | pair if apart else evening.apart - pair)
        case TableJoined(table, identity, password, since, seal):
            before = evening.tables.get(table)
            if before is not None and before.identity == identity:
                return _with_table(evening, replace(before, password=password))
            origin = _origin(evening, identity)
            return _with_table(evening, HallTable(table, identity, password, origin, since, seal))
        case TableLeft(table):
            others = {number: one for number, one in evening.tables.items() if number != table}
            return replace(evening, tables=others)
        case RoundDrawn(drawn, _):
            rounds = (*evening.rounds[: drawn.number - 1], _dated(evening, drawn))
            return replace(evening, rounds=rounds)
        case ClockSet(clock):
            return replace(evening, clocks={**evening.clocks, clock.round: clock})
        case ResultTaken(result, seal, _, again_by):
            sender = evening.tables[again_by or result.table]
            evening = _with_table(evening, replace(sender, sequence=result.sequence, seal=seal))
            results = evening.results
            if again_by:
                results = {key: one for key, one in results.items() if one.event != result.event}
            else:
                edited = results.get((result.origin, result.match))
                seals = result.seals if edited is None else edited.seals
                result = replace(result, event=evening.version + 1, seals=(*seals, seal))
            return replace(evening, results={**results, (result.origin, result.match): result})
        case ResultWritten(result):
            written = {**evening.corrections, (result.round, result.table): result}
            return replace(evening, corrections=written)
        case ResultStruck(number, table):
            kept = {k: v for k, v in evening.corrections.items() if k != (number, table)}
            return replace(evening, corrections=kept)
        case _:
            assert_never(event)


def _origin(evening: Evening, identity: str) -> str:
    """Keep what a table plays after it came back apart: it may lack what the hall has of it."""
    before = any(one.origin.partition("/")[0] == identity for one in evening.results.values())
    return f"{identity}/{evening.version + 1}" if before else identity


def _dated(evening: Evening, drawn: DrawnRound) -> DrawnRound:
    """Note since when each table is told so; one whose seats stay the same hears nothing new."""
    before = evening.rounds[drawn.number - 1].tables if drawn.number <= len(evening.rounds) else ()
    since_by_seats = {(one.table, one.people): one.since for one in before}
    now = evening.version + 1
    tables = (replace(s, since=since_by_seats.get((s.table, s.people), now)) for s in drawn.tables)
    return replace(drawn, tables=tuple(tables))


def _told_anew(evening: Evening, person: int) -> Evening:
    """Let the table where somebody sits hear how they are called now, or that they have left."""
    if evening.round is None:
        return evening
    now = evening.version + 1
    tables = tuple(
        replace(one, since=now) if person in one.people else one for one in evening.round.tables
    )
    return replace(evening, rounds=(*evening.rounds[:-1], replace(evening.round, tables=tables)))


def _with_person(evening: Evening, person: Person) -> Evening:
    return replace(evening, people={**evening.people, person.number: person})


def _with_table(evening: Evening, table: HallTable) -> Evening:
    return replace(evening, tables={**evening.tables, table.number: table})
