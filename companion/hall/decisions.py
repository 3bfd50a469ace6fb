"""What can be asked of the hall: a command becomes events, or is refused with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal
from unicodedata import normalize

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.hall import events as e
from companion.hall.contract import SentResult
from companion.hall.draw.drawing import NoDraw, draw
from companion.hall.draw.mending import redrawn
from companion.hall.evening import (
    DrawnRound,
    Evening,
    Exact,
    HallTable,
    MatchTotal,
    Person,
    Plan,
    Result,
    RoundClock,
    same_name,
)
from companion.referee.commands import snake
from companion.referee.model.edition import PRINTED
from companion.referee.model.names import tidy

MOST_PEOPLE = 1000
LONGEST = 40
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
Points = Annotated[int, Meta(ge=-99_999, le=99_999)]
MINUTE = 60_000
NO_REASON = "-"
"""What stands for the reason of a result that the desk wrote where no table had sent one."""
EDITIONS = {edition.key for edition in PRINTED}

ENGLISH = {
    "nobody_there": "That person is not on the list.",
    "no_name": "Nobody can be on the list without a name.",
    "long_name": f"A name can have up to {LONGEST} letters.",
    "same_name": "That name is on the list already. Add a letter or a club.",
    "full": f"A hall has room for {MOST_PEOPLE} people.",
    "closed_list": "Sign-up is closed. Ask at the desk.",
    "same_person": "Pick two different people.",
    "sizes": "A table needs at least two people, and the most can't be less than the fewest.",
    "edition": "A hall plays one of the printed editions, or leaves it to the tables.",
    "free": "Nothing is drawn in a free evening: every table plays as it likes.",
    "nobody": "There are too few people on the list for a round.",
    "final": "The final has been played.",
    "results_missing": "Some results of this round are missing. Enter them, or draw anyway.",
    "played": "This round has results already and can't be drawn again.",
    "no_round": "There is no such round.",
    "not_seated": "Only people in the current round can swap places.",
    "no_table": "That table doesn't play in that round.",
    "wrong_people": "Those aren't the people at that table.",
    "no_clock": "No clock is running.",
    "stale": "The hall has changed in the meantime. Take another look and try again.",
    "not_joined": "No table in this hall has that number.",
    "table_taken": "Another table in this hall has that number. Choose a different one.",
    "has_left": "Somebody you chose has left.",
    "no_reason": "Say why the result is different.",
    "no_user": "This hall's broker has no user for a table with that number. Ask at the desk.",
}


class HallRefusal(Exception):
    """Not possible now, for the reason that the code gives; nothing was recorded."""

    def __init__(self, code: str) -> None:
        super().__init__(ENGLISH[code])
        self.code = code


class DeskBase(Struct, frozen=True, tag_field="kind", tag=snake, forbid_unknown_fields=True):
    """What all commands of the desk share."""


class PlanEvening(DeskBase, frozen=True):
    """Say how the evening is played."""

    plan: Plan


class SignUp(DeskBase, frozen=True):
    """Put people on the list, as they were typed or pasted: a name, perhaps a comma and a club."""

    people: Annotated[
        tuple[Annotated[str, Meta(max_length=400)], ...], Meta(max_length=MOST_PEOPLE)
    ]
    device: str = ""
    """Of the phone that somebody signs up with."""


class RenamePerson(DeskBase, frozen=True):
    """Change how somebody is called."""

    person: int
    name: Name


class Leave(DeskBase, frozen=True):
    """Let somebody take no further part."""

    person: int


class Return(DeskBase, frozen=True):
    """Let somebody take part again."""

    person: int


class KeepApart(DeskBase, frozen=True):
    """Let two people not meet, or let them meet again."""

    one: int
    other: int
    apart: bool = True


class DrawRound(DeskBase, frozen=True):
    """Draw and publish the next round, or the one that is on once more."""

    seed: Exact
    again: bool = False
    anyway: bool = False
    """Whether the results that are missing are not waited for."""
    chosen: Annotated[tuple[int, ...], Meta(max_length=1000)] = ()
    """Who plays, where the desk wants to say that itself."""


class ChangePlaces(DeskBase, frozen=True):
    """Let two people of the round that is on change places."""

    one: int
    other: int


class SetClock(DeskBase, frozen=True):
    """Start, pause or go on with the clock of the round, or give it more time."""

    what: Literal["start", "pause", "resume", "more"]
    minutes: Annotated[int, Meta(ge=1, le=600)] = 5


class WriteResult(DeskBase, frozen=True):
    """Write the result of a table, which counts instead of what it sent."""

    round: int
    table: int
    points: Mapping[int, Points]
    reason: Annotated[str, Meta(max_length=200)] = ""
    redraw: bool = False
    """Whether those sit elsewhere in the round that is on whom this concerns."""


class StrikeResult(DeskBase, frozen=True):
    """Take back what the desk wrote."""

    round: int
    table: int
    redraw: bool = False


class RemoveTable(DeskBase, frozen=True):
    """Let a table leave the hall."""

    table: int


DeskCommand = (
    PlanEvening
    | SignUp
    | RenamePerson
    | Leave
    | Return
    | KeepApart
    | DrawRound
    | ChangePlaces
    | SetClock
    | WriteResult
    | StrikeResult
    | RemoveTable
)


def decide(evening: Evening, command: DeskCommand, now: int = 0) -> Iterator[e.HallEvent]:
    """Say what a command makes happen, or refuse it; `now` is the wall's time in milliseconds."""
    match command:
        case PlanEvening(plan):
            if not 2 <= plan.least <= plan.most <= 10:
                raise HallRefusal("sizes")
            if plan.edition is not None and plan.edition not in EDITIONS:
                raise HallRefusal("edition")
            yield e.EveningPlanned(plan)
        case SignUp(people, device):
            yield from _sign_up(evening, people, device)
        case RenamePerson(person, typed):
            name = _readable(typed)
            if any(same_name(name, one.name) for one in _others(evening, person)):
                raise HallRefusal("same_name")
            yield e.PersonRenamed(person, name)
        case Leave(person):
            _others(evening, person)
            yield e.PersonLeft(person)
        case Return(person):
            _others(evening, person)
            yield e.PersonReturned(person)
        case KeepApart(one, other, apart):
            _others(evening, one)
            _others(evening, other)
            if one == other:
                raise HallRefusal("same_person")
            yield e.ApartChosen(one, other, apart)
        case DrawRound(seed, again, anyway, chosen):
            yield e.RoundDrawn(drawn_round(evening, seed, again, anyway, chosen))
        case ChangePlaces(one, other):
            yield e.RoundDrawn(_with_places_changed(evening, one, other), "by_hand")
        case SetClock(what, minutes):
            yield e.ClockSet(_clock(evening, what, minutes * MINUTE, now))
        case WriteResult() | StrikeResult():
            event = correction(evening, command)
            yield event
            drawn = redrawn(evening, event) if command.redraw else None
            if drawn is not None:
                yield e.RoundDrawn(drawn, "corrected")
        case RemoveTable(table):
            if table not in evening.tables:
                raise HallRefusal("not_joined")
            yield e.TableLeft(table)


