"""Work beside the table: a thread of its own, which ends when it is asked to."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod


class Background(ABC):
    """Something that goes on until it is closed; it rests on `_stop`, and so wakes at once."""

    farewell: float | None = None
    """Seconds that closing waits for it at most, where it can be left alone in the middle."""

    def __init__(self, name: str) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Stop, wherever it is."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(self.farewell)

    def wait(self) -> None:
        """Wait until it is done by itself."""
        self._thread.join()

    @abstractmethod
    def _run(self) -> None: ...
