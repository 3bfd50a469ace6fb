"""The other files of a data folder that may hold what is forgotten: copies, leftovers, the log."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from companion.common.log_file import FILE as LOG
from companion.common.spellings import spellings
from companion.common.whole_file import sync
from companion.journal.file import JournalDamaged, change_copy, companions, reader
from companion.keeping import backups
from companion.keeping.folder_files import found
from companion.keeping.forgetting.erasing import erase, holds
from companion.keeping.forgetting.plan import ForgettingPlan


def held(copy: Path, plan: ForgettingPlan) -> bool:
    """Tell whether a backup holds any of what is forgotten."""
    if copy.stat().st_size == 0:
        raise JournalDamaged("the file is empty")
    with closing(reader(copy, still=True)) as connection:
        return holds(connection, plan)


def erase_from_copy(copy: Path, plan: ForgettingPlan, when: str) -> None:
    """Take what is forgotten out of a backup, which stays as old as it was."""
    before = copy.stat()
    change_copy(copy, lambda connection: erase(connection, plan, when))
    os.utime(copy, ns=(before.st_atime_ns, before.st_mtime_ns))
    sync(copy.parent)


def damaged_copies(folder: Path) -> list[Path]:
    """List what was kept aside, damaged or of a failed version; its names cannot be told."""
    return sorted(found(folder, "aside"))


def drop(folder: Path, names: Iterable[str]) -> None:
    """Remove these copies, with what SQLite keeps beside them."""
    for name in names:
        for place in (folder, folder / backups.FOLDER):
            for file in companions(place / name):
                file.unlink(missing_ok=True)
            sync(place)


def sweep(folder: Path) -> None:
    """Take away what interrupted work has left."""
    for left in found(folder, "scratch"):
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def scrub_logs(folder: Path, plan: ForgettingPlan) -> None:
    """Write the table's log without the names; it is written in place, where it goes on."""
    for name in (LOG, f"{LOG}.1"):
        try:
            with (folder / name).open("r+", encoding="utf-8", errors="replace") as file:
                text = file.read()
                plain = _scrubbed(text, plan)
                if plain != text:
                    file.seek(0)
                    file.write(plain)
                    file.truncate()
        except FileNotFoundError:
            continue


def _scrubbed(text: str, plan: ForgettingPlan) -> str:
    """Write a log without the names, which programs write in their own ways.

    A name that stays may have a forgotten one in it, so it is looked for as well.
    """
    ways = {way.casefold(): name for name in plan.known for way in spellings(name)}
    some = "|".join(map(re.escape, sorted(ways, key=len, reverse=True))) or r"(?!)"

    def instead(found: re.Match[str]) -> str:
        name = ways.get(found[0].casefold())
        replaced = found[0] if name is None else plan.instead(name)
        return found[0] if replaced == name else replaced

    return re.sub(rf"(?<!\w)(?:{some})(?!\w)", instead, text, flags=re.IGNORECASE)
