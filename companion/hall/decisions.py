"""What can be asked of the hall: a command becomes events, or is refused with a reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from companion.hall import events as e
from companion.hall.commands import (
    LONGEST,
    MOST_PEOPLE,
    ChangePlaces,
    DeskCommand,
    DrawRound,
    KeepApart,
    Leave,
    PlanEvening,
    RemoveTable,
    RenamePerson,
    Return,
    SetClock,
    SignUp,
    StrikeResult,
    WriteResult,
)
from companion.hall.draw.drawing import NoDraw, draw
from companion.hall.draw.mending import redrawn
from companion.hall.evening import (
    DrawnRound,
    Evening,
    HallTable,
    Person,
    RoundClock,
    name_key,
)
from companion.hall.refusals import HallRefusal
from companion.hall.results import correction, in_one_shape
from companion.referee.model.edition import PRINTED
from companion.referee.model.names import tidy

MINUTE = 60_000
FEW = 8
"""So many names are told at most where something is wrong with them."""
EDITIONS = {edition.key for edition in PRINTED}


def decide(evening: Evening, command: DeskCommand, now: int = 0) -> Iterator[e.HallEvent]:
    """Say what a command makes happen, or refuse it; `now` is the wall's time in milliseconds."""
    match command:
        case PlanEvening(plan):
            if not 2 <= plan.least <= plan.most <= 10:
                raise HallRefusal("sizes")
            if plan.edition is not None and plan.edition not in EDITIONS:
                raise HallRefusal("edition")
            yield e.EveningPlanned(plan)
        case SignUp(lines, returning):
            yield from _signed_up(evening, lines, returning)
        case RenamePerson(person, typed):
            (name,) = _readable([typed])
            if name_key(name) in {name_key(one.name) for one in _others(evening, person)}:
                raise HallRefusal("same_name", names=name)
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


def join_table(
    evening: Evening,
    wish: int | None,
    identity: str,
    password: str,
    since: tuple[int, str] = (0, ""),
) -> e.TableJoined:
    """Give a table its number: the one that it has, the one that it wishes, or the next."""
    own_numbers = [one.number for one in evening.tables.values() if one.identity == identity]
    number = wish or (own_numbers[0] if own_numbers else _free(evening.tables))
    taken = evening.tables.get(number)
    if taken is not None and taken.identity != identity:
        raise HallRefusal("table_taken")
    return e.TableJoined(number, identity, password, *since)


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


def _signed_up(
    evening: Evening, lines: tuple[str, ...], returning: bool
) -> list[e.PersonSignedUp | e.PersonReturned]:
    """Put people on the list, all of them or, with a word about each that cannot be, nobody."""
    # A column of names and one of clubs, copied from a spreadsheet, have a tab between them.
    parts = [line.replace("\t", ",").partition(",") for line in lines]
    names = _readable([typed for typed, _, _ in parts])
    person_by_name = {name_key(one.name): one for one in evening.people.values()}
    number = max(evening.people, default=0)
    done: dict[str, e.PersonSignedUp | e.PersonReturned] = {}
    twice = []
    for name, (_, _, club) in zip(names, parts, strict=True):
        key = name_key(name)
        person = person_by_name.get(key)
        if key in done or (person is not None and (person.here or not returning)):
            twice.append(name)
        elif person is not None:
            done[key] = e.PersonReturned(person.number)
        else:
            number += 1
            done[key] = e.PersonSignedUp(number, name, tidy(club)[:LONGEST])
    if twice:
        raise HallRefusal("same_name", names=_few(twice))
    if number > MOST_PEOPLE:
        raise HallRefusal("full")
    return list(done.values())


def _readable(typed: Sequence[str]) -> list[str]:
    """Take names as they were typed, or refuse those that cannot be read."""
    names = [in_one_shape(one) for one in typed]
    if not all(names):
        raise HallRefusal("no_name")
    if too_long := [f"{name[:LONGEST]}\u2026" for name in names if len(name) > LONGEST]:
        raise HallRefusal("long_name", names=_few(too_long))
    return names


def _few(names: Sequence[str]) -> str:
    return ", ".join([*names[:FEW], *(("\u2026",) if len(names) > FEW else ())])


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
    if one == other or not {one, other} <= set(drawn.people):
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


def _free(numbers: Mapping[int, HallTable]) -> int:
    return next(number for number in range(1, len(numbers) + 2) if number not in numbers)
