"""Which hands slapped in a race whose layer is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.evidence.catches.tapped_catches import Keys, said
from companion.referee.evidence.races.bunches import (
    AGAIN,
    WAVERING,
    Bunch,
    Hands,
    best_bunch,
    early_parts,
    hammers,
    twice_there,
)
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch, believed
from companion.referee.model.presses import Press, Timing
from companion.referee.model.table import NamedRace, Turn


class Slapped(Struct, frozen=True):
    """The hands of one race."""

    start: int
    slaps: Mapping[int, Press]
    hammered: Mapping[int, Press]
    spread: int = 0
    doubtful: bool = False
    """Whether other hands of the same seats would do as well, with another one last."""
    early: tuple[int, ...] = ()
    """Who has not slapped, but pressed shortly before the others: that may have been the slap."""
    called_twice: tuple[int, ...] = ()
    """Who seems to hammer, but may have called twice and then slapped."""


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
    slaps = {seat: _settled_hand(scene, press) for seat, press in found.slaps.items()}
    return replace(found, slaps=slaps)


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
    too_early = tuple(seat for seat in missing if _came_early(scene, seat, best))
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


def _came_early(scene: Scene, seat: int, bunch: Bunch) -> bool:
    """Whether somebody missing pressed shortly before, and no one who slapped did so too."""
    hand = _first(scene, scene.hands, seat, (bunch.start - scene.timing.bunch, bunch.start))
    lead = scene.timing.stray_lead
    return hand is not None and not any(
        scene.hands.count(other, hand.at - lead, min(hand.at + lead, bunch.start))
        for other in bunch.slaps
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
        and (touch := _first(scene, scene.hands, seat, (bunch.start, until))) is not None
    ]


def _first(scene: Scene, hands: Hands, seat: int, between: tuple[int, int]) -> Touch | None:
    """The first of these touches of a seat that no other race has taken."""
    return next((t for t in hands.of(seat, *between) if t.key not in scene.taken), None)


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
            if (t := _first(scene, scene.idle, s, (first.at, until))) is not None
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
    early = tuple(seat for seat in missing if _came_early(scene, seat, Bunch(chosen)))
    return Slapped(start, slaps, hammered, spread, doubtful, early)


def _restless(scene: Scene, touch: Touch) -> bool:
    """Whether a hand went on touching the button, more than a slap and a catch together do."""
    until = touch.at + scene.timing.restless
    return scene.idle.count(touch.seat, touch.at, until) > 1 + WAVERING


def _only_one(
    scene: Scene, seat: int, named: NamedRace, between: tuple[int, int]
) -> Slapped | None:
    """The hand of the only one to slap: the latest before the race was named, or the next.

    They are last whatever they do, so calls and catches of the turns before are left what they are.
    The layer may have one card left; presses that may have caught them are then left to the catch.
    """
    low, high = between
    free = [t for t in scene.idle.of(seat, low, high + 1) if t.key not in scene.taken]
    numbers = (named.number, named.card)
    turns = scene.material.turns
    before = [turn for turn in turns if turn.number not in numbers and turn.at <= named.at]
    words = _said_in_turns(before, seat, free, named.at, scene.timing)
    free = [touch for touch in free if touch not in words]
    if any(turn.left == 1 and turn.number in numbers for turn in turns):
        free = _without_catches(free, scene.timing)
    sooner = [touch for touch in free if touch.at <= named.at]
    if not free:
        return None
    slap = sooner[-1] if sooner else free[0]
    return Slapped(slap.at, {seat: slap.press}, {})


def _said_in_turns(
    turns: Sequence[Turn], seat: int, touches: Sequence[Touch], until: int, timing: Timing
) -> list[Touch]:
    """What somebody may have called in turns that left one card, or caught with, before a race."""
    words: list[Touch] = []
    ends = [*(turn.at for turn in turns[1:]), until]
    for turn, end in zip(turns, ends, strict=False):
        left = [t for t in touches if t not in words and t.at <= end] if turn.left == 1 else []
        if turn.seat == seat:
            earliest = turn.at - timing.look_back - timing.call_lead
            words += [touch for touch in left if touch.at >= earliest][:1]
            continue
        for first, second in pairwise([t for t in touches if t not in words]):
            apart = second.at - first.at
            if first in left and timing.catch_least <= apart <= timing.catch_most:
                words += [first, second]
    return words


def _without_catches(touches: Sequence[Touch], timing: Timing) -> list[Touch]:
    """Those that came alone; where none did, those that may as well have slapped twice."""
    alone, twice = list(touches), set()
    for sooner, later in pairwise(touches):
        apart = later.at - sooner.at
        if apart <= timing.catch_most:
            alone = [touch for touch in alone if touch not in (sooner, later)]
            twice |= {sooner.key, later.key} if apart <= AGAIN else set()
    return alone or [touch for touch in touches if touch.key in twice]
