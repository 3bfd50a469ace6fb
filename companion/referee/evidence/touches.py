"""Touches: presses of one seat that belong to one hand coming down."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from companion.referee.evidence.finish import NEVER
from companion.referee.evidence.material import Material, presses_between
from companion.referee.model.presses import Press, Timing, on_screen

NEVER_BEFORE = -NEVER


class Touch(Struct, frozen=True):
    """One hand on one button: all presses shortly after the first, dated by that one."""

    seat: int
    at: int
    press: Press
    raceless: bool = False
    """Whether somebody said that it makes no race."""

    @property
    def key(self) -> tuple[int, int]:
        """The seat and the moment, by which it is known."""
        return self.seat, self.at


class Hands:
    """The touches of every seat in a stretch of time, ready to be looked up."""

    def __init__(self, touches: Iterable[Touch]) -> None:
        self.ordered: Sequence[Touch] = sorted(touches, key=lambda t: (t.at, t.seat))
        self.by_seat: dict[int, list[Touch]] = {}
        for touch in self.ordered:
            self.by_seat.setdefault(touch.seat, []).append(touch)
        self._times = {seat: [t.at for t in own] for seat, own in self.by_seat.items()}

    def of(self, seat: int, since: int, until: int) -> list[Touch]:
        """The touches of a seat from one moment up to before another."""
        times = self._times.get(seat)
        if times is None:
            return []
        return self.by_seat[seat][bisect_left(times, since) : bisect_left(times, until)]

    def first(self, seat: int, since: int, until: int) -> Touch | None:
        """The first touch of a seat in a stretch of time."""
        times = self._times.get(seat)
        if times is None:
            return None
        index = bisect_left(times, since)
        if index < len(times) and times[index] < until:
            return self.by_seat[seat][index]
        return None

    def count(self, seat: int, since: int, until: int) -> int:
        """How many touches of a seat lie in a stretch of time."""
        times = self._times.get(seat)
        return 0 if times is None else bisect_left(times, until) - bisect_left(times, since)

    def split(self, cuts: Sequence[int]) -> list[Hands]:
        """The touches in parts, before and after each of these moments."""
        return [
            Hands(touch for touch in self.ordered if start <= touch.at < end)
            for start, end in pairwise((NEVER_BEFORE, *cuts, NEVER))
        ]

    def without(self, keys: Iterable[tuple[int, int]]) -> Hands:
        """The same without some touches."""
        gone = set(keys)
        return Hands(touch for touch in self.ordered if touch.key not in gone) if gone else self


def touches(material: Material, timing: Timing, since: int, until: int) -> Hands:
    """Group the presses of every seat into touches, leaving out what cannot be believed."""
    found: list[Touch] = []
    for seat in material.seats:
        found += _touches_of(seat, believed(material, seat, since, until), material, timing)
    return Hands(found)


def believed(material: Material, seat: int, since: int, until: int) -> list[Press]:
    """The presses of a seat, less those of a button that was broken and those dismissed."""
    evidence = material.evidence
    marks: Mapping[int, str] = evidence.dismissed.get(seat, {})
    spans = [span for span in evidence.unusable if span.seat == seat]
    return [
        press
        for press in presses_between(evidence, seat, since, until)
        if marks.get(press.at) != "nothing"
        and (
            on_screen(press)
            or not any(
                span.since <= press.at and (span.until is None or press.at < span.until)
                for span in spans
            )
        )
    ]


def _touches_of(
    seat: int, presses: Sequence[Press], material: Material, timing: Timing
) -> list[Touch]:
    marks = material.evidence.dismissed.get(seat, {})
    denied = {at for other, at in material.denied if other == seat}
    found: list[Touch] = []
    for press in presses:
        if found and press.at - found[-1].at < timing.touch:
            continue
        found.append(Touch(seat, press.at, press, press.at in denied or press.at in marks))
    return found
