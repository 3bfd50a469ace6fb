"""The backup before an upgrade: what another version left is copied before this one opens it."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

from companion import __version__
from companion.journal.file import FORMAT, JournalDamaged, JournalError, reader, translated
from companion.journal.opening import JOURNAL
from companion.keeping import backups

log = logging.getLogger(__name__)

NOTE = "companion"
"""Under this key the journal notes which version opened it last."""


def keep_what_another_version_left(folder: Path) -> Path | None:
    """Copy the journal if another version opened it last; the copy is None where none is needed.

    A journal of an older format is not opened at all unless it was copied.
    """
    path = folder / JOURNAL
    if not path.exists() or path.stat().st_size == 0:
        return None
    try:
        opened_by, written = _last_opened(path)
    except JournalDamaged:
        # A damaged journal is kept aside as a whole when it is opened.
        return None
    if (opened_by, written) == (__version__, FORMAT):
        return None
    try:
        if _copied_already(folder, path):
            return None
        return backups.make(folder, "before", version=__version__)
    except JournalDamaged:
        return None
    except JournalError as trouble:
        if written != FORMAT:
            raise JournalError(
                f"it is of an older version and could not be copied first, because {trouble}"
            ) from trouble
        log.warning("The journal could not be copied before the upgrade: %s.", trouble)
        return None


def _last_opened(path: Path) -> tuple[str | None, int]:
    try:
        with closing(reader(path)) as connection:
            (written,) = connection.execute("PRAGMA user_version").fetchone()
            noted = connection.execute("SELECT value FROM notes WHERE key = ?", (NOTE,)).fetchone()
    except sqlite3.Error as error:
        raise translated(error) from error
    return None if noted is None else str(noted[0]), int(written)


def _copied_already(folder: Path, path: Path) -> bool:
    """Tell whether the installer, or an earlier try, has made this very copy."""
    head = backups.head_of(path)
    if head.version == 0:
        return True  # an empty one needs no copy
    for copy in (folder / backups.FOLDER).glob(f"before-{__version__}-*.db"):
        try:
            if backups.head_of(copy) == head:
                return True
        except JournalError:
            continue
    return False
