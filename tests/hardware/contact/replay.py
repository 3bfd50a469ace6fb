"""Plays a trace of a contact in front of the table's own code, as a small kernel would report it.

What the contact does goes through the kernel's numbers and dates, the order of edges, and the looks
at levels at the moments at which the contact asks for them. Time is only counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bench.small_kernel import Move, Report, SmallKernel
from companion.referee.commands import ButtonCommand
from hardware.contact.contact import Contact
from hardware.contact.edge_order import EdgeOrder
from hardware.contact.edges import MILLISECOND, SECOND, Edge, Level
from hardware.contact.lateness import BLOCK, Lateness
from hardware.contact.level_checks import AGAIN
from hardware.contact.listener import POLL
from hardware.pins.factories import date_arrival
from tests.hardware.contact.traces import NUMBERED, START, UNNUMBERED

LINE = 1
AWHILE = 7 * SECOND
"""For so long the table goes on listening after the last edge."""
PROMPT = MILLISECOND // 100


class Replay:
    """One contact from its first edge on; `delay` says how late each report is."""

    def __init__(self, *, numbered: bool, delay: Callable[[], int] = lambda: PROMPT) -> None:
        self.contact = Contact(LINE, NUMBERED if numbered else UNNUMBERED)
        self.contact.begin(START, False)
        self._numbered = numbered
        self._kernel = SmallKernel(delay)
        self._lateness = Lateness()
        for _ in range(BLOCK):
            self._lateness.note(PROMPT)
        self._order = EdgeOrder([LINE], self._lateness)
        self._moves: Sequence[Move] = ()
        self._now = START
        self.reports: list[ButtonCommand] = []

    def play(self, moves: Sequence[Move], stall: tuple[int, int] | None = None) -> None:
        """Let the contact move; in a stall nothing is read, and all of it comes at the end."""
        self._moves = moves
        for report in self._kernel.reports(moves):
            read = report.ran
            if stall is not None and stall[0] <= read < stall[1]:
                read = stall[1]
            self._pass_time(read, stall)
            self._tell(report, read)
        self._pass_time(moves[-1][0] + AWHILE, stall)

    def _tell(self, report: Report, read: int) -> None:
        edge = report.edge
        if not self._numbered:
            moment = date_arrival(edge.at, read, self._lateness)
            self._hear(Edge(LINE, moment.at, edge.rising, moment.doubt))
            return
        for one in self._order.take([edge], read, edge.at - 1):
            self._hear(Edge(LINE, one.at, one.rising, one.doubt))

    def _hear(self, edge: Edge) -> None:
        self.reports += self.contact.edge(edge)

    def _pass_time(self, until: int, stall: tuple[int, int] | None) -> None:
        """Look at the level whenever the contact wants it, and at every poll."""
        while True:
            wanted = self.contact.look_at
            looks = [self._now + POLL] + (
                [] if wanted is None else [max(wanted, self._now + AGAIN)]
            )
            due = self._order.due
            at = min([*looks, *([] if due is None else [due])])
            if at >= until:
                return
            self._now = at
            if stall is not None and stall[0] <= at < stall[1]:
                continue
            for one in self._order.give_up(at):
                self._hear(Edge(LINE, one.at, one.rising, one.doubt))
            # The order still waits for a number, and a level waits for the order.
            if self._order.due is None:
                self.reports += self.contact.rest(Level(LINE, self._level(at), at, at))

    def _level(self, at: int) -> bool:
        return next((closed for when, _, closed in reversed(self._moves) if when <= at), False)


def moves_of(changes: Sequence[float]) -> list[Move]:
    """Read a trace: milliseconds at which the contact closes, opens, closes and so on."""
    return [
        (START + SECOND + round(at * MILLISECOND), LINE, place % 2 == 0)
        for place, at in enumerate(changes)
    ]


def since(at: int) -> float:
    """Tell a moment as milliseconds of the trace."""
    return round((at - START - SECOND) / MILLISECOND, 3)
