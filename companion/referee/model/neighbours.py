"""Who sits next to whom: seats are numbered to the left."""

from __future__ import annotations

from functools import lru_cache

from companion.referee.model.table import Round


def next_seat(round_: Round, seat: int) -> int:
    """The next player in the direction of play, also after a seat that is empty by now."""
    return _next_of(round_.seats, round_.direction, seat)


# Every turn asks this; the answers are few, and found once.
@lru_cache(512)
def _next_of(seats: tuple[int, ...], direction: int, seat: int) -> int:
    others = (other for other in seats if other != seat)
    return min(others, key=lambda other: (other - seat) * direction % 32)


def left_of(number: int, seats: tuple[int, ...]) -> int:
    """The first taken seat to the left, also of a seat that is empty by now."""
    return min(seats, key=lambda seat: ((seat - number - 1) % 32, seat))