def join_table(evening: Evening, wish: int | None, identity: str, password: str) -> e.TableJoined:
    """Give a table its number: the one that it has, the one that it wishes, or the next."""
    known = [one.number for one in evening.tables.values() if one.identity == identity]
    number = wish or (known[0] if known else _free(evening.tables))
    taken = evening.tables.get(number)
    if taken is not None and taken.identity != identity:
        raise HallRefusal("table_taken")
    return e.TableJoined(number, identity, password)


def correction(
    evening: Evening, command: WriteResult | StrikeResult
) -> e.ResultWritten | e.ResultStruck:
    """Say what the desk's word makes of a result; the table's own stays on record."""
    number, table = command.round, command.table
    if isinstance(command, WriteResult):
        return e.ResultWritten(_written(evening, number, table, command.points, command.reason))
    if (number, table) not in evening.corrections:
        raise HallRefusal("no_table")
    return e.ResultStruck(number, table)


def take_result(
    evening: Evening,
    table: HallTable,
    sent: SentResult,
    now: int = 0,
    known_seals: Mapping[str, Result] = {},
) -> Iterator[e.HallEvent]:
    """Take a table's result, if it is the very next one; anything else changes nothing.

    What was taken before is not taken twice, and what would leave a gap waits until the gap is
    filled: the table sends again from what it knows to be confirmed. A match that was not played
    to its end counts where the time of its round was up. A table that came back tells all anew:
    what the hall has by the same seal stays as it is.
    """
    if sent.sequence <= table.sequence:
        return
    if (sent.before, sent.before_seal) != (table.sequence, table.seal):
        return
    same = known_seals.get(sent.seal)
    if same is not None and same.match == sent.body.match:
        told = replace(same, origin=table.origin, sequence=sent.sequence)
        yield e.ResultTaken(told, sent.seal, again_by=table.number)
        return
    known = {name.casefold(): one.number for one in evening.people.values() for name in one.before}
    known |= {evening.name_at_table(one).casefold(): one for one in evening.people}
    known |= {one.name.casefold(): one.number for one in evening.people.values()}
    names = [_in_one_shape(one.name) for one in sent.body.players]
    if evening.plan.format == "free":
        for name in names:
            number = max(known.values(), default=0) + 1
            fits = 0 < len(name) <= LONGEST and number <= MOST_PEOPLE
            if fits and name.casefold() not in known:
                known[name.casefold()] = number
                yield e.PersonSignedUp(number, name)
    places = tuple(
        MatchTotal(
            known.get(name.casefold(), 0),
            one.points,
            "" if name.casefold() in known else name or "?",
        )
        for name, one in zip(names, sent.body.players, strict=True)
    )
    body = sent.body
    people = [one.person for one in places if one.person]
    number = _round_of(evening, table.number, frozenset(one.person for one in places))
    cut = body.ending == "abandoned" and bool(body.rounds)
    result = Result(
        table=table.number,
        sequence=sent.sequence,
        origin=table.origin,
        match=body.match,
        ending=body.ending,
        scoring=body.scoring,
        places=places,
        winners=tuple(at for at in body.winners if at < len(places)),
        adds_up=body.adds_up() and len(people) == len(set(people)),
        round=number,
        best=tuple(one for one in body.best if one.known(len(places))),
        timed=cut and number > 0 and evening.time_was_up(number, now),
    )
    yield e.ResultTaken(result, sent.seal, body.rounds)


