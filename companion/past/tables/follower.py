"""Follows the journal in the background, so that questions about the past need not wait."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from companion.common.background import Background
from companion.journal.file import JournalError
from companion.past.tables.read_model import ReadModel

log = logging.getLogger(__name__)

INTERVAL = 5.0
"""So many seconds after something was written the tables have it too."""
IDLE_SHARE = 4
"""It rests four times as long as it works, because the buttons come first."""


class PastFollower(Background):
    """Lets the read model catch up a moment after something was written."""

    def __init__(
        self, model: ReadModel, version: Callable[[], int], interval: float = INTERVAL
    ) -> None:
        super().__init__("past follower")
        self._model = model
        self._version = version
        self._interval = interval

    def close(self) -> None:
        """Stop, wherever it is, and close the read model."""
        super().close()
        self._model.close()

    def _run(self) -> None:
        while not self._stop.wait(self._interval):
            if self._model.place.position == self._version():
                continue
            try:
                self._catch_up()
            except JournalError as trouble:
                log.warning("The past could not be followed: %s.", trouble)
            except Exception:
                log.exception("The past could not be followed.")
                return

    def _catch_up(self) -> None:
        done = False
        while not done:
            began = time.perf_counter()
            done = self._model.step()
            if self._stop.wait(IDLE_SHARE * (time.perf_counter() - began)):
                return
