"""Write down what hands did, what people said about it, and what it was read to mean."""

from __future__ import annotations

from typing import TypeVar, assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.nest import drop, put, the_round, with_round
from companion.referee.evidence.material import dismiss, with_press, with_release
from companion.referee.model.presses import Gap
from companion.referee.model.table import Claim, Evidence, NamedCatch, NamedRace, Table, Unusable

ROUNDS_KEPT = 50
"""The evidence of so many rounds is kept: undo may go back into every one of the match."""

Numbered = TypeVar("Numbered", bound=NamedRace | NamedCatch)


def fold_press(table: Table, event: e.PressEvent) -> Table:
    """Write down an event that came from a button."""
    match event:
        case e.PressRecorded(press):
            return _with(table, with_press(_current(table), press))
        case e.PressReleased(seat, pressed_at, at):
            return _with(table, with_release(_current(table), seat, pressed_at, at))
        case e.ButtonSetAside(button, fault, at):
            table = replace(table, aside=put(table.aside, button, fault))
            owner = table.game.seat_of_button(button)
            if owner is None or not _in_round(table):
                return table
            evidence = _current(table)
            span = Unusable(owner.number, at, fault)
            return _with(table, replace(evidence, unusable=(*evidence.unusable, span)))
        case e.ButtonPutBack(button, at):
            owner = table.game.seat_of_button(button)
            table = replace(table, aside=drop(table.aside, button))
            return table if owner is None else usable_again(table, at, owner.number)
        case e.PressesMissed(seats, since, until):
            return add_gap(table, Gap(since, until, seats))
        case _:
            assert_never(event)


def fold_reading(table: Table, event: e.ReadingEvent) -> Table:
    """Write down a record about presses, or what they were read to mean."""
    round_ = the_round(table)
    match event:
        case e.RaceNamed(race):
            return with_round(
                table, named=_put(round_.named, race), records=max(round_.records, race.number)
            )
        case e.CatchNamed(catch):
            return with_round(
                table,
                catches=_put(round_.catches, catch),
                records=max(round_.records, catch.number),
            )
        case e.CallSaid(press):
            return with_round(table, said=(*round_.said, press))
        case e.CallWithdrawn(seat, at):
            return with_round(table, withdrawn=put(round_.withdrawn, seat, at))
        case e.CatchAnswered(record, answer):
            return with_round(table, answers=put(round_.answers, record, answer))
        case e.RaceDenied(presses):
            return with_round(table, denied=(*round_.denied, *presses))
        case e.PressesAnswered(presses):
            return _with(table, dismiss(_current(table), presses, "nothing"))
        case e.RaceRead(race, was):
            kept = tuple(r for r in round_.races if r.key != was)
            races = sorted((*kept, race), key=lambda r: (r.anchor, r.record or 0))
            return with_round(table, races=tuple(races))
        case e.RaceUnread(was):
            return with_round(table, races=tuple(r for r in round_.races if r.key != was))
        case e.ClaimRead(claim):
            kept_claims = tuple(c for c in round_.claims if not same_claim(c, claim))
            return with_round(table, claims=(*kept_claims, claim))
        case e.ClaimUnread(claim):
            return with_round(
                table, claims=tuple(c for c in round_.claims if not same_claim(c, claim))
            )
        case e.CallsRead(calls):
            return with_round(table, calls=calls)
        case e.QuestionAsked(question):
            return with_round(table, questions=(*round_.questions, question))
        case e.QuestionClosed(number):
            return with_round(
                table, questions=tuple(q for q in round_.questions if q.number != number)
            )
        case _:
            assert_never(event)


def same_claim(one: Claim, other: Claim) -> bool:
    """Whether two readings are of one catch."""
    if one.record is not None or other.record is not None:
        return one.record == other.record
    return (one.catch.seat, one.catch.at) == (other.catch.seat, other.catch.at)


def begin_evidence(table: Table, began: int) -> Table:
    """A round was dealt: its presses are kept from here on."""
    broken = tuple(
        Unusable(seat.number, began, table.aside[seat.button])
        for seat in table.game.seats
        if seat.button is not None and seat.button in table.aside
    )
    fresh = Evidence(began, unusable=broken)
    return replace(table, evidence=(*table.evidence, fresh)[-ROUNDS_KEPT:])


def add_gap(table: Table, gap: Gap) -> Table:
    """Note that presses of this round may have gone unseen."""
    if not _in_round(table):
        return table
    evidence = _current(table)
    return _with(table, replace(evidence, gaps=(*evidence.gaps, gap)))


def usable_again(table: Table, at: int, seat: int | None = None) -> Table:
    """A seat, or every one, has a button that can be believed again."""
    if not _in_round(table):
        return table
    evidence = _current(table)
    spans = tuple(
        replace(span, until=at) if span.until is None and seat in (None, span.seat) else span
        for span in evidence.unusable
    )
    return _with(table, replace(evidence, unusable=spans))


def with_evidence(table: Table, evidence: Evidence) -> Table:
    """Put the evidence of a round back."""
    others = (e for e in table.evidence if e.round_began != evidence.round_began)
    kept = sorted((*others, evidence), key=lambda e: e.round_began)
    return replace(table, evidence=tuple(kept)[-ROUNDS_KEPT:])


_with = with_evidence


def _in_round(table: Table) -> bool:
    match = table.game.match
    return match is not None and match.round is not None


def _current(table: Table) -> Evidence:
    began = the_round(table).began
    return next((e for e in table.evidence if e.round_began == began), Evidence(began))


def _put(records: tuple[Numbered, ...], record: Numbered) -> tuple[Numbered, ...]:
    """Add a record, or put it in the place of the one with its number."""
    if any(known.number == record.number for known in records):
        return tuple(record if known.number == record.number else known for known in records)
    return (*records, record)
