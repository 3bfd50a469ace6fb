"""Edges, how truthfully they are dated, and what a hand and a sound contact can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

MICROSECOND = 1_000
MILLISECOND = 1_000_000
SECOND = 1_000_000_000

WiredSource = Literal["button", "usb", "remote", "simulated"]
Drain = Callable[[Callable[[], None]], None]
"""Calls back once everything that a source held by then has been told."""


class Edge(Struct, frozen=True, gc=False):
    """One change of a contact, with the kernel's own time."""

    button: int
    at: int
    pressed: bool
    """How the line read shortly after the edge, which may be wrong while it bounces."""
    doubt: int = 0
    """How much earlier the contact may have changed, its date having been overwritten."""
    spread: int = 0
    """What this date is uncertain by on top of its source's usual uncertainty."""


class Moment(Struct, frozen=True, gc=False):
    """A factory's ticks as a date of the monotonic clock, with what is known against it."""

    at: int
    doubt: int = 0
    spread: int = 0
    after_gap: bool = False
    """Whether edges were dropped just before."""


class EdgesLost(Struct, frozen=True, gc=False):
    """Edges of this button were dropped on their way, some time before the next one."""

    button: int
    at: int


class Level(Struct, frozen=True, gc=False):
    """How a line read at some moment between two."""

    button: int
    pressed: bool
    asked: int
    read: int


class Dating(Struct, frozen=True):
    """How truthfully a source of edges dates them."""

    source: WiredSource
    base: int
    """The uncertainty of every date, in nanoseconds."""
    numbered: bool = False
    """Whether lost edges and overwritten dates show, because the kernel numbers every edge."""
    queue: int | None = None
    """How many edges of one line wait in a stall before the oldest are dropped unnoticed."""


class HandLimits(Struct, frozen=True):
    """What a hand and a sound contact can do; what goes beyond is a fault."""

    quiet: int = 12 * MILLISECOND
    """Edges closer together than this belong to one movement of the contact."""
    unsettled: int = 100 * MILLISECOND
    """A contact that has not come to rest for this long is picking up noise."""
    most_edges: int = 100
    """So has one with more edges than this in one movement."""
    recoil: int = 40 * MILLISECOND
    """No hand lets go and comes back within this time: the contact bounces from its release."""
    longest_bounce: int = 20 * MILLISECOND
    """No contact bounces for longer, so no date that was overwritten by a bounce is later."""
    spike: int = 1 * MILLISECOND
    """No finger closes a contact for less than this in all."""
    spikes: int = 3
    """So many spikes within `spike_span` are noise."""
    spike_span: int = 10 * SECOND
    flutter: int = 6
    """No hand begins so many pushes within `flutter_span`,"""
    closings: int = 9
    """and no contact closes so often in it, with what bounces from the releases."""
    flutter_span: int = 280 * MILLISECOND
    oddities: int = 4
    """So many odd movements in a second are chatter."""
    stuck: int = 5 * SECOND
    """A button held for this long is stuck, unless the hand was needed there for a race."""
    calm: int = 2 * SECOND
    """How long a chattering or noisy line rests before a push can clear it."""
    lost: int = 150 * MILLISECOND
    """A level that contradicts the edges for this long means that edges were lost."""


HAND = HandLimits()
