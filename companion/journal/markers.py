"""Markers: lines beside the journal that outlive it, each with its own seal.

One tells how far the journal had come. A log that lost its end, or a card that lied about saving,
leaves a journal that is whole and too short. The line is written after each commit and not waited
for: it may lag behind the journal, and never tells of an event that was not saved.

The other tells the highest number that any player ever had in this data folder. Phones and
statistics hang on these numbers, so none is given twice, not even by a journal that was begun
anew or taken from a backup.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from pathlib import Path

log = logging.getLogger(__name__)

PLAYERS = "players-so-far"


class HeadMarker:
    """The line of how far the journal has come, kept open for writing."""

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
    """Tell where the head marker of a journal stands."""
    return journal.with_name(journal.name + "-head")


def heard(journal: Path) -> int:
    """Tell how far this very journal had come; 0 where that is not known.

    A journal that was put in place of another, such as a backup, is not the one that is meant.
    """
    try:
        return _read(place(journal), journal.stat().st_ino)
    except OSError:
        return 0


def players_so_far(folder: Path) -> int:
    """Tell the highest number that any player ever had in this data folder; 0 if unknown."""
    return _read(folder / PLAYERS, 0)


def note_players(folder: Path, highest: int) -> None:
    """Write down the highest number of a player, if it is a new one; trouble harms nothing."""
    if highest <= players_so_far(folder):
        return
    try:
        handle = os.open(folder / PLAYERS, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            os.pwrite(handle, _line(highest, 0), 0)
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as trouble:
        log.warning("The highest number of a player could not be noted: %s.", trouble)


def _read(path: Path, file: int) -> int:
    try:
        line = path.read_bytes()
        number = int(line.split()[0])
        return number if line == _line(number, file) else 0
    except (OSError, ValueError, IndexError):
        return 0


def _line(number: int, file: int) -> bytes:
    """Write a line of always the same length, so that a shorter one never ends in an older one."""
    numbers = f"{number:020} {file:020}"
    return f"{numbers} {hashlib.sha256(numbers.encode()).hexdigest()}\n".encode()
