"""Write down what people said about presses, and what these were read to mean."""

from __future__ import annotations

from typing import TypeVar, assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.parts import put
from companion.referee.model.table import Claim, NamedCatch, NamedRace, Round

LAPSED = 4
"""So many questions are remembered that lamps no longer ask."""
Numbered = TypeVar("Numbered", bound=NamedRace | NamedCatch)


def fold_reading(round_: Round, event: e.ReadingEvent) -> Round:
    """Write down records about presses, and what they mean; the most frequent come first."""
    match event:
        case e.CallsRead():
            return replace(round_, calls=event.calls)
        case e.ClaimRead():
            claim = event.claim
            return replace(round_, claims=(*_without(round_, claim), claim))
        case e.RaceRead():
            kept = tuple(race for race in round_.races if race.key != event.was)
            races = sorted((*kept, event.race), key=lambda race: (race.anchor, race.record or 0))
            return replace(round_, races=tuple(races))
        case e.RaceNamed(race):
            records = max(round_.records, race.number)
            return replace(round_, named=_put(round_.named, race), records=records)
        case e.CatchNamed(catch):
            records = max(round_.records, catch.number)
            return replace(round_, catches=_put(round_.catches, catch), records=records)
        case e.CallSaid(press):
            return replace(round_, said=(*round_.said, press))
        case e.CallWithdrawn(seat, at):
            return replace(round_, withdrawn=put(round_.withdrawn, seat, at))
        case e.CatchAnswered(record, answer):
            return replace(round_, answers=put(round_.answers, record, answer))
        case e.RaceDenied(presses):
            return replace(round_, denied=(*round_.denied, *presses))
        case e.RaceUnread(was):
            return replace(round_, races=tuple(r for r in round_.races if r.key != was))
        case e.ClaimUnread(claim):
            return replace(round_, claims=_without(round_, claim))
        case e.QuestionAsked(question):
            return replace(round_, questions=(*round_.questions, question))
        case e.QuestionClosed(number):
            rest = tuple(q for q in round_.questions if q.number != number)
            gone = (q for q in round_.questions if q.number == number and q.seats)
            return replace(round_, questions=rest, lapsed=(*round_.lapsed, *gone)[-LAPSED:])
        case _:
            assert_never(event)


def same_claim(one: Claim, other: Claim) -> bool:
    """Whether two readings are of one catch."""
    if one.record is not None or other.record is not None:
        return one.record == other.record
    return (one.catch.seat, one.catch.at) == (other.catch.seat, other.catch.at)


def _without(round_: Round, claim: Claim) -> tuple[Claim, ...]:
    return tuple(other for other in round_.claims if not same_claim(other, claim))


def _put(records: tuple[Numbered, ...], record: Numbered) -> tuple[Numbered, ...]:
    """Add a record, or put it in the place of the one with its number."""
    if any(known.number == record.number for known in records):
        return tuple(record if known.number == record.number else known for known in records)
    return (*records, record)
