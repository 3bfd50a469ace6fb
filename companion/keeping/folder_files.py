"""Every file that any part of the project can leave in a data folder, by what it is.

Forgetting, backups, the support bundle and the test of all of them walk this one list; a file that
is in none of its lines fails that test. A purge removes the folder, and with it all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

HALL, HOSTED = "hall", "tables"
"""A hall has its folder in that of the table, and the tables that it hosts have theirs in it."""
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
        "hall.json*",
        "hall.pem*",
        "broker/*",
    ),
}
"""Copies hold names and are written anew, what was kept aside can only be removed, scratch is what
interrupted work leaves; the others hold no name of a player, or are made anew."""


def found(folder: Path, kind: FileKind) -> Iterator[Path]:
    """List what there is of a kind."""
    for pattern in FILES[kind]:
        yield from sorted(folder.glob(pattern))


def places(folder: Path) -> list[Path]:
    """Name every folder with a journal of its own: the table's, a hall's, and those it hosts."""
    inside = [
        folder,
        folder / HALL,
        *folder.glob(f"{HOSTED}/*"),
        *folder.glob(f"{HALL}/{HOSTED}/*"),
    ]
    return [place for place in inside if place.is_dir()]


def free_name(path: Path) -> Path:
    """Give a name beside this one that no file has yet."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free
