"""Salvage: what is whole of a damaged journal, from its first event up to the damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.journal.chain import GENESIS, Head, Row, check_rows, read_head, write_rows
from companion.journal.file import JournalError, reader


class Salvage:
    """Pours the whole part of a damaged journal into a new one."""

    def __init__(self, damaged: Path) -> None:
        self.damaged = damaged
        self.events = 0

    def pour(self, fresh: sqlite3.Connection) -> None:
        """Copy the commands before the damage as they are, so that their seals stay the same."""
        try:
            old = reader(self.damaged, known=False)
        except (JournalError, OSError):
            return
        try:
            # One spoiled line of the file's own table of contents must not hide all the others.
            old.execute("PRAGMA writable_schema = ON")
            for command in _whole_commands(check_rows(old, 0, GENESIS, mending=True), _end(old)):
                last = command[-1]
                head = Head(last.version, last.hash, last.at)
                write_rows(fresh, command, head)
                self.events = last.version
        finally:
            old.close()


def _end(old: sqlite3.Connection) -> int | None:
    """Tell with which event the journal should end, where it still says so."""
    try:
        return read_head(old).version
    except JournalError:
        return None


def _whole_commands(rows: Iterator[Row], end: int | None) -> Iterator[list[Row]]:
    """Group rows by the command that made them, without one that the damage has cut short."""
    command: list[Row] = []
    try:
        for row in rows:
            if command and row.part == 0:
                yield command
                command = []
            command.append(row)
    except JournalError:
        return
    if command and end in (None, command[-1].version):
        yield command
