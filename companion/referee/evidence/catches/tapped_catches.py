"""Touches that a catch in free play may be about: somebody tapped in that a seat was caught."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import takewhile

from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.table import NamedCatch

Keys = frozenset[tuple[int, int]]


def said(scene: Scene, keys: Iterable[tuple[int, int]]) -> Keys:
    """Those of these touches that may be the press of a catcher, or the call of the caught player.

    None is where another touch came after it, before the tap, which then says it better.
    """
    group = frozenset(keys)
    catches = _catches(scene)
    own = [_before(scene, named, [named.seat]) for named in catches]
    others = [_before(scene, named, _catchers(scene, named)) for named in catches]
    return frozenset(key for touches in (*own, *others) for key in _latest(touches, group))


def said_until(scene: Scene, until: int) -> Keys:
    """All touches that may be the press of a catcher, or a call, in a catch tapped in by then."""
    catches = [named for named in _catches(scene) if named.at <= until]
    return frozenset(
        touch.key
        for named in catches
        for touch in _before(scene, named, [named.seat, *_catchers(scene, named)])
    )


def caught_with(scene: Scene, keys: Iterable[tuple[int, int]]) -> Keys:
    """Those of these touches that may be the press of a catcher."""
    group = frozenset(keys)
    others = [_before(scene, named, _catchers(scene, named)) for named in _catches(scene)]
    return frozenset(key for touches in others for key in _latest(touches, group))


def surely_caught_with(scene: Scene, touch: Touch) -> bool:
    """Whether this is the press of a catcher who was named: the latest one before the tap."""
    return any(
        named.by == touch.seat and _before(scene, named, [touch.seat])[:1] == [touch]
        for named in _catches(scene)
    )


def _catches(scene: Scene) -> tuple[NamedCatch, ...]:
    """In refereed play a tap dates its catch by itself."""
    return scene.material.catches if scene.material.way == "free" else ()


def _catchers(scene: Scene, named: NamedCatch) -> list[int]:
    by = scene.material.seats if named.by is None else (named.by,)
    return [seat for seat in by if seat != named.seat]


def _before(scene: Scene, named: NamedCatch, seats: Collection[int]) -> list[Touch]:
    """The touches of these seats before the tap, the latest first."""
    since = named.at - scene.timing.catch_look_back
    found = [t for seat in seats for t in scene.hands.of(seat, since, named.at + 1)]
    return sorted(found, key=lambda touch: touch.at, reverse=True)


def _latest(touches: Iterable[Touch], group: Keys) -> Iterator[tuple[int, int]]:
    """The latest of these touches, as long as they are in a group."""
    return takewhile(group.__contains__, (touch.key for touch in touches))
