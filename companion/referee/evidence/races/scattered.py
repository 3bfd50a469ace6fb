"""The hands of a race that came too far apart for a bunch, or of the only one to slap."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from companion.referee.evidence.catches.said_in_turns import said_in_turns
from companion.referee.evidence.races.bunches import AGAIN, WAVERING, Bunch, hammers
from companion.referee.evidence.races.slapped import Slapped, came_early, first_left
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.presses import Timing
from companion.referee.model.table import NamedRace


def scattered(scene: Scene, racers: Collection[int], named: NamedRace) -> Slapped | None:
    """Hands that came too far apart to be a bunch: as many as there are within the time limit.

    Long before the race was named only all of them together are more than stray ones. Where they
    can be put together in several ways with another one last, the order stays unknown; so it does
    where those before the naming lie as far apart as two races. After the naming the first press of
    each hand is its slap, and a second one, which may be a catch, makes no hand later.
    """
    timing = scene.timing
    limit = timing.race_limit
    low, high = max(named.at - timing.look_back, named.since or 0), named.at + limit
    if named.until is not None:
        high = min(high, named.until)
    if len(racers) == 1:
        return _only_one(scene, next(iter(racers)), named, (low, high))
    ways: list[tuple[tuple[int, int, int], dict[int, Touch]]] = []
    for first in scene.idle.ordered:
        if first.seat not in racers or not low <= first.at <= high or first.key in scene.taken:
            continue
        until = min(first.at + limit, high + 1)
        firsts = {
            s: t
            for s in racers
            if (t := first_left(scene, scene.idle, s, (first.at, until))) is not None
        }
        if len(firsts) < len(racers) and first.at < named.at - limit:
            continue
        if all(touch.denied for touch in firsts.values()):
            continue
        last = max(touch.at for touch in firsts.values())
        ways.append(((-len(firsts), last - first.at, -first.at), firsts))
        if first.at >= named.at and not any(_restless(scene, t) for t in firsts.values()):
            break
    if not ways:
        return None
    ways.sort(key=lambda way: way[0])
    chosen = ways[0][1]
    as_close = ways[0][0][1] * 3 // 2
    as_many = [
        way
        for (_, spread, _), way in ways
        if len(way) == len(chosen) == len(racers) and spread <= as_close
    ]
    losers = {max(way.values(), key=lambda touch: touch.at).seat for way in as_many}
    start = min(touch.at for touch in chosen.values())
    hammered = {s: t.press for s, t in chosen.items() if hammers(scene.idle, t, s, start, timing)}
    slaps = {s: t.press for s, t in chosen.items() if s not in hammered}
    spread = max(touch.at for touch in chosen.values()) - start
    too_slow = start < named.at and spread > 2 * timing.bunch
    doubtful = len(losers) > 1 or too_slow
    missing = [seat for seat in racers if seat not in chosen]
    early = tuple(seat for seat in missing if came_early(scene, seat, Bunch(chosen)))
    return Slapped(start, slaps, hammered, spread, doubtful, early)


def _restless(scene: Scene, touch: Touch) -> bool:
    """Whether a hand went on touching the button, more than a slap and a catch together do."""
    until = touch.at + scene.timing.restless
    return scene.idle.count(touch.seat, touch.at, until) > 1 + WAVERING


def _only_one(
    scene: Scene, seat: int, named: NamedRace, between: tuple[int, int]
) -> Slapped | None:
    """The hand of the only one to slap: the latest before the race was named, or the next.

    They are last whatever they do, so calls and catches of the turns before are left what they are,
    but for a single press right before the race was named that no catch is about. The layer may
    have one card left; presses that may have caught them are then left to the catch.
    """
    low, high = between
    free = [t for t in scene.idle.of(seat, low, high + 1) if t.key not in scene.taken]
    words = said_in_turns(scene.material, named, seat, free, scene.timing)
    free = [touch for touch in free if touch not in words or _slaps_at_once(scene, named, touch)]
    numbers = (named.number, named.card)
    if any(turn.left == 1 and turn.number in numbers for turn in scene.material.turns):
        free = _without_catches(free, scene.timing)
    sooner = [touch for touch in free if touch.at <= named.at]
    if not free:
        return None
    slap = sooner[-1] if sooner else free[0]
    return Slapped(slap.at, {seat: slap.press}, {})


def _slaps_at_once(scene: Scene, named: NamedRace, touch: Touch) -> bool:
    """Whether this came right before the race was named, and neither it nor the layer caught."""
    assert named.layer is not None
    timing = scene.timing
    since, until = touch.at - timing.catch_most, touch.at + timing.catch_most + 1
    return (
        0 <= named.at - touch.at < timing.bunch
        and scene.hands.count(touch.seat, since, until) == 1
        and not scene.hands.count(named.layer, since, named.at)
    )


def _without_catches(touches: Sequence[Touch], timing: Timing) -> list[Touch]:
    """Those that came alone; where none did, those that may as well have slapped twice."""
    alone, twice = list(touches), set()
    for sooner, later in pairwise(touches):
        apart = later.at - sooner.at
        if apart <= timing.catch_most:
            alone = [touch for touch in alone if touch not in (sooner, later)]
            twice |= {sooner.key, later.key} if apart <= AGAIN else set()
    return alone or [touch for touch in touches if touch.key in twice]
