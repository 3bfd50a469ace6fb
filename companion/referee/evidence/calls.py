"""Calls and catches: who called UNO when, who was caught, and what has to be asked (R13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from companion.referee.evidence.asking import Asking
from companion.referee.evidence.claims import Claims
from companion.referee.evidence.free_catches import FreeCatches
from companion.referee.evidence.refereed_catches import RefereedCatches
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.words import Words
from companion.referee.model.table import Calls, Claim, Race, Window


class CallReading(Struct, frozen=True):
    """What was read of calls and catches."""

    calls: Calls
    claims: tuple[Claim, ...]
    asking: tuple[Asking, ...]


def read_calls(
    scene: Scene,
    races: Sequence[Race],
    used: frozenset[tuple[int, int]],
    since: int,
    heard_from: int,
) -> CallReading:
    """Read the calls and catches from this moment on; older catches stay as they were read.

    Presses are known from `heard_from` on.
    """
    words, claims = Words(scene, used, heard_from), Claims(scene.material, since)
    if scene.material.way == "refereed":
        refereed = RefereedCatches(scene, races, words, claims)
        refereed.read()
        window, closed, again = refereed.window, refereed.closed, refereed.press_again()
    else:
        free = FreeCatches(scene, words, claims)
        for named in scene.material.catches:
            if not claims.settled(named.number):
                free.take(named)
        window, closed, again = None, [], {}
    calls = _standing(scene, words, window, closed, again)
    return CallReading(calls, tuple(claims.read), tuple(claims.asking))


def _standing(
    scene: Scene,
    words: Words,
    window: Window | None,
    closed: Sequence[Window],
    again: Mapping[int, int],
) -> Calls:
    """Who has called by now, and whose second press would be a catch."""
    material, now = scene.material, scene.now
    called: dict[int, int] = {}
    pending: dict[int, int] = {}
    wait = scene.timing.stray_lead if _may_be_slaps(scene) else 0
    lasts = material.way == "free"
    shown_from = 0 if lasts else now - scene.timing.look_back
    for seat in material.seats:
        spent = max(words.spent(seat, now), material.withdrawn.get(seat, -1))
        known = material.calls.called.get(seat)
        if known is not None and lasts and spent < known < words.known_from:
            called[seat] = known
        for call in words.calls(seat, max(spent + 1, shown_from), now):
            if call.at + wait <= now or call in material.said:
                called[seat] = call.at
            else:
                pending[seat] = call.at
    dues = [*again.values(), *(at + wait for at in pending.values())]
    return Calls(window, tuple(closed), called, pending, dict(again), min(dues, default=None))


def _may_be_slaps(scene: Scene) -> bool:
    """In free play the first hand of a race looks like a call until the others come."""
    material = scene.material
    return material.raced and material.way == "free" and len(material.seats) > 2
