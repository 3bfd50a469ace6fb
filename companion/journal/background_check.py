"""The slow check of the past: a start trusts the snapshot, so what lies before it is read later."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.journal.chain import GENESIS, check_receipts, check_rows
from companion.journal.file import JournalDamaged, JournalError, reader

log = logging.getLogger(__name__)

CHUNK = 200
"""So many events are checked in one go, which keeps SQLite's log from growing meanwhile."""
IDLE_SHARE = 9
"""It rests nine times as long as it works, because the buttons come first."""


class BackgroundCheck:
    """Follows the chain from the very first event, gently, on a thread of its own."""

    def __init__(
        self,
        path: Path,
        up_to: int,
        report: Callable[[str], None],
        idle_share: float = IDLE_SHARE,
    ) -> None:
        self._path = path
        self._up_to = up_to
        self._report = report
        self._idle_share = idle_share
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="history check", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def close(self) -> None:
        """Stop reading, wherever it is."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def wait(self) -> None:
        """Wait until all of the past was read."""
        self._thread.join()

    def _run(self) -> None:
        try:
            self._follow()
        except JournalDamaged as damage:
            sentence = (
                f"An earlier part of the journal was found damaged: {damage}. "
                "The table goes on, and nothing was deleted."
            )
            log.error("%s", sentence)
            self._report(sentence)
        except JournalError as trouble:
            log.warning("The past could not be checked: %s.", trouble)

    def _follow(self) -> None:
        connection = reader(self._path)
        try:
            version, seal = 0, GENESIS
            while version < self._up_to and not self._stop.is_set():
                began = time.perf_counter()
                before = version
                commands: dict[str, int] = {}
                for row in check_rows(connection, version, seal, version + CHUNK):
                    version, seal = row.version, row.hash
                    if row.command is not None:
                        commands[row.command] = version
                if version == before:
                    raise JournalDamaged(f"event {version + 1} is missing")
                check_receipts(connection, commands)
                spent = time.perf_counter() - began
                self._stop.wait(self._idle_share * max(0.001, spent))
        finally:
            connection.close()
