"""Where tonight begins in a table's journal: a hall is told nothing of the nights before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.common.clock import label, milliseconds
from companion.journal.chain import read_head, read_seal
from companion.journal.file import JournalError, reader
from companion.journal.opening import JOURNAL

REST = 6 * 3600 * 1000
"""Milliseconds without anything that lie between two nights."""
MOMENTS = "SELECT version, moment FROM events WHERE moment IS NOT NULL ORDER BY version DESC"


def before_tonight(folder: Path) -> tuple[int, str]:
    """Tell the last event before tonight, and its seal; 0 where there is none."""
    if not (folder / JOURNAL).exists():
        return 0, ""
    try:
        with closing(reader(folder / JOURNAL)) as journal:
            version = _before(journal, milliseconds(label()))
            seal = read_seal(journal, version)
    except JournalError:
        return 0, ""
    return version, "" if seal is None or not version else seal.hex()


def _before(journal: sqlite3.Connection, now: int) -> int:
    """Go back to the latest rest; where the clock was put back meanwhile, there was none."""
    first, later = read_head(journal).version + 1, now
    for version, moment in journal.execute(MOMENTS):
        if later - moment > REST:
            return first - 1
        first, later = version, moment
    return 0
