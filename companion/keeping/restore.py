"""Going back: a backup becomes the journal again, and the journal that was there is kept aside."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from msgspec import Struct

from companion.common.clock import compact, label
from companion.common.whole_file import sync
from companion.journal.file import (
    JournalError,
    JournalOfAnotherVersion,
    change_copy,
    create,
    put_in_place,
)
from companion.journal.folder_lock import hold_folder
from companion.journal.notes import new_identity, write_notes
from companion.journal.opening import JOURNAL
from companion.keeping import backups
from companion.keeping.archive import CONFIGURATION, NoArchive, is_archive, unpack
from companion.keeping.backups import Contents, contents, copy
from companion.keeping.folder_files import free_name
from companion.settings.edition_file import FOLDER as EDITIONS


class CannotRestore(Exception):
    """This file does not become the journal, and nothing was changed."""

    exit_code = 2


class Restored(Struct, frozen=True):
    """What was done."""

    contents: Contents
    kept: Path | None
    """Where the journal is that was there before."""
    configuration: Path | None
    """Where the configuration is that came along; only a person can say which one holds."""


def find(folder: Path, wanted: str) -> Path:
    """Find a backup by the name that the list gives it, or a file by its path."""
    for backup in backups.listed(folder):
        if backup.path.name == wanted:
            return backup.path
    if not Path(wanted).is_file():
        raise CannotRestore(f"There is no backup {wanted}; `companion restore` lists them.")
    return Path(wanted)


def restore(folder: Path, source: Path) -> Restored:
    """Take a backup, or everything in one file, as the table's own; the table must be closed.

    It is checked from its first event to its last before anything is touched.
    """
    if not source.is_file():
        raise CannotRestore(f"There is no file {source}.")
    with hold_folder(folder), tempfile.TemporaryDirectory(dir=folder, prefix="restoring-") as place:
        scratch = Path(place)
        journal = _unpacked(source, scratch) if is_archive(source) else source
        inside = _checked(source, journal)
        stamp = compact(label())
        try:
            kept = _put_journal(folder / JOURNAL, _copied(journal, folder / JOURNAL), stamp)
            _put_editions(folder / EDITIONS, scratch / EDITIONS, stamp)
            configuration = _put_configuration(folder, scratch / CONFIGURATION, stamp)
        except OSError as error:
            raise JournalError(f"nothing more can be written to {folder}: {error.strerror}") from (
                error
            )
    return Restored(inside, kept, configuration)


def _unpacked(source: Path, scratch: Path) -> Path:
    try:
        unpack(source, scratch)
    except NoArchive as why:
        raise CannotRestore(f"{source.name} cannot be restored: {why}.") from why
    return (scratch / JOURNAL).rename(scratch / "unpacked.db")


def _checked(source: Path, journal: Path) -> Contents:
    if journal.stat().st_size == 0:
        raise CannotRestore(f"{source.name} is not whole: the file is empty.")
    try:
        return contents(journal)
    except JournalOfAnotherVersion as later:
        raise CannotRestore(later.sentence) from later
    except JournalError as damage:
        raise CannotRestore(f"{source.name} is not whole: {damage}.") from damage


def begin_anew(folder: Path) -> Path | None:
    """Begin with an empty journal; one that is there is kept aside, and its place is told."""
    path = folder / JOURNAL
    with hold_folder(folder):
        return _put_journal(path, create(path), compact(label()))


def _copied(journal: Path, path: Path) -> Path:
    """Copy a journal beside where it shall stand; phones of before the restore only watch at it."""
    fresh = path.with_name(f"{path.name}.new")
    copy(journal, fresh)
    change_copy(fresh, lambda connection: write_notes(connection, new_identity()))
    sync(fresh)
    return fresh


def _put_journal(path: Path, fresh: Path, stamp: str) -> Path | None:
    """Were the power cut in here, there would still be a journal, the old one or the new one."""
    present = [path] if path.exists() else []
    present += path.parent.glob(f"{path.name}-*")
    aside = free_name(path.with_name(f"{path.stem}-replaced-{stamp}{path.suffix}"))
    for found in present:
        _link(found, aside.with_name(aside.name + found.name.removeprefix(path.name)))
    sync(path.parent)
    for found in present:
        if found != path:
            # What belongs to the old journal, such as its log, must not be taken for the new one's.
            found.unlink()
    put_in_place(fresh, path)
    return aside if present else None


def _link(path: Path, other: Path) -> None:
    """Give a file a second name, which takes no room; not every file system can."""
    try:
        os.link(path, other)
    except OSError:
        shutil.copy2(path, other)
        sync(other)


def _put_editions(place: Path, unpacked: Path, stamp: str) -> None:
    for edition in sorted(unpacked.glob("*.toml")):
        place.mkdir(exist_ok=True)
        target = place / edition.name
        if target.exists() and target.read_bytes() != edition.read_bytes():
            target.rename(free_name(target.with_name(f"{target.name}.replaced-{stamp}")))
        edition.replace(target)


def _put_configuration(folder: Path, unpacked: Path, stamp: str) -> Path | None:
    if not unpacked.exists():
        return None
    return unpacked.replace(free_name(folder / f"companion-restored-{stamp}.toml"))
