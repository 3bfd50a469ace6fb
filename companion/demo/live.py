"""A table that can be watched: its time is moved on by the steps that are played at it."""

from __future__ import annotations

from collections.abc import Callable

from companion.assembly.running import Running
from companion.demo.playing import due_by
from companion.demo.steps import TimedCommand
from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Table

FRAME = 20 * MILLISECOND
"""How often a watched clock moves."""
LONGEST_PAUSE = 600 * MILLISECOND
"""Thinking that takes longer is shortened to this."""
SCORE_IS_READ = 2 * SECOND
"""How long a round's result is shown before play goes on."""


class StageClock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: int = 1_000 * SECOND) -> None:
        self.at = at

    def ticks(self) -> int:
        """Tell the time."""
        return self.at


class LiveTable:
    """Carries out steps at an open table, at a pace to watch or as fast as they are saved."""

    def __init__(
        self, clock: StageClock, running: Running, sleep: Callable[[float], None] | None
    ) -> None:
        self._clock = clock
        self._worker = running.worker
        self._sleep = sleep
        """Lets so many real seconds pass; None where the match is not watched."""

    @property
    def table(self) -> Table:
        """The table as everyone sees it now."""
        return self._worker.table

    @property
    def now(self) -> int:
        """Tell the table's time."""
        return self._worker.now()

    def carry_out(self, step: TimedCommand) -> Table:
        """Let time pass with everything that falls due in it, then bring the step to the worker."""
        pace = self._pace(step)
        while (due := due_by(step.at, self.table)) is not None:
            self._move(due, pace)
            # The worker may have noticed by itself already; then this changes nothing.
            self._worker.ask(c.PassTime())
        self._move(step.at, pace)
        self._worker.ask(step.command)
        return self.table

    def _pace(self, step: TimedCommand) -> float:
        """Tell how much faster than life the time until a step goes by; hands are never hurried."""
        if isinstance(step.command, c.PushButton | c.Release):
            return 1.0
        between = isinstance(step.command, c.Deal | c.CloseMatch)
        return max(1.0, (step.at - self.now) / (SCORE_IS_READ if between else LONGEST_PAUSE))

    def _move(self, at: int, pace: float) -> None:
        while self._sleep is not None and self.now < at:
            self._sleep(min(FRAME, (at - self.now) / pace) / SECOND)
            self._clock.at += min(round(FRAME * pace), at - self.now)
        self._clock.at += max(0, at - self.now)
