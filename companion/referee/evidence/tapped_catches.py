"""Touches that a catch in free play may be about: somebody tapped in that a seat was caught."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.table import NamedCatch

Keys = frozenset[tuple[int, int]]


def said(scene: Scene, keys: Iterable[tuple[int, int]], until: int | None = None) -> Keys:
    """Those of these touches that may be the press of a catcher, or the call of who was caught.

    None is where another touch came after it, before the tap, which then says it better. `until`
    leaves out what was tapped in later.
    """
    material = scene.material
    if material.way != "free" or not material.catches:
        return frozenset()
    group = frozenset(keys)
    return frozenset(
        touch.key
        for named in material.catches
        if until is None or named.at <= until
        for touches in _words_of(scene, named)
        for touch in takewhile(lambda touch: touch.key in group, touches)
    )


def _words_of(scene: Scene, named: NamedCatch) -> Iterator[list[Touch]]:
    """The touches before a tap, the latest first: of who was caught, and of who may have caught."""
    since = named.at - scene.timing.catch_look_back
    before = [touch for touch in scene.hands.ordered if since <= touch.at <= named.at][::-1]
    yield [touch for touch in before if touch.seat == named.seat]
    others = [touch for touch in before if touch.seat != named.seat]
    yield [touch for touch in others if named.by in (None, touch.seat)]
