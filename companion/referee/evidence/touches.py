"""Touches: presses of one seat that belong to one hand coming down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from companion.referee.evidence.material import Material, presses_between
from companion.referee.model.presses import Press, Timing, on_screen


class Touch(Struct, frozen=True):
    """One hand on one button: all presses shortly after the first, dated by that one."""

    seat: int
    at: int
    press: Press
    key: tuple[int, int]
    """The seat and the moment, by which it is known."""
    raceless: bool = False
    """Whether somebody said that it makes no race."""
    denied: bool = False
    """Whether the table had asked that."""


def touches(material: Material, timing: Timing, since: int, until: int) -> dict[int, list[Touch]]:
    """Group the presses of every seat into touches, leaving out what cannot be believed."""
    return {
        seat: _touches_of(seat, presses, material, timing)
        for seat in material.seats
        if (presses := believed(material, seat, since, until))
    }


def believed(material: Material, seat: int, since: int, until: int) -> list[Press]:
    """The presses of a seat, less those of a button that was broken and those dismissed."""
    evidence = material.evidence
    presses = presses_between(evidence, seat, since, until)
    marks: Mapping[int, str] = evidence.dismissed.get(seat, {})
    if not marks and not evidence.unusable:
        return presses
    spans = [span for span in evidence.unusable if span.seat == seat]
    return [
        press
        for press in presses
        if marks.get(press.at) != "nothing"
        and not (
            any(
                span.since <= press.at and (span.until is None or press.at < span.until)
                for span in spans
            )
            and not on_screen(press)
        )
    ]


def _touches_of(
    seat: int, presses: Sequence[Press], material: Material, timing: Timing
) -> list[Touch]:
    marks = material.evidence.dismissed.get(seat, {})
    denied = {at for other, at in material.denied if other == seat} if material.denied else ()
    found: list[Touch] = []
    over = presses[0].at
    for press in presses:
        at = press.at
        if at >= over:
            over = at + timing.touch
            raceless = at in denied or at in marks
            found.append(Touch(seat, at, press, (seat, at), raceless, at in denied))
    return found
