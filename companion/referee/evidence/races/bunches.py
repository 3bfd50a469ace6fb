"""Hands that came down: looked up by seat and moment, those that hammer, and those that bunch.

A bunch is what comes down together, as hands do when a Street Race is laid.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from companion.referee.evidence.races.finish import NEVER
from companion.referee.evidence.touches import Touch
from companion.referee.model.presses import Timing

NEVER_BEFORE = -NEVER
AGAIN = 700_000_000
"""A racer's hand so shortly after the last slap only slaps once more."""
WAVERING = 2
"""So many touches within the restless time still say something; one more does not."""
REPEATED = 150_000_000
"""A slap that only follows another touch of the same hand is worth as much less."""


class Hands:
    """The touches of every seat in a stretch of time, ready to be looked up."""

    def __init__(self, by_seat: Mapping[int, Sequence[Touch]], pair: int = AGAIN) -> None:
        """Two touches so far apart may be a catch, or a call made twice, and are no hammering."""
        self.pair = pair
        self.by_seat = by_seat

    @cached_property
    def _times(self) -> Mapping[int, list[int]]:
        return {seat: [t.at for t in own] for seat, own in self.by_seat.items()}

    @cached_property
    def ordered(self) -> Sequence[Touch]:
        """Those of all seats together."""
        everybodys = (touch for own in self.by_seat.values() for touch in own)
        return sorted(everybodys, key=lambda touch: (touch.at, touch.seat))

    def of(self, seat: int, since: int, until: int) -> Sequence[Touch]:
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

    def firsts(self, seats: Iterable[int], since: int, until: int) -> dict[int, Touch]:
        """The first touch of each of these seats that has one in a stretch of time."""
        found = {seat: self.first(seat, since, until) for seat in seats}
        return {seat: touch for seat, touch in found.items() if touch is not None}

    def count(self, seat: int, since: int, until: int) -> int:
        """How many touches of a seat lie in a stretch of time."""
        times = self._times.get(seat)
        return 0 if times is None else bisect_left(times, until) - bisect_left(times, since)

    def repeated(self, slaps: Iterable[Touch]) -> int:
        """How many of these slaps only follow another touch of the same hand."""
        return sum(1 for slap in slaps if self.count(slap.seat, slap.at - AGAIN, slap.at))

    def keys_until(self, slaps: Iterable[Touch], over: int) -> list[tuple[int, int]]:
        """The keys of these slaps, and of what the same hands did after them up to a moment."""
        return [again.key for slap in slaps for again in self.of(slap.seat, slap.at, over)]

    def keys_within(self, spans: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
        """The keys of the touches in these stretches: of a seat, from one moment to another."""
        return [touch.key for span in spans for touch in self.of(*span)]

    def split(self, cuts: Sequence[int]) -> list[Hands]:
        """The touches in parts, before and after each of these moments."""
        return [
            Hands({seat: self.of(seat, *part) for seat in self.by_seat}, self.pair)
            for part in pairwise((NEVER_BEFORE, *cuts, NEVER))
        ]

    def without(self, keys: Iterable[tuple[int, int]]) -> Hands:
        """The same without some touches."""
        gone = set(keys)
        if not gone:
            return self
        left = {
            seat: [touch for touch in own if touch.key not in gone]
            for seat, own in self.by_seat.items()
        }
        return Hands(left, self.pair)


class Bunch(Struct, frozen=True, dict=True):
    """The hands of one race: those at rest before it, and those that were hammering."""

    slaps: Mapping[int, Touch]
    """The first touch of each seat at rest."""
    hammered: Mapping[int, Touch] = {}
    repeated: int = 0
    """How many of the slaps only follow another touch of the same hand."""

    @cached_property
    def start(self) -> int:
        """The first hand at rest."""
        return min(touch.at for touch in self.slaps.values())

    @cached_property
    def spread(self) -> int:
        """How far the first and the last hand at rest lie apart."""
        return max(touch.at for touch in self.slaps.values()) - self.start

    @cached_property
    def seats(self) -> frozenset[int]:
        """Every seat whose hand is in it."""
        return frozenset(self.slaps) | frozenset(self.hammered)

    @cached_property
    def keys(self) -> frozenset[tuple[int, int]]:
        """The touches at rest, by seat and moment."""
        return frozenset((touch.seat, touch.at) for touch in self.slaps.values())

    @cached_property
    def denied(self) -> bool:
        """Whether somebody said that hands of it make no race."""
        return any(touch.raceless for touch in self.slaps.values())

    @cached_property
    def was_none(self) -> bool:
        """Whether the table asked about these very hands, and was told that they were no race."""
        return all(touch.denied for touch in self.slaps.values())

    def rank(self, racers: int) -> tuple[int, int, int, int]:
        """The most hands at rest come first, then the least spread, then the earliest.

        Somebody laid the card, so where everybody's hand is there one of them is too many.
        """
        times = sorted(touch.at for touch in self.slaps.values())
        spread = times[-1] - times[0]
        if len(times) > racers > 1:
            spread = min(times[-1] - times[1], times[-2] - times[0])
        return -min(len(times), racers), spread + self.repeated * REPEATED, -len(times), times[0]


def bunches(hands: Hands, seats: Collection[int], racers: int, timing: Timing) -> list[Bunch]:
    """Find every bunch of two or more hands at rest, no two closer than one race is long.

    The slaps of one race, and the same hands shortly after, are no hammering before the next: so
    the bunches are looked for once with every touch, and then without those of the others.
    """
    first = _bunches(hands, hands, seats, racers, timing)
    if not first:
        return []
    idle = hands.without(key for bunch in first for key in slaps_and_after(hands, bunch))
    return _bunches(hands, idle, seats, racers, timing)


def slaps_and_after(hands: Hands, bunch: Bunch) -> list[tuple[int, int]]:
    """The slaps of a bunch, and what the same hands did until shortly after the last of them."""
    over = max(touch.at for touch in bunch.slaps.values()) + AGAIN
    return hands.keys_until(bunch.slaps.values(), over)


def _bunches(
    hands: Hands, idle: Hands, seats: Collection[int], racers: int, timing: Timing
) -> list[Bunch]:
    candidates = [
        found
        for touch in hands.ordered
        if touch.seat in seats
        and (found := bunch_from(hands, idle, touch, seats, racers, timing)) is not None
        and len(found.slaps) >= 2
    ]
    chosen: list[Bunch] = []
    for candidate in sorted(candidates, key=lambda found: found.rank(racers)):
        if all(abs(candidate.start - other.start) >= timing.bunch for other in chosen):
            chosen.append(candidate)
    whole = [_with_those_before(hands, idle, bunch, seats, timing) for bunch in chosen]
    return sorted(whole, key=lambda found: found.start)


def best_bunch(
    hands: Hands,
    idle: Hands,
    racers: Collection[int],
    between: tuple[int, int],
    timing: Timing,
) -> Bunch | None:
    """The best bunch of these racers that begins in a stretch of time."""
    found = [
        bunch
        for touch in hands.ordered
        if touch.seat in racers and between[0] <= touch.at < between[1]
        if (bunch := bunch_from(hands, idle, touch, racers, len(racers), timing))
    ]
    best = min(found, key=lambda bunch: bunch.rank(len(racers)), default=None)
    return None if best is None else _with_those_before(hands, idle, best, racers, timing)


def _with_those_before(
    hands: Hands, idle: Hands, bunch: Bunch, seats: Iterable[int], timing: Timing
) -> Bunch:
    """A bunch with the hands that came just before it: one slow hand at its end leaves none out."""
    before = {
        seat: found[-1]
        for seat in seats
        if seat not in bunch.seats
        and (found := hands.of(seat, bunch.start - timing.stray_lead, bunch.start))
        and not hammers(idle, found[-1], seat, bunch.start, timing)
    }
    if not before:
        return bunch
    slaps = {**before, **bunch.slaps}
    return Bunch(slaps, bunch.hammered, hands.repeated(slaps.values()))


def bunch_from(
    hands: Hands,
    idle: Hands,
    first: Touch,
    seats: Collection[int],
    racers: int,
    timing: Timing,
) -> Bunch | None:
    """The bunch that begins with this hand; None where it does not begin one.

    It does not where the hand was hammering, or where it came so long before the second that it
    was something else, a call perhaps; the seat's next hand is looked at then. `idle` are the
    touches that count as hammering.
    """
    touched = first_touches(hands, idle, first, seats, timing)
    if touched is None:
        return None
    slaps, hammered = touched
    until = first.at + timing.bunch
    enough = racers >= 3 or len(slaps) > racers
    if enough and _came_too_early(hands, slaps, until, timing):
        return None
    return Bunch(slaps, hammered, hands.repeated(slaps.values()))


def _came_too_early(hands: Hands, slaps: Mapping[int, Touch], until: int, timing: Timing) -> bool:
    """Whether the first hand, or the first few of many, came well before more of the others.

    A seat among the first whose hand came down with the others as well counts there too.
    """
    return any(
        len(early) == 1
        or len(early) < len(slaps) - len(early) + len(twice_there(hands, early, until, timing))
        for early in early_parts(slaps, timing)
    )


def early_parts(slaps: Mapping[int, Touch], timing: Timing) -> list[list[Touch]]:
    """Every first few hands that came well before the rest."""
    order = sorted(slaps.values(), key=lambda touch: touch.at)
    return [
        order[:count]
        for count, (sooner, later) in enumerate(pairwise(order), 1)
        if later.at - sooner.at > timing.stray_lead
    ]


def twice_there(hands: Hands, early: Sequence[Touch], until: int, timing: Timing) -> list[Touch]:
    """The hands of those who came early once more, well after all of them."""
    after = early[-1].at + timing.stray_lead
    return list(hands.firsts([touch.seat for touch in early], after, until).values())


def first_touches(
    hands: Hands, idle: Hands, first: Touch, seats: Iterable[int], timing: Timing
) -> tuple[dict[int, Touch], dict[int, Touch]] | None:
    """The first touch of every seat from this hand on: those at rest, and those hammering.

    None where the hand itself was hammering; `idle` are the touches that count for that.
    """
    surely = first.at - timing.hammer_span + timing.bunch
    if idle.count(first.seat, surely, first.at) >= 3:
        return None  # It was hammering, whenever the others came.
    firsts = hands.firsts(seats, first.at, first.at + timing.bunch)
    if _hammers_among(idle, firsts, first.seat, timing):
        return None
    hammering = _hammering_seats(idle, firsts, timing)
    if first.seat in hammering:
        return None
    resting = {seat: touch for seat, touch in firsts.items() if seat not in hammering}
    return resting, {seat: firsts[seat] for seat in hammering}


def _hammering_seats(idle: Hands, firsts: Mapping[int, Touch], timing: Timing) -> set[int]:
    """Those who had touched their button twice more just before the first hand of the others."""
    resting = dict(firsts)
    hammering: set[int] = set()
    while True:
        found = {seat for seat in resting if _hammers_among(idle, resting, seat, timing)}
        if not found:
            return hammering
        hammering |= found
        resting = {seat: touch for seat, touch in resting.items() if seat not in found}


def _hammers_among(idle: Hands, resting: Mapping[int, Touch], seat: int, timing: Timing) -> bool:
    """Whether a hand was hammering before the first of the others came down."""
    others = [touch.at for other, touch in resting.items() if other != seat]
    return bool(others) and hammers(idle, resting[seat], seat, min(others), timing)


def hammers(idle: Hands, touch: Touch | None, seat: int, start: int, timing: Timing) -> bool:
    """Whether a hand is one of many: its seat made two others shortly before the start.

    Two quick touches by themselves are a catch, or a call made twice: they count as one.
    """
    others = [
        other
        for other in idle.of(seat, start - timing.hammer_span, start)
        if touch is None or other.at != touch.at
    ]
    return len(others) >= 3 or (len(others) == 2 and not _a_pair(idle, others, touch, timing))


def _a_pair(idle: Hands, pair: Sequence[Touch], slap: Touch | None, timing: Timing) -> bool:
    """Whether two touches stand by themselves, and not even the slap follows at that pace."""
    first, second = pair[0].at, pair[1].at
    near = idle.of(pair[0].seat, first - timing.catch_most, second + timing.catch_most + 1)
    if slap is not None and slap.at - second >= AGAIN:
        near = [touch for touch in near if touch.at != slap.at]
    return second - first <= idle.pair and len(near) == 2
