"""The head marker: a line beside the journal that tells how far it had come.

A log that lost its end, or a card that lied about saving, leaves a journal that is whole and too
short. The line is written after each commit and not waited for: it may lag behind the journal,
and never tells of an event that was not saved.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from pathlib import Path

log = logging.getLogger(__name__)


class HeadMarker:
    """The one line, kept open for writing."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._path = place(journal)
        self._handle: int | None = None

    def note(self, version: int) -> None:
        """Write down that the journal has come this far; trouble harms nothing."""
        try:
            if self._handle is None:
                self._handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
            os.pwrite(self._handle, _line(version, self._journal.stat().st_ino), 0)
        except OSError as trouble:
            log.debug("How far the journal has come could not be noted: %s.", trouble)
            self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                os.close(self._handle)
            self._handle = None


def place(journal: Path) -> Path:
    """Tell where the witness of a journal stands."""
    return journal.with_name(journal.name + "-head")


def heard(journal: Path) -> int:
    """Tell how far this very journal had come; 0 where nobody knows.

    A journal that was put in place of another, such as a backup, is not the one that is meant.
    """
    try:
        line = place(journal).read_bytes()
        version = int(line.split()[0])
        return version if line == _line(version, journal.stat().st_ino) else 0
    except (OSError, ValueError, IndexError):
        return 0


def _line(version: int, file: int) -> bytes:
    """Write a line of always the same length, so that a shorter one never ends in an older one."""
    said = f"{version:020} {file:020}"
    return f"{said} {hashlib.sha256(said.encode()).hexdigest()}\n".encode()
