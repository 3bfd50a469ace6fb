"""Copies the journal before an upgrade, and puts the copy back should the upgrade fail.

Only the standard library is used, because the installer runs this when no version may be working.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

JOURNAL = "journal.db"
PARTS = ("", "-wal", "-shm")
COPIES = "backups"
KEPT = 3


def keep(folder: Path, version: str) -> Path:
    """Copy the journal as it is before this version opens it, and tell where to."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    copy = folder / COPIES / f"before-{version}-{moment}.db"
    copy.parent.mkdir(exist_ok=True)
    try:
        try:
            copy_database(folder / JOURNAL, copy)
        except sqlite3.DatabaseError:
            copy_files(folder / JOURNAL, copy)
        sync(copy)
        sync(copy.parent)
    except OSError:
        forget(copy)
        raise
    for old in sorted(copy.parent.glob("before-*.db"), key=lambda one: one.stat().st_mtime)[:-KEPT]:
        forget(old)
    return copy


def put_back(folder: Path, copy: Path) -> None:
    """Take the copy as the journal again, if the failed version has changed the journal's format.

    What that version made of it is kept beside, under another name.
    """
    journal = folder / JOURNAL
    if journal_format(journal) == journal_format(copy):
        return
    fresh = folder / f"{JOURNAL}.back"
    copy_files(copy, fresh)
    sync(fresh)
    for part in PARTS:
        if beside(journal, part).exists():
            beside(journal, part).rename(beside(folder / f"{JOURNAL}.of-{copy.stem}", part))
    for part in PARTS:
        if beside(fresh, part).exists():
            beside(fresh, part).rename(beside(journal, part))
    sync(folder)


def copy_database(source: Path, target: Path) -> None:
    """Copy through SQLite, which brings what is still in the log along."""
    with (
        closing(sqlite3.connect(source.as_uri() + "?mode=rw", uri=True)) as journal,
        closing(sqlite3.connect(target)) as copy,
    ):
        journal.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE").fetchone()


def copy_files(source: Path, target: Path) -> None:
    """Copy a journal that SQLite cannot read, byte by byte, with its log."""
    for part in PARTS:
        if beside(source, part).exists():
            shutil.copy2(beside(source, part), beside(target, part))


def journal_format(journal: Path) -> int | None:
    """Read the number of the journal's layout; None where there is none to be read."""
    try:
        with closing(sqlite3.connect(journal.as_uri() + "?mode=rw", uri=True)) as connection:
            return int(connection.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError:
        return None


def forget(copy: Path) -> None:
    """Delete a copy that is of no use."""
    for part in PARTS:
        beside(copy, part).unlink(missing_ok=True)


def beside(path: Path, part: str) -> Path:
    """Name the file that belongs to a database, such as its log."""
    return path.with_name(path.name + part)


def sync(path: Path) -> None:
    """Have it on the disk, not only on its way there."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def main() -> None:
    """Do what the installer asks: `keep FOLDER VERSION` or `put-back FOLDER COPY`."""
    try:
        match sys.argv[1:]:
            case ["keep", folder, version]:
                sys.stdout.write(f"{keep(Path(folder), version)}\n")
            case ["put-back", folder, copy]:
                put_back(Path(folder), Path(copy))
            case _:
                sys.exit("Usage: journal_copy.py keep FOLDER VERSION | put-back FOLDER COPY")
    except OSError as trouble:
        sys.exit(f"{trouble.filename}: {trouble.strerror}.")


if __name__ == "__main__":
    main()
