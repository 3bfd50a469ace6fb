"""Levels that were asked for, and are believed only when every edge before them has arrived.

A level is read in a moment, but the edges that led to it may still wait somewhere on their way.
"""

from __future__ import annotations

from collections.abc import Mapping

from hardware.contact.edges import MILLISECOND, SECOND, Level

AGAIN = MILLISECOND
"""A look without a result is repeated after this time."""
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
        self.held: list[Level] = []
        """The levels that wait until the edges before them must have arrived."""
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
        """Keep a level of a line that cannot say when all its edges have arrived."""
        self.held.append(level)

    def drained(self, now: int) -> list[Level]:
        """Give the levels that were held for longer than edges lately took to arrive."""
        believed = [level for level in self.held if level.read + self._hold(now) <= now]
        self.held = [level for level in self.held if level not in believed]
        return believed

    def ready(self, wanted: Mapping[int, int], now: int) -> list[int]:
        """Tell at which buttons a look would tell something now, and none is under way."""
        return [
            number
            for number, look_at in wanted.items()
            if max(look_at, self._not_before.get(number, 0)) <= now
        ]

    def busy(self, wanted: Mapping[int, int], now: int) -> bool:
        """Whether a look is under way, or one would tell something now."""
        return bool(self._under_way) or bool(self.ready(wanted, now))

    def due(self, wanted: Mapping[int, int], latest: int) -> int:
        """When there is something to do: a look to be had, or a level to be believed."""
        looks = [max(at, self._not_before.get(number, 0)) for number, at in wanted.items()]
        held = [level.read + self._hold(level.read) for level in self.held]
        return min([latest, *looks, *held])

    def _hold(self, now: int) -> int:
        """For how long edges that came before a level may still be on their way."""
        late = 2 * self._late if now < self._late_until else 0
        return min(max(late, LEAST_HOLD), MOST_HOLD)
