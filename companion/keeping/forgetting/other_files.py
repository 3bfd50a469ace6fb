"""The other files of a data folder that may hold what is forgotten: copies, leftovers, the log."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from companion.common.log_file import FILE as LOG
from companion.journal.file import JournalDamaged, companions, reader, sync
from companion.journal.opening import JOURNAL, SNAPSHOT
from companion.keeping import backups
from companion.keeping.forgetting.names import Renaming
from companion.keeping.forgetting.plan import Plan, zone_of

SCRATCH = (f"{JOURNAL}.new*", f"{SNAPSHOT}.new", "restoring-*", f"{backups.FOLDER}/*.db.new*")
"""What an interrupted piece of work leaves; only who holds the folder may take it away."""
DAMAGED = ("journal-damaged-*", "snapshot-damaged-*")


def held(copy: Path, plan: Plan) -> bool:
    """Tell whether a backup holds any of what is forgotten."""
    if copy.stat().st_size == 0:
        raise JournalDamaged("the file is empty")
    with closing(reader(copy, still=True)) as connection:
        return zone_of(connection, plan) is not None or bool(plan.renaming(connection))


def damaged_copies(folder: Path) -> list[Path]:
    """List what was kept aside because it was damaged; nobody can tell what is in it."""
    return sorted(file for pattern in DAMAGED for file in folder.glob(pattern))


def drop(folder: Path, names: Iterable[str]) -> None:
    """Remove these copies, with what SQLite keeps beside them."""
    for name in names:
        for place in (folder, folder / backups.FOLDER):
            for file in companions(place / name):
                file.unlink(missing_ok=True)
            sync(place)


def sweep(folder: Path) -> None:
    """Take away what interrupted work has left."""
    for pattern in (*SCRATCH, f"{backups.FOLDER}/{backups.UNFINISHED}*"):
        for left in folder.glob(pattern):
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)


def scrub_logs(folder: Path, renaming: Renaming) -> None:
    """Write the table's log without the names; it is written in place, where it goes on."""
    for name in (LOG, f"{LOG}.1"):
        try:
            with (folder / name).open("r+", encoding="utf-8", errors="replace") as file:
                text = file.read()
                plain = renaming.logged(text)
                if plain != text:
                    file.seek(0)
                    file.write(plain)
                    file.truncate()
        except FileNotFoundError:
            continue
