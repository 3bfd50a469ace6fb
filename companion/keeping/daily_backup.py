"""The backup of the day: made by the open table itself, when people have played and rest."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from companion.common.background import Background
from companion.journal.file import JournalError
from companion.referee.model.presses import SECOND

log = logging.getLogger(__name__)

IDLE = 60 * SECOND
"""After a minute without an event the disk is free."""
BETWEEN = 3 * 3600 * SECOND
"""However often people rest in an evening, its end is kept and not each of its breaks."""
AGAIN = 3600 * SECOND
"""How long to leave a disk alone that could not take a backup."""
LOOK = 10.0
"""Seconds between two looks at whether the table rests."""


class DailyBackup(Background):
    """Watches for a quiet minute, by the clock that cannot be set."""

    farewell = 5.0
    """A backup under way is finished by then, or leaves nothing behind."""

    def __init__(
        self,
        make: Callable[[], object],
        version: Callable[[], int],
        ticks: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        super().__init__("daily backup")
        self._make = make
        self._version = version
        self._ticks = ticks
        self._seen, self._since = version(), ticks()
        self._saved: int | None = None
        self._not_before = ticks()
        self._told = False

    def rest(self) -> None:
        """Leave the machine to the buttons for a moment; called while a backup is checked."""
        self._stop.wait(0.02)

    def look(self) -> None:
        """Make the backup if the table rests and something has happened since the last one."""
        now, version = self._ticks(), self._version()
        if version != self._seen:
            self._seen, self._since = version, now
        if now - self._since < IDLE or now < self._not_before or version == self._saved:
            return
        try:
            self._make()
        except JournalError as trouble:
            self._not_before = now + AGAIN
            if not self._told:
                log.warning("The backup of the day could not be made: %s.", trouble)
            self._told = True
            return
        self._saved, self._not_before, self._told = version, now + BETWEEN, False

    def _run(self) -> None:
        while not self._stop.wait(LOOK):
            try:
                self.look()
            except Exception:
                log.exception("The backup of the day has failed.")
                return
