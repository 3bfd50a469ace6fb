"""Looks at levels that are under way: asked for, and believed only when all edges before are told.

A level is read in a moment, but the edges that led to it may still wait somewhere on their way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hardware.contact.edges import MILLISECOND, SECOND, Level

AGAIN = MILLISECOND
"""One that told nothing is repeated after this time."""
PATIENCE = SECOND // 2
"""One that brought no answer is repeated after this."""
LEAST_HOLD = MILLISECOND
MOST_HOLD = 500 * MILLISECOND
REMEMBERED = SECOND
"""For so long an edge that came late makes everybody wait for others."""


class LevelChecks:
    """Keeps apart when to look, what is under way, and what may be believed by now."""

    def __init__(self) -> None:
        self._not_before: dict[int, int] = {}
        self._under_way: set[int] = set()
        self._held: list[Level] = []
        self._late = 0
        self._late_until = 0

    def arrived(self, at: int, now: int) -> None:
        """Take note of how late an edge was heard."""
        if now - at >= self._late or now >= self._late_until:
            self._late, self._late_until = now - at, now + REMEMBERED

    def asked(self, number: int, now: int) -> None:
        """Take note that a level was asked for."""
        self._under_way.add(number)
        self._not_before[number] = now + PATIENCE

    def answered(self, number: int, now: int) -> None:
        """Take note that it was believed."""
        self._under_way.discard(number)
        self._not_before[number] = now + AGAIN

    def hold(self, level: Level) -> None:
        """Keep a level of a line that cannot say when all its edges were told."""
        self._held.append(level)

    def drained(self, now: int) -> list[Level]:
        """Give the levels that were held for longer than edges lately took to arrive."""
        believed = [level for level in self._held if level.read + self._hold(now) <= now]
        self._held = [level for level in self._held if level not in believed]
        return believed

    def ready(self, number: int, look_at: int, now: int) -> bool:
        """Whether a look would tell something now, and none is under way."""
        return max(look_at, self._not_before.get(number, 0)) <= now

    def busy(self, wanted: Mapping[int, int], now: int) -> bool:
        """Whether a look is under way, or one would tell something now."""
        return bool(self._under_way) or any(
            self.ready(number, look_at, now) for number, look_at in wanted.items()
        )

    def due(self, wanted: Mapping[int, int]) -> Iterable[int]:
        """When there is something to do: a look to be had, or a level to be believed."""
        for number, look_at in wanted.items():
            yield max(look_at, self._not_before.get(number, 0))
        for level in self._held:
            yield level.read + self._hold(level.read)

    def _hold(self, now: int) -> int:
        """For how long edges that came before a level may still be on their way."""
        late = 2 * self._late if now < self._late_until else 0
        return min(max(late, LEAST_HOLD), MOST_HOLD)
