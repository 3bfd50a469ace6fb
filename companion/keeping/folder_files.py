"""Every file that any part of the project can leave in a data folder, by what it is.

Forgetting, backups, the support bundle and the test of all of them walk this one list; a file that
is in none of its lines fails that test. A purge removes the folder, and with it all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Literal

FileKind = Literal["journal", "copy", "aside", "scratch", "log", "other"]

FILES: dict[FileKind, tuple[str, ...]] = {
    "journal": ("journal.db", "journal.db-wal", "journal.db-shm", "journal.db-journal"),
    "copy": (
        "backups/daily-*.db*",
        "backups/before-*.db*",
        "backups/asked-*.db*",
        "journal-replaced-*",
        "journal-rescued-*",
    ),
    "aside": ("journal-damaged-*", "snapshot-damaged-*", "journal.db.of-before-*"),
    "scratch": (
        "journal.db.new*",
        "journal.db.back*",
        "restoring-*",
        "backups/*.db.new*",
        "backups/unfinished.db*",
    ),
    "log": ("companion.log", "companion.log.1"),
    "other": (
        "journal.db-head",
        "journal.probe",
        "snapshot.json",
        "snapshot.json.new",
        "past.db*",
        "players-so-far",
        "sessions.*",
        "starts.json*",
        "companion.lock",
        ".doctor-*",
        "editions/*",
        "companion-restored-*.toml",
        "hall*",
        "hall/*",
    ),
}
"""Copies hold names and are written anew, what was kept aside can only be removed, scratch is what
interrupted work leaves; the others hold no name of a player, or are made anew."""


def found(folder: Path, kind: FileKind) -> Iterator[Path]:
    """List what there is of a kind."""
    for pattern in FILES[kind]:
        yield from sorted(folder.glob(pattern))


def kind_of(folder: Path, file: Path) -> FileKind | None:
    """Tell what a file of the data folder is; None for one that the project does not leave."""
    name = str(file.relative_to(folder))
    for kind, patterns in FILES.items():
        if any(fnmatch(name, pattern) for pattern in patterns):
            return kind
    return None
