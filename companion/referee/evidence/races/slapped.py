"""What is known of the hands of one race, and which touches are left for it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.referee.evidence.races.bunches import Bunch, Hands
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.presses import Press


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


def first_left(scene: Scene, hands: Hands, seat: int, between: tuple[int, int]) -> Touch | None:
    """The first of these touches of a seat that no other race has taken."""
    return next((t for t in hands.of(seat, *between) if t.key not in scene.taken), None)


def came_early(scene: Scene, seat: int, bunch: Bunch) -> bool:
    """Whether somebody missing pressed shortly before, and no one who slapped did so too."""
    hand = first_left(scene, scene.hands, seat, (bunch.start - scene.timing.bunch, bunch.start))
    lead = scene.timing.stray_lead
    return hand is not None and not any(
        scene.hands.count(other, hand.at - lead, min(hand.at + lead, bunch.start))
        for other in bunch.slaps
    )
