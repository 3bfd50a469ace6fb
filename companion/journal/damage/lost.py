"""A lost journal: noticed at the start by what it left behind, and while the table runs.

A program goes on writing into a file that was removed or moved away, and all of that is gone once
it ends. So an open journal remembers which files stood at their place, and looks again.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.journal.file import JournalError, companions
from companion.journal.markers import place

How = Literal["missing", "removed", "replaced", "cut"]
WORDS: dict[How, str] = {
    "missing": "is not here",
    "removed": "was removed or moved away while the table was open",
    "replaced": "was replaced by another file while the table was open",
    "cut": "was made shorter by another program while the table was open",
}
LEFT_BESIDE = ("snapshot.json", "backups/*.db", "journal-replaced-*.db", "journal-rescued-*.db")
"""What only a table that had a journal leaves, beside the line of how far it had come."""
LOG_MARKS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""One of these opens a log of SQLite."""


class Lost(Struct, frozen=True):
    """What happened to the journal, for the screens."""

    how: How
    file: str
    rescued: str | None = None
    """The backup that was made of it while it could still be read."""


class JournalLost(JournalError):
    """The journal is not at its place any more; nothing that is written now would last."""

    exit_code = 3

    def __init__(self, how: How, file: Path, left: str = "") -> None:
        super().__init__(f"{file.name} {WORDS[how]}")
        self.lost = Lost(how, file.name)
        self._folder = file.parent
        self._left = left

    @property
    def sentence(self) -> str:
        """What to tell a person."""
        begun = f", although {self._left} of it is" if self._left else ""
        return (
            f"The journal is lost: {self}{begun}. Put it back into {self._folder}, go back to a "
            "backup (companion restore), or begin with an empty one (companion restore --anew)."
        )


def check_not_lost(journal: Path) -> None:
    """Tell a journal that is missing from one that never was, by what it has left behind."""
    if journal.exists():
        return
    folder = journal.parent
    traces = [place(journal), *companions(journal)]
    traces += [found for pattern in LEFT_BESIDE for found in sorted(folder.glob(pattern))]
    left = next((trace.name for trace in traces if trace.exists()), None)
    if left is not None:
        raise JournalLost("missing", journal, left)


class OpenFiles:
    """The files of an open journal as they stood when it was opened.

    Only names and sizes are looked at: to open the journal's own file a second time would let go
    of the locks on it.
    """

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._log = journal.with_name(f"{journal.name}-wal")
        self._ways = _ways(journal)
        self._size = 0
        self._written: int | None = None
        """When this program has last written into the journal's own file."""
        self._log_handle: int | None = None
        self._log_seen = (b"", 0)

    def check(self) -> bool:
        """Raise JournalLost unless the same files still stand at their place, as long as before.

        Tell whether somebody else has written into the journal's own file since then. Its log
        alone is written at each commit; the file itself seldom, and by this program alone.
        """
        ways = _ways(self._journal)
        if ways is None:
            raise JournalLost("removed", self._journal)
        if ways != self._ways:
            raise JournalLost("replaced", self._journal)
        file = self._journal.stat()
        if file.st_size < self._size:
            raise JournalLost("cut", self._journal)
        self._size = file.st_size
        self._check_log()
        return self._written not in (None, file.st_mtime_ns)

    def written(self) -> None:
        """Take note that what was written into the journal's own file up to now is its own."""
        with suppress(OSError):
            self._written = self._journal.stat().st_mtime_ns

    def new_log(self) -> None:
        """Look for the log anew, after the journal was opened again."""
        self.close()
        self._log_seen = (b"", 0)

    def close(self) -> None:
        """Let go of the log."""
        if self._log_handle is not None:
            os.close(self._log_handle)
            self._log_handle = None

    def _check_log(self) -> None:
        """What was saved last stands in the log alone."""
        if self._log_handle is None:
            with suppress(FileNotFoundError):
                self._log_handle = os.open(self._log, os.O_RDONLY | os.O_CLOEXEC)
            return
        opened = os.fstat(self._log_handle)
        try:
            named = os.stat(self._log)
        except FileNotFoundError:
            raise JournalLost("removed", self._log) from None
        if (named.st_dev, named.st_ino) != (opened.st_dev, opened.st_ino):
            raise JournalLost("replaced", self._log)
        head = os.pread(self._log_handle, 24, 0)
        generation, size = head[16:], opened.st_size
        shorter = generation == self._log_seen[0] and size < self._log_seen[1]
        if size and (shorter or head[:4] not in LOG_MARKS):
            raise JournalLost("cut", self._log)
        self._log_seen = generation, size


def _ways(path: Path) -> tuple[int, int, int, int] | None:
    """Name a file by itself and by the link that may lead to it; None where it is not there."""
    try:
        link, file = os.lstat(path), os.stat(path)
    except FileNotFoundError:
        return None
    return link.st_dev, link.st_ino, file.st_dev, file.st_ino
