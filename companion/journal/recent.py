"""The latest table that is on disk, and the events that led to it lately."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice

from companion.referee.events import Event
from companion.referee.model.table import Table

KEPT = 1_024
"""So many events back it is known what changed."""


class Recent:
    """What any thread may read: a table, and how it came to be."""

    def __init__(self, table: Table, events: Iterable[Event]) -> None:
        self.table = table
        self._events: deque[Event] = deque(events, maxlen=KEPT)
        self._lock = threading.Lock()

    def take_on(self, table: Table, events: Sequence[Event]) -> None:
        """Go on to a later table."""
        with self._lock:
            self.table = table
            self._events.extend(events)

    def begin_anew(self, table: Table, events: Sequence[Event]) -> None:
        """Take the past as it is told from now on."""
        with self._lock:
            self.table = table
            self._events.clear()
            self._events.extend(events)

    def since(self, version: int) -> tuple[Event, ...] | None:
        """Give what came after a version; None when that is too long ago, or was never here."""
        with self._lock:
            missed = self.table.version - version
            if not 0 <= missed <= len(self._events):
                return None
            return tuple(islice(self._events, len(self._events) - missed, None))
