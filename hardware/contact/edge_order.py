"""The kernel's own order of edges, and what its numbers tell about dates that were overwritten.

For lines that are requested together the kernel counts every interrupt in the moment it comes, but
reports an edge only when the line's thread runs. A second edge that comes before that replaces the
first one's date, and its number is the only trace: the number before it never arrives. An edge
that comes while the thread runs can lend its number to the one before, so a number may come twice.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from hardware.contact.edges import MILLISECOND
from hardware.contact.lateness import Lateness

PATIENCE = 3 * MILLISECOND
"""How long a missing number may still be on its way from another line's thread."""
WORST = 100 * MILLISECOND
"""More than this is no doubt about a date but a push that is missing."""
REMEMBERED = 64


class Numbered(Struct, frozen=True, gc=False):
    """An edge as the kernel reports it."""

    line: int
    at: int
    rising: bool
    number: int
    """Its place among the interrupts of all lines of the request."""
    line_number: int
    """Its place among the reports of its own line."""


class Ordered(Struct, frozen=True, gc=False):
    """An edge in its place, with what may have been lost before it."""

    line: int
    at: int
    rising: bool
    doubt: int = 0
    """How much earlier the line may have changed, its date having been overwritten."""
    after_gap: bool = False
    """Whether reports of this line were dropped just before."""


class MissingNumbers(Struct, frozen=True, gc=False):
    """Numbers that have not come, and the dates between which their edges lie."""

    first: int
    last: int
    since: int | None
    until: int


class EdgeOrder:
    """Puts edges into the order of their numbers, without waiting long for one that is missing.

    A number that stays missing is a date that was overwritten, on an unknown line: it may
    be any whose latest report has a smaller number and whose next one has a larger. It was
    overwritten before that line's thread ran, so it lies no farther back than a thread may be late.
    And a line that reads otherwise than in its report before has changed an odd number of times, so
    a single missing number was not its own.
    """

    def __init__(self, lines: Iterable[int], lateness: Lateness) -> None:
        self._lateness = lateness
        self._next = 1
        self._waiting: dict[int, tuple[list[Numbered], int]] = {}
        self._latest: int | None = None
        self._known: dict[int, tuple[int, int, bool | None]] = dict.fromkeys(lines, (0, 0, None))
        self._holes: list[MissingNumbers] = []
        self._handed = 0

    def take(
        self, edges: Iterable[Numbered], now: int, waited_since: int | None = None
    ) -> list[Ordered]:
        """Accept what was read at `now`, and hand on what is in order by then.

        Where edges were waited for since a moment, those after it tell how late threads run.
        """
        handed = []
        for edge in edges:
            if waited_since is not None and edge.at > waited_since:
                self._lateness.note(now - edge.at)
            if edge.number < self._next:
                self._fill(edge)
                handed.append(self._ordered(edge))
            else:
                self._waiting.setdefault(edge.number, ([], now))[0].append(edge)
        return handed + self._hand_on() + self.give_up(now)

    def give_up(self, now: int) -> list[Ordered]:
        """Hand on what has waited long enough, and take the missing numbers for overwritten."""
        handed: list[Ordered] = []
        while self._waiting:
            oldest, (_, arrived) = next(iter(self._waiting.items()))
            if now - arrived < PATIENCE:
                break
            while self._next <= oldest:
                self._skip_hole()
                handed += self._hand_on()
        return handed

    @property
    def due(self) -> int | None:
        """When to give up on the oldest missing number."""
        if not self._waiting:
            return None
        return next(iter(self._waiting.values()))[1] + PATIENCE

    @property
    def overwritten(self) -> int:
        """How many dates were lost: interrupts that were counted and never reported."""
        return max(0, self._next - 1 - self._handed)

    def _hand_on(self) -> list[Ordered]:
        handed = []
        while self._next in self._waiting:
            edges, _ = self._waiting.pop(self._next)
            self._next += 1
            self._latest = edges[-1].at
            handed += [self._ordered(edge) for edge in edges]
        return handed

    def _skip_hole(self) -> None:
        """Remember what is missing, and go on behind it."""
        number = min(self._waiting)
        until = self._waiting[number][0][-1].at
        if number > self._next:
            self._holes.append(MissingNumbers(self._next, number - 1, self._latest, until))
        self._holes = [hole for hole in self._holes if until - hole.until <= WORST]
        if len(self._holes) > REMEMBERED:
            one, other, *rest = self._holes
            self._holes = [replace(one, last=other.last, until=other.until), *rest]
        self._next = number

    def _fill(self, edge: Numbered) -> None:
        """Take a number out of what is missing that was only late."""
        parts = []
        for hole in self._holes:
            if hole.first <= edge.number <= hole.last:
                parts.append(replace(hole, last=edge.number - 1))
                parts.append(replace(hole, first=edge.number + 1, since=edge.at))
            else:
                parts.append(hole)
        self._holes = [part for part in parts if part.first <= part.last]

    def _ordered(self, edge: Numbered) -> Ordered:
        number, line_number, rising = self._known.get(edge.line, (0, 0, None))
        self._known[edge.line] = (edge.number, edge.line_number, edge.rising)
        between = [hole for hole in self._holes if hole.last > number and hole.first < edge.number]
        missing = sum(
            min(hole.last, edge.number - 1) - max(hole.first, number + 1) + 1 for hole in between
        )
        after_gap = edge.line_number != line_number + 1
        least = 1 if after_gap or rising is None or rising == edge.rising else 2
        doubt, worst = 0, min(self._lateness.bound, WORST)
        if missing >= least and edge.at - between[-1].until <= worst:
            since = between[0].since
            doubt = worst if since is None else min(max(edge.at - since, 0), worst)
        self._handed += 1
        return Ordered(
            line=edge.line,
            at=edge.at,
            rising=edge.rising,
            doubt=doubt,
            after_gap=after_gap,
        )
