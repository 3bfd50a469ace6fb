"""What an evening in the hall is: people, tables, rounds and results, as one immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.referee.commands import Scoring
from companion.referee.rules.seating import LONGEST_NAME

Format = Literal["club", "swiss", "progressive", "knockout", "free"]
Ending = Literal["finished", "abandoned"]
MOST = 2**53 - 1
"""So far every page counts without rounding."""
Count = Annotated[int, Meta(ge=0, le=MOST)]
Exact = Annotated[int, Meta(ge=-MOST, le=MOST)]


class Plan(Struct, frozen=True):
    """How the evening is played."""

    title: Annotated[str, Meta(max_length=60)] = ""
    format: Format = "swiss"
    rounds: Annotated[int, Meta(ge=1, le=50)] = 5
    least: int = 3
    most: int = 4
    """So few and so many may sit at one table."""
    minutes: Annotated[int, Meta(ge=0, le=600)] = 0
    """How long a round may take; 0 is as long as it takes."""
    edition: str | None = None
    scoring: Scoring = "classic"
    sign_up: bool = True
    """Whether people may put themselves on the list."""
    seed: Exact = 0
    """What all draws begin with; with it they can be made again."""


class Person(Struct, frozen=True):
    """A person on the list; one who has left stays on it, because they have played."""

    number: int
    name: str
    club: str = ""
    here: bool = True
    before: tuple[str, ...] = ()
    """How they were called earlier: a match that was on meanwhile still says so."""


class HallTable(Struct, frozen=True):
    """A table that has joined, and how far its results are in the hall's journal."""

    number: int
    identity: str
    """Drawn by the table once, so that another one under its number is noticed."""
    password: str
    """As the broker keeps it, which is no way back to the password itself."""
    origin: str = ""
    """What its results are kept under: its identity, and for one that came back since when."""
    sequence: int = 0
    seal: str = ""
    """The seal of the table's journal at that sequence."""


class BestHand(Struct, frozen=True):
    """A hand in a race of the best: whose, by their place in the result, and when it counted."""

    at: Annotated[int, Meta(ge=0, le=99)]
    after: Exact | None = None
    """Nanoseconds after the first hand or the light; none where no hand came in time."""
    handicap: Exact = 0


class Best(Struct, frozen=True):
    """Something that people talk about later: a close race, a fast hand, a comeback."""

    kind: Literal["race", "hand", "comeback"]
    size: Exact
    """Nanoseconds between two hands, or points that somebody was behind."""
    people: tuple[int, ...]
    """By their place in the result."""
    round: Count = 0
    """The round of the match in which it happened."""
    hands: Annotated[tuple[BestHand, ...], Meta(max_length=10)] = ()
    """All hands of the race in their order, so that its photo finish can be shown."""
    light: bool = False
    """Whether they are counted from the light of a slap-off."""

    def known(self, places: int) -> bool:
        """Whether it is one, and everybody in it has a place in the result."""
        return self.size > 0 and all(
            0 <= at < places for at in (*self.people, *(hand.at for hand in self.hands))
        )


class MatchTotal(Struct, frozen=True):
    """What somebody has come to in one match."""

    person: int
    """0 where the hall does not know them."""
    points: int
    name: str = ""
    """Only of a person whom the hall does not know."""


class Result(Struct, frozen=True):
    """One match of one table, as the hall has it."""

    table: int
    sequence: int
    origin: str
    """The origin of the table; empty where the desk wrote it."""
    match: int
    ending: Ending
    scoring: Scoring
    places: tuple[MatchTotal, ...]
    winners: tuple[int, ...] = ()
    """By their place in the list."""
    adds_up: bool = True
    """Whether the totals are the sums of the rounds."""
    round: int = 0
    """The round that it counts for; 0 where it counts for none."""
    best: tuple[Best, ...] = ()
    reason: str = ""
    """Why the desk wrote or changed it; empty where it stands as the table sent it."""
    timed: bool = False
    """Whether it was ended because the time of its round was up."""
    event: int = 0
    """The event of the hall's journal that tells its rounds and rulings."""
    seals: tuple[str, ...] = ()
    """The seals of the table's journal with it, when it began and whenever it changed, by which it
    is known again."""

    @property
    def counts(self) -> bool:
        """Whether it can count at all: it was played to its end, and its sums are right."""
        return (self.ending == "finished" or self.timed) and self.adds_up


