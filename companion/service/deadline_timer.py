"""The deadline timer: when the worker has to pass time by itself, and when it had better wait."""

from __future__ import annotations

from companion.referee.deadlines import next_deadline
from companion.referee.model.presses import SECOND
from companion.referee.model.table import Table
from companion.service.batch import STALL

RETRY = 1 * SECOND
"""How long to wait after trouble or a mistake before time is passed or the disk is tried again."""
LONGEST_WAIT = 5 * SECOND
"""Also an idle table looks so often whether its journal is still there."""


class DeadlineTimer:
    """Knows until when nothing is due at a table."""

    def __init__(self) -> None:
        self._not_before = 0
        self._put_off = 0
        """The deadline that was put off because it was met too late."""

    def rest(self, now: int) -> None:
        """Let nothing be due for a while, after trouble or a mistake."""
        self._not_before = now + RETRY

    def seconds_left(self, table: Table, now: int, *, in_trouble: bool) -> float:
        """Tell for how many seconds nothing is due; in trouble the disk is tried again then."""
        until = now + LONGEST_WAIT
        deadline = next_deadline(table)
        if deadline is not None:
            until = min(until, max(deadline, self._not_before))
        if in_trouble:
            until = min(until, self._not_before)
        return max(0.001, (until - now) / SECOND)

    def is_due(self, table: Table, now: int) -> bool:
        """Tell whether time has to be passed at the table now."""
        deadline = next_deadline(table)
        if deadline is None or now < max(deadline, self._not_before):
            return False
        if now - deadline > STALL and self._put_off != deadline:
            # The whole program stood still, so presses from before may still be on their way.
            self._put_off, self._not_before = deadline, now + STALL
            return False
        # Should passing time change nothing, by some mistake, it is not tried in a circle.
        self._not_before = now + RETRY // 20
        return True
