"""What can be taken away from a running table as a file, one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping


class NotMade(Exception):
    """The file could not be made, for the reason that the sentence gives."""


class DownloadBusy(Exception):
    """Another file is being made."""


class Downloads:
    """Makes one file at a time, so that nobody can keep the machine busy with many."""

    def __init__(self, ways: Mapping[str, Callable[[], bytes]]) -> None:
        self._ways = ways
        self._lock = threading.Lock()

    def make(self, name: str) -> bytes:
        """Make the file of this name."""
        way = self._ways.get(name)
        if way is None:
            raise NotMade("This table has no such file.")
        if not self._lock.acquire(blocking=False):
            raise DownloadBusy
        try:
            return way()
        finally:
            self._lock.release()