class Seating(Struct, frozen=True):
    """Who sits at one table in a round."""

    table: int
    people: tuple[int, ...]
    since: int = 0
    """The version of the evening in which these people were told to sit here."""


class DrawnRound(Struct, frozen=True):
    """A round that was drawn and published."""

    number: int
    seed: int
    tables: tuple[Seating, ...]
    byes: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()
    """The people it was drawn for, where the desk chose them by hand."""

    @property
    def people(self) -> tuple[int, ...]:
        """Everybody who is in it, at a table or with a bye."""
        return *self.byes, *(one for seating in self.tables for one in seating.people)


class RoundClock(Struct, frozen=True):
    """The clock of a round, in milliseconds of the wall, so that every screen can count."""

    round: int
    ends: int | None = None
    """When time is up; none while it is paused."""
    left: int = 0
    """Milliseconds that are left while it is paused."""


class Evening(Struct, frozen=True):
    """Everything that the hall's journal says."""

    version: int = 0
    plan: Plan = Plan()
    people: Mapping[int, Person] = {}
    apart: frozenset[tuple[int, int]] = frozenset()
    tables: Mapping[int, HallTable] = {}
    rounds: tuple[DrawnRound, ...] = ()
    results: Mapping[tuple[str, int], Result] = {}
    """By the table's origin and match: a number may be given to another table later."""
    corrections: Mapping[tuple[int, int], Result] = {}
    """What the desk wrote, by round and table; it counts instead of what the table sent."""
    clocks: Mapping[int, RoundClock] = {}
    """By round; one that is over still tells until when a result was in time."""
    ordered: int = 0
    """The version in which all tables were last told to play otherwise."""

    @property
    def here(self) -> tuple[int, ...]:
        """Who takes part now."""
        return tuple(one.number for one in self.people.values() if one.here)

    @property
    def round(self) -> DrawnRound | None:
        """The round that is on."""
        return self.rounds[-1] if self.rounds else None

    @property
    def clock(self) -> RoundClock | None:
        """The clock of the round that is on."""
        return self.clocks.get(len(self.rounds))

    def time_was_up(self, number: int, now: int) -> bool:
        """Whether the time of a round was up at a moment."""
        clock = self.clocks.get(number)
        return clock is not None and clock.ends is not None and clock.ends <= now

    def counted(self) -> dict[tuple[int, int], Result]:
        """Tell the results that count, by round and table; a free one by its event instead."""
        found: dict[tuple[int, int], Result] = {}
        for result in sorted(self.results.values(), key=lambda one: one.sequence):
            if not result.counts:
                continue
            if self.plan.format == "free":
                found[-result.event, result.table] = result
            elif result.round:
                found.setdefault((result.round, result.table), result)
        return found | dict(self.corrections)

    def waiting(self) -> tuple[int, ...]:
        """Name the tables of the round that is on whose result is missing."""
        if self.round is None:
            return ()
        number = self.round.number
        done = {table for written, table in self.corrections if written == number}
        done |= {one.table for one in self.results.values() if one.round == number and one.counts}
        return tuple(one.table for one in self.round.tables if one.table not in done)

    def are_of(self, seating: Seating, people: frozenset[int]) -> bool:
        """Whether these are the people of a table, of whom only those may be missing who left."""
        missing = frozenset(seating.people) - people
        known = bool(people) and people <= frozenset(seating.people)
        return known and not any(self.people[one].here for one in missing)

    def name(self, person: int) -> str:
        """Tell how somebody is called."""
        listed = self.people.get(person)
        return f"Player {person}" if listed is None else listed.name

    def name_at_table(self, person: int) -> str:
        """Tell how somebody is called at a table, where a name is shorter than on the list."""
        name, number = self.name(person), f"\u2026 {person}"
        return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - len(number)] + number


def name_key(name: str) -> str:
    """Give what is the same in all spellings of a name that mean one person."""
    return " ".join(name.split()).casefold()
