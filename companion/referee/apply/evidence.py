"""Write down what hands did, and which buttons can be believed."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.parts import drop, put, the_match, the_round
from companion.referee.evidence.material import dismiss, evidence_of, with_press, with_release
from companion.referee.model.presses import Gap
from companion.referee.model.table import Evidence, Table, Unusable

ROUNDS_KEPT = 50
"""The evidence of so many rounds is kept: undo may go back into every one of the match."""


def fold_press(table: Table, event: e.PressEvent) -> Table:
    """Write down an event that came from a button."""
    match event:
        case e.PressRecorded(press):
            return _with(table, with_press(_current(table), press))
        case e.PressReleased(seat, pressed_at, at):
            return _with(table, with_release(_current(table), seat, pressed_at, at))
        case e.PressesAnswered(presses):
            return _with(table, dismiss(_current(table), presses, "nothing"))
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
    return evidence_of(table, the_round(the_match(table)).began)
