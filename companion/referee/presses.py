"""Presses: dated evidence of what hands did, and the durations by which it is read."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Source = Literal["button", "usb", "remote", "simulated", "phone", "tablet"]
"""Where a press was made; the last two are dated less sharply."""

MILLISECOND = 1_000_000
SECOND = 1_000 * MILLISECOND


class Press(Struct, frozen=True):
    """One push of one seat's button, dated at its first edge in monotonic nanoseconds."""

    seat: int
    at: int
    uncertainty: int
    source: Source = "button"
    released_at: int | None = None


class Gap(Struct, frozen=True):
    """A span in which presses of these seats may have gone unseen; no seats means all."""

    since: int
    until: int
    seats: tuple[int, ...] = ()

    def hides(self, seat: int) -> bool:
        """Whether a press of this seat could be missing."""
        return not self.seats or seat in self.seats


class Timing(Struct, frozen=True, forbid_unknown_fields=True):
    """The durations by which presses are read, in nanoseconds."""

    hold: int = 700 * MILLISECOND
    """A press held this long lays a Street Race."""
    look_back: int = 1 * SECOND
    """How far before the layer's own press a slap may lie."""
    look_back_tablet: int = 4 * SECOND
    """The same when the race is declared by a tap on a screen, which comes later."""
    race_limit: int = 10 * SECOND
    """Whoever has not slapped by then is last."""
    settle: int = 300 * MILLISECOND
    """How long to wait for presses that are still on their way."""
    cooldown: int = 3 * SECOND
    """How long a failed catch keeps that button from catching again."""
    switch_tolerance: int = 1 * MILLISECOND
    """How far apart two good switches may report the same moment."""
    least_gap: int = 100_000
    """Edges closer than this are in no order that can be trusted."""
    tablet_uncertainty: int = 50 * MILLISECOND
    """How late a touch on a screen may reach the table."""
    slap_off_least: int = 1500 * MILLISECOND
    slap_off_most: int = 5 * SECOND
    """The dark before the light of a slap-off lasts between these two."""


def on_screen(press: Press) -> bool:
    """Whether a press was made on a screen, for a button that could not be used."""
    return press.source in ("tablet", "phone")


def phone_press(seat: int, at: int, uncertainty: int, now: int) -> Press:
    """A press on a phone, as the door has dated it; no phone is ahead of the table."""
    at = min(at, now)
    return Press(seat, at, uncertainty, "phone", at)


def together(one: Press, other: Press, timing: Timing) -> bool:
    """Whether two presses are too close for anyone to say which came first."""
    doubt = one.uncertainty + other.uncertainty + timing.switch_tolerance
    return abs(one.at - other.at) <= max(doubt, timing.least_gap)
