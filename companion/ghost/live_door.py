"""The ghost's door to a whole service: a real worker and a real journal, at a time that it sets."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.assembly.running import Running
from companion.referee.commands import Command, OpenTable, PassTime
from companion.referee.deadlines import next_deadline
from companion.referee.events import Event
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Table

FRAME = 20 * MILLISECOND
"""How often a watched clock moves."""
LONGEST_PAUSE = 600 * MILLISECOND
"""What takes longer than this is shortened to it, so that nobody has to watch people think."""


class StageClock:
    """A clock that stands still until it is moved, so that ghost and table agree to the tick."""

    def __init__(self, at: int = 1_000 * SECOND) -> None:
        self.at = at

    def ticks(self) -> int:
        """Tell the time."""
        return self.at


class LiveDoor:
    """Speaks to the worker of an open table as a screen and the buttons would."""

    def __init__(
        self,
        clock: StageClock,
        running: Running,
        *,
        watched: bool = False,
        reopen: Callable[[], Running] | None = None,
    ) -> None:
        self._clock = clock
        self._running = running
        self._watched = watched
        self._reopen = reopen

    @property
    def table(self) -> Table:
        """The table as everyone sees it now."""
        return self._running.worker.table

    def now(self) -> int:
        """Tell the table's time."""
        return self._running.worker.now()

    def send(self, command: Command) -> tuple[Event, ...]:
        """Bring a command before the referee; raises what it refuses."""
        return self._running.worker.ask(command).events

    def wait_until(self, at: int) -> None:
        """Let time pass, with everything that falls due in it."""
        pace = max(1, (at - self.now()) // LONGEST_PAUSE)
        while (due := next_deadline(self.table)) is not None and due <= at:
            self._move(due, pace)
            # The worker may have noticed by itself already; then this changes nothing.
            self.send(PassTime())
            if next_deadline(self.table) == due:
                raise AssertionError(f"what was due at {due} stays due after its time was told")
        self._move(at, pace)

    def restart(self) -> OpenTable:
        """Stop the table and start it from its journal; tell with which words it opened."""
        assert self._reopen is not None, "this table cannot be restarted"
        self._running.close()
        self._clock.at += SECOND
        self._running = self._reopen()
        # The service knows only when it last wrote something down, not when it fell silent.
        gaps = self.table.evidence[-1].gaps if self.table.evidence else ()
        since = gaps[-1].since if gaps else None
        return OpenTable(self.table.editions, self.table.timing, since)

    def _move(self, at: int, pace: int) -> None:
        while self._watched and self.now() < at:
            frame = min(FRAME, at - self.now())
            time.sleep(frame / SECOND)
            self._clock.at += min(frame * pace, at - self.now())
        self._clock.at += max(0, at - self.now())