def drawn_round(
    evening: Evening, seed: int, again: bool, anyway: bool, chosen: tuple[int, ...] = ()
) -> DrawnRound:
    """Draw a round; this is also the preview, which records nothing."""
    if again and evening.round is None:
        raise HallRefusal("no_round")
    waiting = set(evening.waiting())
    if again and evening.round is not None and len(waiting) < len(evening.round.tables):
        raise HallRefusal("played")
    if not again and waiting and not anyway:
        raise HallRefusal("results_missing")
    for person in chosen:
        _others(evening, person)
        if not evening.people[person].here:
            raise HallRefusal("has_left")
    try:
        number = len(evening.rounds) + (0 if again else 1)
        return draw(evening, seed, chosen, number)
    except NoDraw as none:
        raise HallRefusal(str(none)) from None


def _sign_up(
    evening: Evening, people: tuple[str, ...], device: str
) -> Iterator[e.PersonSignedUp | e.PersonReturned]:
    listed = list(evening.people.values())
    number = max(evening.people, default=0)
    names = [one.name for one in listed]
    for line in people:
        typed, _, club = line.partition(",")
        name = _readable(typed)
        gone = next((one for one in listed if same_name(one.name, name) and not one.here), None)
        if gone is not None:
            yield e.PersonReturned(gone.number)
            continue
        if any(same_name(name, other) for other in names):
            raise HallRefusal("same_name")
        if len(names) >= MOST_PEOPLE:
            raise HallRefusal("full")
        number += 1
        names.append(name)
        yield e.PersonSignedUp(number, name, tidy(club)[:LONGEST], device)


