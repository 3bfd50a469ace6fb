"""The mailbox between the table and the home: putting something in never waits.

Of the table only the latest counts; rulings wait in order, and when too many do, the oldest go.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence

from msgspec import Struct

from companion.home.happenings import MOMENTS, RULINGS
from companion.referee.events import Event
from companion.referee.model.table import Table

RULINGS_KEPT = 256
MOMENTS_KEPT = 64
"""These are of no use a moment later, so the oldest may go unmissed."""


class EventToTell(Struct, frozen=True):
    """An event worth telling, with the table after it."""

    number: int
    event: Event
    table: Table
    at: float


class Mailbox:
    """Filled by the worker's thread, emptied by the bridge's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._last: Table | None = None
        self._anew = False
        self._rulings: deque[EventToTell] = deque()
        self._moments: deque[EventToTell] = deque(maxlen=MOMENTS_KEPT)
        self._number = 0
        self.dropped = 0
        """How many rulings were never sent."""

    def put(self, table: Table, events: Sequence[Event]) -> None:
        """Leave the latest table and what happened."""
        now = time.monotonic()
        with self._lock:
            last, self._last, self._table = self._last, table, table
            if last is not None and last is not table and last.version == table.version:
                self._forget()
            for event in events:
                if isinstance(event, RULINGS):
                    if len(self._rulings) >= RULINGS_KEPT:
                        self._rulings.popleft()
                        self.dropped += 1
                    self._rulings.append(self._news(event, table, now))
                elif isinstance(event, MOMENTS):
                    self._moments.append(self._news(event, table, now))

    def take(self) -> tuple[Table | None, list[EventToTell], bool]:
        """Take everything out, what happened in its order; no table means no change.

        The last value tells that something was forgotten, so what waits elsewhere must go too.
        """
        with self._lock:
            table, self._table = self._table, None
            anew, self._anew = self._anew, False
            news = [*self._rulings, *self._moments]
            self._rulings.clear()
            self._moments.clear()
        return table, sorted(news, key=lambda one: one.number), anew

    def __len__(self) -> int:
        """Count what waits."""
        return len(self._rulings) + len(self._moments)

    def _forget(self) -> None:
        """Drop what waits: a table that changed without an event has forgotten something."""
        self._rulings.clear()
        self._moments.clear()
        self._anew = True

    def _news(self, event: Event, table: Table, at: float) -> EventToTell:
        self._number += 1
        return EventToTell(self._number, event, table, at)
