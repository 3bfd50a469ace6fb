"""The ghost's door to a whole service: a real worker and a real journal, at a time that it sets."""

from __future__ import annotations

from collections.abc import Callable

from companion.assembly.running import Running
from companion.demo.live import StageClock
from companion.referee.commands import Command, OpenTable, PassTime
from companion.referee.deadlines import next_deadline
from companion.referee.events import Event
from companion.referee.model.presses import SECOND
from companion.referee.model.table import Table


class LiveDoor:
    """Speaks to the worker of an open table as a screen and the buttons would."""

    def __init__(self, clock: StageClock, reopen: Callable[[], Running]) -> None:
        self._clock = clock
        self._reopen = reopen
        self._running = reopen()

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
        while (due := next_deadline(self.table)) is not None and due <= at:
            self._move(due)
            # The worker may have noticed by itself already; then this changes nothing.
            self.send(PassTime())
            if next_deadline(self.table) == due:
                raise AssertionError(f"what was due at {due} stays due after its time was told")
        self._move(at)

    def restart(self) -> OpenTable:
        """Stop the table and start it from its journal; tell with which words it opened."""
        self._running.close()
        self._clock.at += SECOND
        self._running = self._reopen()
        # The service knows only when it last wrote something down, not when it fell silent.
        gaps = self.table.evidence[-1].gaps if self.table.evidence else ()
        since = gaps[-1].since if gaps else None
        return OpenTable(self.table.editions, self.table.timing, since)

    def _move(self, at: int) -> None:
        self._clock.at += max(0, at - self.now())
