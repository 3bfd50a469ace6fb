"""The press of a possible layer that answers who laid a race, where the lamp had asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.referee.evidence.catches.tapped_catches import surely_caught_with
from companion.referee.evidence.races.bunches import Bunch
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.presses import MILLISECOND
from companion.referee.model.questions import Question

NOTICED = 800 * MILLISECOND
"""The least time to see a lamp blink, know what it asks, and press."""


def answering_touch(
    scene: Scene,
    asked: Question,
    bunch: Bunch,
    others: Sequence[Bunch],
    raced: Collection[tuple[int, int]],
) -> Touch | None:
    """The first touch of somebody asked that can be nothing else, while the lamp could be seen.

    Two slaps in another race answer nothing, nor does a hand that may only be late in one, nor the
    press of a catch, as the tablet was told of it.
    """
    seen_at = max(asked.at + NOTICED, bunch.start + _slowest(scene, bunch))
    for touch in scene.hands.ordered:
        if touch.seat not in asked.seats or touch.at < seen_at or touch.key in raced:
            continue
        if asked.until is not None and touch.at >= asked.until:
            break
        if _in_company(scene, touch) or _may_be_late(scene, touch, bunch, others):
            continue
        if not surely_caught_with(scene, touch):
            return touch
    return None


def _slowest(scene: Scene, bunch: Bunch) -> int:
    """How long after the first hand somebody asked may only have been slow."""
    timing = scene.timing
    if len(scene.material.seats) > 3:
        return timing.layer_wait
    return 2 * timing.bunch if bunch.spread > timing.settle else 0


def _in_company(scene: Scene, touch: Touch) -> bool:
    """Whether others pressed at about the same time, as they do in a race."""
    apart = scene.timing.bunch
    return any(
        scene.hands.count(seat, touch.at - apart, touch.at + apart)
        for seat in scene.material.seats
        if seat != touch.seat
    )


def _may_be_late(scene: Scene, touch: Touch, bunch: Bunch, others: Sequence[Bunch]) -> bool:
    """Whether others have slapped since the question, and this may be the hand that was missing."""
    return any(
        other.start > bunch.start
        and not other.denied
        and touch.seat not in other.seats
        and other.start <= touch.at < other.start + scene.timing.layer_wait
        for other in others
    )
