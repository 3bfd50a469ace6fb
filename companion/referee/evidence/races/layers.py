"""Who laid a Street Race that only the hands of the others show."""

from __future__ import annotations

from itertools import pairwise

from companion.referee.evidence.catches.tapped_catches import caught_with
from companion.referee.evidence.material import Material, set_aside
from companion.referee.evidence.races.bunches import AGAIN, Bunch
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.presses import Timing


def possible_layers(scene: Scene, bunch: Bunch) -> tuple[tuple[int, ...], bool]:
    """Who may have laid the race of a bunch, and whether that is sure."""
    seats, timing = scene.material.seats, scene.timing
    many = len(seats) >= 4
    absent = tuple(seat for seat in seats if seat not in bunch.seats)
    if not absent:
        odd = _odd_one_out(bunch, timing)
        return ((odd,), many) if odd is not None else (tuple(sorted(bunch.seats)), False)
    if len(absent) == 1:
        late = _next_touch(scene, absent[0], bunch, 2 * timing.bunch)
        slowest = max(bunch.slaps.values(), key=lambda touch: touch.at)
        apart = _apart(slowest, bunch, timing)
        unheard = _unheard(scene.material, absent[0], bunch.start, bunch.start + timing.bunch)
        loose = (apart or bunch.spread > timing.loose_spread) and (unheard or late is not None)
        if many and (loose or (apart and _caught(scene, slowest))):
            return (slowest.seat, absent[0]), False
        return absent, many
    if len(absent) > 2 or not many:
        return (), False
    slow = [
        t
        for seat in absent
        if (t := _next_touch(scene, seat, bunch, timing.layer_wait)) is not None
    ]
    if len(slow) == 1 and not _caught(scene, slow[0]):
        layer = next(seat for seat in absent if seat != slow[0].seat)
        return (layer,), len(bunch.slaps) >= 3
    return absent, False


def _unheard(material: Material, seat: int, since: int, until: int) -> bool:
    """Whether a seat may have slapped without being heard."""
    return seat in material.buttonless or set_aside(material.evidence, seat, since, until)


def _odd_one_out(bunch: Bunch, timing: Timing) -> int | None:
    """Where everybody pressed, the one whose hand came well apart from all others laid the card.

    Where the others do not lie together either, any of those apart may have laid it.
    """
    order = sorted((*bunch.slaps.values(), *bunch.hammered.values()), key=lambda touch: touch.at)
    apart = [later.at - sooner.at >= timing.settle for sooner, later in pairwise(order)]
    if apart.count(True) != 1 or not (apart[0] or apart[-1]):
        return None
    return order[-1].seat if apart[-1] else order[0].seat


def _apart(slowest: Touch, bunch: Bunch, timing: Timing) -> bool:
    """Whether the last hand came well after the others, and may be something else than a slap."""
    others = [touch.at for touch in bunch.slaps.values() if touch is not slowest]
    return slowest.at - max(others) > timing.stray_lead


def _caught(scene: Scene, touch: Touch) -> bool:
    """Whether this hand may have caught somebody."""
    return bool(caught_with(scene, scene.hands.keys_until([touch], touch.at + AGAIN)))


def _next_touch(scene: Scene, seat: int, bunch: Bunch, within: int) -> Touch | None:
    """The next hand of somebody who is missing in a bunch, while it may be a late slap."""
    until = bunch.start + within
    free = (t for t in scene.hands.of(seat, bunch.start, until) if t.key not in scene.taken)
    return next(free, None)
