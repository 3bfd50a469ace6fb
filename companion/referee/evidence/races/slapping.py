"""Which hands slapped in a race whose layer is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise

from msgspec.structs import replace

from companion.referee.evidence.catches.said_in_turns import said_in_turns
from companion.referee.evidence.catches.tapped_catches import Keys, said
from companion.referee.evidence.races.bunches import (
    AGAIN,
    WAVERING,
    Bunch,
    best_bunch,
    early_parts,
    hammers,
    twice_there,
)
from companion.referee.evidence.races.scattered import scattered
from companion.referee.evidence.races.slapped import Slapped, came_early, first_left
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch, believed
from companion.referee.model.presses import Press
from companion.referee.model.table import NamedRace


def hands_of(
    scene: Scene, racers: Collection[int], named: NamedRace | None, bunch: Bunch | None
) -> Slapped | None:
    """The hands of a race without its layer's: a bunch with those who came late, or the few there.

    A hand that came alone, and that a catch which was tapped in may be about, is left to that.
    Where no other hand takes its place, it is unknown who was last.
    """
    found = _hands_of(scene, racers, named, bunch)
    if found is None:
        return None
    if words := _said_alone(scene, found, racers):
        left = replace(scene, hands=scene.hands.without(words), idle=scene.idle.without(words))
        others = _hands_of(left, racers, named, bunch)
        if others is not None and {*others.slaps, *others.hammered} >= set(racers):
            found = others
        else:
            rest = {s: press for s, press in found.slaps.items() if (s, press.at) not in words}
            found = replace(found, slaps=rest, doubtful=True)
    elif named is not None and len(racers) == 2:
        found = _without_words(scene, racers, named, bunch, found)
    slaps = {seat: _settled_hand(scene, press) for seat, press in found.slaps.items()}
    return replace(found, slaps=slaps)


def _without_words(
    scene: Scene, racers: Collection[int], named: NamedRace, bunch: Bunch | None, found: Slapped
) -> Slapped:
    """In a race of two, a hand that came alone may have been a call or a catch before it.

    Then the next hand of that seat is the slap. Where there is none, or where both would do and
    somebody else be last, the order is unknown.
    """
    words = _said_before_race(scene, racers, named)
    if not words:
        return found
    left = replace(scene, hands=scene.hands.without(words), idle=scene.idle.without(words))
    others = _hands_of(left, racers, named, bunch)
    if others is not None and {*others.slaps, *others.hammered} >= set(racers):
        if _slowest(others) == _slowest(found) and not found.doubtful:
            return found
        loose = found.doubtful or found.spread > scene.timing.bunch
        if loose and others.spread <= found.spread:
            return others
    rest = {seat: press for seat, press in found.slaps.items() if (seat, press.at) not in words}
    return found if rest == found.slaps else replace(found, slaps=rest, doubtful=True)


def _said_before_race(scene: Scene, racers: Collection[int], named: NamedRace) -> Keys:
    """What two racers may have called or caught with in the turns before, alone on the button."""
    timing = scene.timing
    near = named.at - timing.look_back, named.at + timing.race_limit
    words = [
        touch
        for seat in racers
        for touch in said_in_turns(
            scene.material,
            named,
            seat,
            [t for t in scene.hands.of(seat, *near) if t.key not in scene.taken],
            timing,
        )
    ]
    lead = timing.stray_lead
    return frozenset(
        word.key
        for word in words
        if not any(
            scene.hands.count(other, word.at - lead, word.at + lead + 1)
            for other in racers
            if other != word.seat
        )
    )


def _slowest(slapped: Slapped) -> int:
    """Whose hand came last; one that hammered is behind all that rested."""
    behind = slapped.hammered or slapped.slaps
    return max(behind.values(), key=lambda press: press.at).seat


def _settled_hand(scene: Scene, press: Press) -> Press:
    """A hand that kept touching its button has slapped with the last touch, not the first.

    Two quick touches are a catch, or a call made twice, and count as one.
    """
    seat, at = press.seat, press.at
    before = scene.idle.of(seat, at - scene.timing.restless, at)
    quick = sum(b.at - a.at <= scene.timing.catch_most for a, b in pairwise(before))
    if len(before) - quick < WAVERING:
        return press
    return believed(scene.material, seat, at, min(at + AGAIN, scene.now))[-1]


def _said_alone(scene: Scene, found: Slapped, racers: Collection[int]) -> Keys:
    """The hands of a race that may be words as well, and matter for who was last."""
    times = sorted(press.at for press in found.slaps.values())
    lead = scene.timing.stray_lead
    alone = {
        (press.seat, press.at)
        for press in found.slaps.values()
        if sum(abs(at - press.at) <= lead for at in times) == 1
    }
    spans = [(press.seat, press.at, press.at + AGAIN) for press in found.slaps.values()]
    words = alone & said(scene, scene.hands.keys_within(spans))
    matter = len(found.slaps) < len(racers) or any(at < times[-1] for _, at in words)
    return frozenset(words) if matter else frozenset()


def _hands_of(
    scene: Scene, racers: Collection[int], named: NamedRace | None, bunch: Bunch | None
) -> Slapped | None:
    timing = scene.timing
    since = named.since if named is not None and named.since is not None else 0
    best = None
    if bunch is not None:
        near = (max(bunch.start - timing.bunch, since), bunch.start + timing.bunch)
        best = best_bunch(scene.hands, scene.idle, racers, near, timing)
    enough = 1 if named is None or named.anchor is not None else 2
    if best is None or len(best.slaps) < enough:
        return None if named is None else scattered(scene, racers, named)
    late = _late(scene, racers, best, named)
    slaps = {seat: touch.press for seat, touch in best.slaps.items()}
    hammered = {seat: touch.press for seat, touch in best.hammered.items()}
    for touch in late:
        hammering = hammers(scene.idle, touch, touch.seat, best.start, timing)
        (hammered if hammering else slaps)[touch.seat] = touch.press
    for seat in [seat for seat in racers if seat not in slaps]:
        before = scene.idle.of(seat, best.start - timing.hammer_span, best.start)
        if before and hammers(scene.idle, None, seat, best.start, timing):
            hammered.setdefault(seat, before[-1].press)
    if named is not None and not named.void:
        # A press after the race was named is a slap, however slow the others were.
        for seat in racers:
            if seat not in slaps and seat not in hammered:
                early = scene.idle.first(seat, named.at, best.start)
                slaps |= {} if early is None else {seat: early.press}
    start = min(press.at for press in slaps.values())
    spread = max(press.at for press in slaps.values()) - start
    missing = [seat for seat in racers if seat not in slaps and seat not in hammered]
    too_early = tuple(seat for seat in missing if came_early(scene, seat, best))
    doubtful = _in_two_parts(scene, best)
    called_twice = tuple(seat for seat in hammered if _called_twice(scene, hammered[seat]))
    return Slapped(start, slaps, hammered, spread, doubtful, too_early, called_twice)


def _called_twice(scene: Scene, slap: Press) -> bool:
    """Whether there were just two quick touches before a slap, and none soon after it."""
    since = slap.at - scene.timing.hammer_span - scene.timing.catch_most
    touches = scene.hands.of(slap.seat, since, slap.at + AGAIN)
    return (
        len(touches) == 3
        and touches[1].at - touches[0].at < AGAIN
        and slap.at == touches[2].at < touches[1].at + AGAIN
    )


def _in_two_parts(scene: Scene, bunch: Bunch) -> bool:
    """Whether as many hands came down well apart from the others, one of them in both parts.

    Then it is unknown which of the two was the race, and who missed the other is last.
    """
    until = bunch.start + scene.timing.bunch
    return any(
        (again := twice_there(scene.hands, early, until, scene.timing))
        and len(early) == len(bunch.slaps) - len(early) + len(again)
        for early in early_parts(bunch.slaps, scene.timing)
    )


def _late(
    scene: Scene, racers: Iterable[int], bunch: Bunch, named: NamedRace | None
) -> list[Touch]:
    """The late slaps: the next hand of everybody who is missing, up to the time limit."""
    until = bunch.start + scene.timing.race_limit
    if named is not None:
        until = max(until, named.at + scene.timing.race_limit)
    return [
        touch
        for seat in racers
        if seat not in bunch.seats
        and (touch := first_left(scene, scene.hands, seat, (bunch.start, until))) is not None
    ]
