"""The press of a possible layer that answers who laid a race, where the lamp had asked."""

from __future__ import annotations

from collections.abc import Collection

from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.questions import Question


def answering_touch(
    scene: Scene, asked: Question, raced: Collection[tuple[int, int]], slow_until: int
) -> Touch | None:
    """The first touch of somebody asked, by itself, while the lamp could be seen.

    Two slaps in another race answer nothing; nor does a hand that may only have been slow.
    """
    seen_at = max(asked.at + scene.timing.settle, slow_until)
    for touch in scene.hands.ordered:
        if touch.seat not in asked.seats or touch.at < seen_at or touch.key in raced:
            continue
        if asked.until is not None and touch.at >= asked.until:
            break
        if not _in_company(scene, touch):
            return touch
    return None


def _in_company(scene: Scene, touch: Touch) -> bool:
    """Whether others pressed at the same time, as they do in a race."""
    lead = scene.timing.loose_spread
    return any(
        scene.hands.count(seat, touch.at - lead, touch.at + lead)
        for seat in scene.material.seats
        if seat != touch.seat
    )
