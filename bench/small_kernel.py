"""A small kernel of our own: contacts move, interrupts date them, and threads report them late."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from itertools import count

from msgspec import Struct

from hardware.contact.edge_order import Numbered

Move = tuple[int, int, bool]
"""When a contact moves, on which line, and whether it is closed then."""


class Report(Struct, frozen=True):
    """An edge as it was reported, and when the line's thread did so."""

    ran: int
    edge: Numbered


class SmallKernel:
    """Numbers and dates every interrupt at once; a second one before the thread overwrites it."""

    def __init__(self, delay: Callable[[], int]) -> None:
        self._delay = delay
        self._numbers = count(1)
        self._line_numbers: dict[int, int] = {}
        self.overwritten = 0

    def reports(self, moves: Iterable[Move]) -> list[Report]:
        """Play these moves, which are in order, and give what the threads report, in theirs."""
        pending: dict[int, tuple[int, int]] = {}
        levels: dict[int, bool] = {}
        threads: list[tuple[int, int]] = []
        told: list[Report] = []

        def run(until: int | None) -> None:
            while threads and (until is None or threads[0][0] <= until):
                ran, line = heappop(threads)
                at, number = pending.pop(line)
                self._line_numbers[line] = self._line_numbers.get(line, 0) + 1
                closed, line_number = levels[line], self._line_numbers[line]
                told.append(Report(ran, Numbered(line, at, closed, number, line_number)))

        for at, line, closed in moves:
            run(at - 1)
            if line in pending:
                self.overwritten += 1
            else:
                heappush(threads, (at + self._delay(), line))
            pending[line] = (at, next(self._numbers))
            levels[line] = closed
        run(None)
        return told
