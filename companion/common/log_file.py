"""The table's own log: the last warnings, in a file that stays small, for those who help."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path

FILE = "companion.log"
KEPT = 128 * 1024
"""So many bytes, and as many again of what came before."""
SERVERS = "gunicorn.error"
"""The server's log goes its own way, past the root of all logs."""


class LogFile(RotatingFileHandler):
    """Writes what is logged to a file of bounded size; trouble with it stops nothing."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / FILE, maxBytes=KEPT, backupCount=1, encoding="utf-8", delay=True)
        lines = logging.Formatter("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
        lines.converter = time.gmtime  # noqa: TID251 - the label of a line
        self.setFormatter(lines)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Say nothing: the log is of no use where it cannot be written."""

    def write(self, sentence: str) -> None:
        """Write a line that is for the file alone."""
        self.handle(logging.makeLogRecord({"msg": sentence, "levelname": "INFO"}))

    @contextmanager
    def following(self) -> Iterator[LogFile]:
        """Follow everything that this program logs meanwhile."""
        logs = [logging.getLogger(), logging.getLogger(SERVERS)]
        for log in logs:
            log.addHandler(self)
        try:
            yield self
        finally:
            for log in logs:
                log.removeHandler(self)
            self.close()


def tail(folder: Path, lines: int = 200) -> list[str]:
    """Give the last lines of a folder's log."""
    written: list[str] = []
    for name in (f"{FILE}.1", FILE):
        try:
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        written.extend(text.splitlines())
    return written[-lines:]
