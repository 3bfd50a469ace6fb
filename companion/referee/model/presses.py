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

    touch: int = 250 * MILLISECOND
    """Presses of a seat within this time of the first are one touch of one hand."""
    bunch: int = 1500 * MILLISECOND
    """The slaps of a race lie within this time, and two races at least as far apart."""
    stray_lead: int = 300 * MILLISECOND
    """Of three or more, a first hand this much before the second belongs to something else."""
    hammer_span: int = 3 * SECOND
    """Two other touches in this time before the first hand of the others are hammering."""
    race_limit: int = 10 * SECOND
    """A racer who has not slapped by then is last."""
    settle: int = 300 * MILLISECOND
    """How long to wait for presses that are still on their way."""
    loose_spread: int = 500 * MILLISECOND
    """Slaps that lie farther apart than this may have been something else,"""
    loose_wait: int = 1200 * MILLISECOND
    """and are ruled only so long after the race was named, because the real ones may follow."""
    layer_wait: int = 5 * SECOND
    """Two hands are missing: how long to wait for one of them before asking who laid the card."""
    look_back: int = 30 * SECOND
    """How late a record may be: its presses lie at most this far before it,"""
    look_ahead: int = 4 * SECOND
    """and at most this far behind it."""
    call_lead: int = 2 * SECOND
    """A call counts from this long before its card can have been laid."""
    catch_least: int = 250 * MILLISECOND
    catch_most: int = 1200 * MILLISECOND
    """In refereed play two touches this far apart are a catch."""
    catch_look_back: int = 15 * SECOND
    """A catch lies at most this long before the card, or the tap, that it belongs to."""
    catch_before_call: int = 1500 * MILLISECOND
    """A catch that the record of its card comes after lies at most this long before the call."""
    turn_doubt: int = 2 * SECOND
    """Within this time before the next turn was recorded, which came first is unknown."""
    call_reach: int = 6 * SECOND
    """In free play a call counts this long before the press that dates the catch,"""
    call_reach_tap: int = 12 * SECOND
    """or this long before the tap, where no press does;"""
    call_doubt_tap: int = 9 * SECOND
    """a press of this long before such a tap may be a call or an answer to being caught."""
    restless: int = 10 * SECOND
    """From the third touch within this time on, a seat says neither call nor catch."""
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


def tablet_press(seat: int, at: int, timing: Timing) -> Press:
    """A tap on a screen for a seat, with the doubt that belongs to it."""
    return Press(seat, at, timing.tablet_uncertainty, "tablet", at)


def phone_press(seat: int, at: int, uncertainty: int, now: int) -> Press:
    """A press on a phone, as the door has dated it; no phone is ahead of the table."""
    at = min(at, now)
    return Press(seat, at, uncertainty, "phone", at)


def together(one: Press, other: Press, timing: Timing) -> bool:
    """Whether two presses are too close for anyone to say which came first."""
    doubt = one.uncertainty + other.uncertainty + timing.switch_tolerance
    return abs(one.at - other.at) <= max(doubt, timing.least_gap)
