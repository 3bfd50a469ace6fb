"""The data folder: one table, one running companion, and whether anything can be kept there."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Self

LOCK = "companion.lock"
PROBE = "journal.probe"
PROBED = 65_536
"""More than SQLite wants beside a journal before it can be read."""


class FolderInUse(Exception):
    """Another companion runs on this data folder."""

    exit_code = 2


class FolderUnusable(Exception):
    """Nothing can be kept in the data folder."""

    exit_code = 2


class FolderLock:
    """Held as long as the table runs; the system lets go of it even when the program is killed."""

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._handle, 20).decode("ascii", "replace").strip()
            os.close(self._handle)
            who = f" (process {holder})" if holder else ""
            raise FolderInUse(
                f"Another companion{who} is using {folder}. Stop it first, "
                "or give this one a data folder of its own with --data."
            ) from None
        # The number only helps to find the other companion; a full disk may keep it out.
        with suppress(OSError):
            os.ftruncate(self._handle, 0)
            os.write(self._handle, f"{os.getpid()}\n".encode())

    def close(self) -> None:
        """Let go of the folder."""
        os.close(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def hold_folder(folder: Path) -> FolderLock:
    """Make the data folder where it is missing, and keep it for this program alone."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return FolderLock(folder)
    except OSError as error:
        raise FolderUnusable(
            f"Nothing can be kept in {folder}: {error.strerror}. "
            "Choose another data folder with --data."
        ) from error


def why_nothing_is_kept(folder: Path) -> str | None:
    """Try to write a little, and give what the system says against it, if anything."""
    probe = folder / PROBE
    try:
        probe.write_bytes(bytes(PROBED))
    except OSError as error:
        return error.strerror
    finally:
        with suppress(OSError):
            probe.unlink()
    return None
