"""The result of a table: taken as the table sent it, or written by the desk instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from unicodedata import normalize

from msgspec.structs import replace

from companion.hall import events as e
from companion.hall.commands import LONGEST, MOST_PEOPLE, StrikeResult, WriteResult
from companion.hall.contract import SentResult
from companion.hall.evening import Evening, HallTable, MatchTotal, Result
from companion.hall.refusals import HallRefusal
from companion.referee.model.names import tidy

NO_REASON = "-"
"""What stands for the reason of a result that the desk wrote where no table had sent one."""


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
    what the hall has of it stays as it is.
    """
    if sent.sequence <= table.sequence:
        return
    if (sent.before, sent.before_seal) != (table.sequence, table.seal):
        return
    same = _told_before(table, sent, known_seals)
    if same is not None:
        same_again = replace(same, origin=table.origin, sequence=sent.sequence)
        yield e.ResultTaken(same_again, sent.seal, again_by=table.number)
        return
    person_by_name = {
        name.casefold(): one.number for one in evening.people.values() for name in one.before
    }
    person_by_name |= {evening.name_at_table(one).casefold(): one for one in evening.people}
    person_by_name |= {one.name.casefold(): one.number for one in evening.people.values()}
    names = [in_one_shape(one.name) for one in sent.body.players]
    if evening.plan.format == "free":
        for name in names:
            number = max(person_by_name.values(), default=0) + 1
            fits = 0 < len(name) <= LONGEST and number <= MOST_PEOPLE
            if fits and name.casefold() not in person_by_name:
                person_by_name[name.casefold()] = number
                yield e.PersonSignedUp(number, name)
    places = tuple(
        MatchTotal(
            person_by_name.get(name.casefold(), 0),
            one.points,
            "" if name.casefold() in person_by_name else name or "?",
        )
        for name, one in zip(names, sent.body.players, strict=True)
    )
    body = sent.body
    people = [one.person for one in places if one.person]
    number = _round_of(evening, table, body.match, frozenset(one.person for one in places))
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
        seals=(sent.begun,) if sent.begun else (),
    )
    yield e.ResultTaken(result, sent.seal, body.rounds)


def _told_before(
    table: HallTable, sent: SentResult, known_seals: Mapping[str, Result]
) -> Result | None:
    """Find what the hall has of a match that a table tells again after it came back.

    By its seal, or by how it began: the table may have closed or changed it once more meanwhile.
    """
    same, begun = known_seals.get(sent.seal), known_seals.get(sent.begun)
    if same is None and begun is not None and begun.origin != table.origin:
        same = begun
    return same if same is not None and same.match == sent.body.match else None


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


def in_one_shape(typed: str) -> str:
    """Bring a name into the one shape that tables know too."""
    return tidy(normalize("NFC", typed))


def _written(
    evening: Evening, number: int, table: int, points: Mapping[int, int], reason: str
) -> Result:
    drawn = next((one for one in evening.rounds if one.number == number), None)
    seating = None if drawn is None else next((s for s in drawn.tables if s.table == table), None)
    if seating is None:
        raise HallRefusal("no_table")
    if not evening.are_of(seating, frozenset(points)):
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
        places=tuple(MatchTotal(one, points[one]) for one in seating.people if one in points),
        round=number,
        reason=reason.strip() or NO_REASON,
    )


def _round_of(evening: Evening, table: HallTable, match: int, people: frozenset[int]) -> int:
    """Find the latest round that seats these people at this table; 0 where there is none.

    A match that was edited stays in its round, also where the same people sit there again.
    """
    edited = evening.results.get((table.origin, match))
    if edited is not None and people == {one.person for one in edited.places}:
        return edited.round
    for drawn in reversed(evening.rounds):
        if any(s.table == table.number and evening.are_of(s, people) for s in drawn.tables):
            return drawn.number
    return 0
