"""Words: the touches of each seat that can say something, and what has been called with them."""

from __future__ import annotations

from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.presses import Press

WAVERING = 2
"""So many touches within the restless time still say something; one more does not."""


class Words:
    """The touches that are neither slaps nor restless, by seat, and the calls among them."""

    def __init__(self, scene: Scene, used: frozenset[tuple[int, int]], heard_from: int) -> None:
        """Presses are known from `heard_from` on."""
        self.material = scene.material
        self.restless = scene.timing.restless
        began = self.material.began
        self.known_from = began if heard_from <= began else heard_from + self.restless
        """From here on it is known whether a touch is one of too many."""
        self.catching: set[tuple[int, int]] = set()
        """Touches that caught somebody, and so call nothing."""
        self.by_seat = {
            seat: self._of(scene.hands.by_seat.get(seat, []), used) for seat in self.material.seats
        }

    def _of(self, hands: list[Touch], used: frozenset[tuple[int, int]]) -> list[Touch]:
        free = [touch for touch in hands if touch.key not in used]
        return [
            touch
            for index, touch in enumerate(free)
            if touch.at >= self.known_from
            and (index < WAVERING or touch.at - free[index - WAVERING].at > self.restless)
        ]

    def of(self, seat: int) -> list[Touch]:
        """All that a seat has said."""
        return self.by_seat.get(seat, [])

    def calls(self, seat: int, since: int, until: int) -> list[Press]:
        """The calls of a seat in a stretch of time, both ends included."""
        since = max(since, self.material.withdrawn.get(seat, -1) + 1)
        pressed = [
            touch.press
            for touch in self.of(seat)
            if since <= touch.at <= until and touch.key not in self.catching
        ]
        said = [p for p in self.material.said if p.seat == seat and since <= p.at <= until]
        return sorted([*pressed, *said], key=lambda press: press.at)

    def spent(self, seat: int, at: int) -> int:
        """When a seat last drew cards before this moment: calls up to then are spent."""
        return max((drew for drew in self.material.drew_at.get(seat, ()) if drew <= at), default=-1)
