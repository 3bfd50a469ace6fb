"""The kernel's own order of edges, and what its numbers tell about dates that were overwritten.

For lines that are requested together the kernel counts every interrupt in the moment it comes, but
reports an edge only when the line's thread runs. A second edge that comes before that replaces the
first one's date, and its number is the only trace: the number before it never arrives. An edge
that comes while the thread runs can lend its number to the one before, so a number may come twice.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

MILLISECOND = 1_000_000

PATIENCE = 3 * MILLISECOND
"""How long a missing number may still be on its way from another line's thread."""
LATEST_THREAD = 20 * MILLISECOND
"""How late a line's thread may be, as long as this machine has not shown better or worse."""
WORST = 100 * MILLISECOND
"""More than this is no doubt about a date but a push that is missing."""
PROVEN = 200
"""After so many edges without a late one, threads are taken to be as prompt as they were."""


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


class EdgeOrder:
    """Puts edges into the order of their numbers, without waiting long for one that is missing.

    A number that stays missing is a date that was overwritten, on a line that nobody can tell. Its
    thread has run by the time the hole is seen, or soon after, so the lines that report an edge
    until then are suspected. How soon is soon, the machine shows: it is strict only where no number
    has come late for a while.
    """

    def __init__(self, lines: Iterable[int], patience: int = PATIENCE) -> None:
        self._patience = patience
        self._next = 1
        self._waiting: dict[int, tuple[list[Numbered], int]] = {}
        self._latest: int | None = None
        self._line_numbers = dict.fromkeys(lines, 0)
        self._suspects: dict[int, tuple[int | None, int]] = {}
        self._hole_seen_at = 0
        self._late_by = LATEST_THREAD
        self._prompt = 0
        self.overwritten = 0

    def take(self, edges: Iterable[Numbered], now: int) -> list[Ordered]:
        """Accept what was read at `now`, and hand on whatever is in order by then."""
        handed = []
        for edge in edges:
            self._prompt += 1
            if edge.number < self._next:
                self._came_late(now)
                handed.append(self._ordered(edge, now))
            else:
                self._waiting.setdefault(edge.number, ([], now))[0].append(edge)
        return handed + self._hand_on() + self.give_up(now)

    def give_up(self, now: int) -> list[Ordered]:
        """Hand on what has waited long enough, and take the missing numbers for overwritten."""
        handed: list[Ordered] = []
        while self._waiting:
            oldest, (_, arrived) = next(iter(self._waiting.items()))
            if now - arrived < self._patience:
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
        return next(iter(self._waiting.values()))[1] + self._patience

    @property
    def suspicion(self) -> int:
        """How long after a hole was seen its line may still report."""
        return self._patience if self._prompt >= PROVEN else self._late_by

    def _hand_on(self) -> list[Ordered]:
        handed = []
        while self._next in self._waiting:
            edges, arrived = self._waiting.pop(self._next)
            self._next += 1
            self._latest = edges[-1].at
            handed += [self._ordered(edge, arrived) for edge in edges]
        return handed

    def _skip_hole(self) -> None:
        """Suspect every line of having lost a date, until its next edge or until too late."""
        number = min(self._waiting)
        _, seen_at = self._waiting[number]
        until = seen_at + self.suspicion
        for line in self._line_numbers:
            since, over = self._suspects.get(line, (self._latest, 0))
            self._suspects[line] = (since if over >= seen_at else self._latest, until)
        self._hole_seen_at = seen_at
        self.overwritten += number - self._next
        self._next = number

    def _came_late(self, now: int) -> None:
        """Remember that a number was still on its way when it had been given up."""
        late_by = now - self._hole_seen_at
        self._late_by = max(LATEST_THREAD, min(2 * late_by, WORST))
        self._prompt = 0
        self.overwritten = max(0, self.overwritten - 1)

    def _ordered(self, edge: Numbered, arrived: int) -> Ordered:
        since, until = self._suspects.pop(edge.line, (edge.at, 0))
        doubt = 0
        if arrived <= until:
            doubt = WORST if since is None else min(max(edge.at - since, 0), WORST)
        known = self._line_numbers.get(edge.line, 0)
        self._line_numbers[edge.line] = edge.line_number
        return Ordered(
            line=edge.line,
            at=edge.at,
            rising=edge.rising,
            doubt=doubt,
            after_gap=edge.line_number != known + 1,
        )