def _readable(typed: str) -> str:
    """Take a name as it was typed, or refuse one that cannot be read."""
    name = _in_one_shape(typed)
    if not name:
        raise HallRefusal("no_name")
    if len(name) > LONGEST:
        raise HallRefusal("long_name")
    return name


def _in_one_shape(typed: str) -> str:
    """Bring a name into the one shape that tables know too."""
    return tidy(normalize("NFC", typed))


def _others(evening: Evening, person: int) -> list[Person]:
    """Give all but this one; refuse where there is no such person."""
    if person not in evening.people:
        raise HallRefusal("nobody_there")
    return [one for one in evening.people.values() if one.number != person]


def _with_places_changed(evening: Evening, one: int, other: int) -> DrawnRound:
    drawn = evening.round
    if drawn is None:
        raise HallRefusal("no_round")
    swap = {one: other, other: one}
    there = [*drawn.byes, *(person for seating in drawn.tables for person in seating.people)]
    if one == other or one not in there or other not in there:
        raise HallRefusal("not_seated")
    waiting = evening.waiting()
    for seating in drawn.tables:
        if {one, other} & set(seating.people) and seating.table not in waiting:
            raise HallRefusal("played")
    tables = tuple(
        replace(seating, people=tuple(swap.get(person, person) for person in seating.people))
        for seating in drawn.tables
    )
    return replace(drawn, tables=tables, byes=tuple(swap.get(p, p) for p in drawn.byes))


def _clock(evening: Evening, what: str, span: int, now: int) -> RoundClock:
    if evening.round is None:
        raise HallRefusal("no_round")
    number, clock = evening.round.number, evening.clock
    if what == "start":
        return RoundClock(number, ends=now + span)
    if clock is None:
        raise HallRefusal("no_clock")
    left = clock.left if clock.ends is None else max(0, clock.ends - now)
    left += span if what == "more" else 0
    stands = what == "pause" or (what == "more" and clock.ends is None)
    return RoundClock(number, left=left) if stands else RoundClock(number, ends=now + left)


def _written(
    evening: Evening, number: int, table: int, points: Mapping[int, int], reason: str
) -> Result:
    drawn = next((one for one in evening.rounds if one.number == number), None)
    seating = None if drawn is None else next((s for s in drawn.tables if s.table == table), None)
    if seating is None:
        raise HallRefusal("no_table")
    if set(points) != set(seating.people):
        raise HallRefusal("wrong_people")
    sent = evening.counted().get((number, table))
    if sent is not None and not reason.strip():
        raise HallRefusal("no_reason")
    return Result(
        table=table,
        sequence=0 if sent is None else sent.sequence,
        origin="" if sent is None else sent.origin,
        match=0 if sent is None else sent.match,
        ending="finished",
        scoring=evening.plan.scoring if sent is None else sent.scoring,
        places=tuple(MatchTotal(person, points[person]) for person in seating.people),
        round=number,
        reason=reason.strip() or NO_REASON,
    )


def _round_of(evening: Evening, table: int, people: frozenset[int]) -> int:
    """Find the latest round that seats these people at this table; 0 where there is none."""
    for drawn in reversed(evening.rounds):
        if any(one.table == table and frozenset(one.people) == people for one in drawn.tables):
            return drawn.number
    return 0


def _free(numbers: Mapping[int, HallTable]) -> int:
    return next(number for number in range(1, len(numbers) + 2) if number not in numbers)
