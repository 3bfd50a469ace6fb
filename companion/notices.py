"""Notices of presses: lamps and screens show at once that a hand landed, whatever the disk does."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from msgspec import Struct

from companion.listeners import Leave, Listeners
from companion.referee.presses import Source


class PressNotice(Struct, frozen=True):
    """A push was seen; nothing is decided by it yet, and it may be shown but not counted."""

    button: int | None
    seat: int | None
    at: int
    source: Source


class Notices:
    """Passes notices on from its own thread, so that neither buttons nor the disk wait for it."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[PressNotice | None] = queue.SimpleQueue()
        self._listeners: Listeners[[PressNotice]] = Listeners()
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)

    def start(self) -> None:
        """Begin to pass notices on."""
        self._thread.start()

    def tell(self, notice: PressNotice) -> None:
        """Hand a notice over and go on at once."""
        self._queue.put(notice)

    def listen(self, listener: Callable[[PressNotice], None]) -> Leave:
        """Add a listener."""
        return self._listeners.join(listener)

    def close(self) -> None:
        """Stop after what was already told."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=2)

    def _run(self) -> None:
        while (notice := self._queue.get()) is not None:
            self._listeners.tell(notice)
