"""The request queue: the one way to the worker, open until the table is closed."""

from __future__ import annotations

import queue
import threading

from companion.common.refusals import service_refusal
from companion.referee.sentences import Refusal
from companion.service.request import Request

BATCH = 64
"""So many errands share one transaction at most."""
MOST_WAITING = 1_000
"""Beyond this, screens are asked to try again; buttons are always heard."""


class RequestQueue:
    """Any thread puts in, the worker takes out."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False

    def __len__(self) -> int:
        return self._queue.qsize()

    def put(self, errand: Request) -> Refusal | None:
        """Queue an errand, or say why not; only one that somebody waits for can be turned away."""
        with self._gate:
            if self._closed:
                return service_refusal("stopping")
            if errand.answer is not None and len(self) >= MOST_WAITING:
                return service_refusal("busy", waiting=len(self))
            self._queue.put(errand)
            return None

    def close(self) -> bool:
        """Let nothing more in; tells whether it was open."""
        with self._gate:
            was_open, self._closed = not self._closed, True
            if was_open:
                self._queue.put(None)
            return was_open

    def take(self, patience: float) -> tuple[list[Request], bool]:
        """Wait for errands, and tell whether there may be more of them after these."""
        errands: list[Request] = []
        try:
            errand = self._queue.get(timeout=patience)
            while errand is not None:
                errands.append(errand)
                if len(errands) == BATCH:
                    return errands, True
                errand = self._queue.get_nowait()
        except queue.Empty:
            return errands, True
        return errands, False
