"""Who sits next to whom: seats are numbered to the left."""

from __future__ import annotations

from companion.referee.table import Round


def next_seat(round_: Round, seat: int) -> int:
    """The next player in the direction of play."""
    seats = round_.seats
    return seats[(seats.index(seat) + round_.direction) % len(seats)]


def left_of(number: int, seats: tuple[int, ...]) -> int:
    """The first taken seat to the left, also of a seat that is empty by now."""
    return min(seats, key=lambda seat: ((seat - number - 1) % 32, seat))
