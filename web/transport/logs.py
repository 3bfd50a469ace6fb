"""Bad traffic may not fill the log: at most one line a second, and a count of what was left out."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable


class OneLineASecond(logging.Filter):
    """Lets one record a second through, without its traceback, and counts the rest."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._open_at = 0.0
        self._left_out = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Decide on one record; a critical one never comes from a stranger."""
        if record.levelno >= logging.CRITICAL:
            return True
        with self._lock:
            now = self._clock()
            if now < self._open_at:
                self._left_out += 1
                return False
            self._open_at = now + 1.0
            left_out, self._left_out = self._left_out, 0
        line = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            line = f"{line}: {type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        more = f" (and {left_out} more lines like it)" if left_out else ""
        record.msg = line.replace("\n", " ").replace("\r", " ")[:500] + more
        record.args = ()
        record.exc_info = None
        record.exc_text = None
        return True


_together = OneLineASecond()


def traffic_log(name: str) -> logging.Logger:
    """A log for what strangers can cause as often as they like; all such logs share the second."""
    log = logging.getLogger(name)
    log.addFilter(_together)
    return log


def tell_of_threads(log: logging.Logger) -> None:
    """Let a thread that fails be told in one line of this log."""

    def log_failure(failure: threading.ExceptHookArgs) -> None:
        name = failure.thread.name if failure.thread else "unknown"
        if failure.exc_value is not None:
            log.error("The thread %s ended", name, exc_info=failure.exc_value)

    threading.excepthook = log_failure
