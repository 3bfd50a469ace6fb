"""Failed starts, counted in a small file, so that a table that cannot open can say why."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from companion import __version__
from companion.common.clock import boot_id, label
from companion.journal.folder_lock import FolderInUse, FolderLock
from companion.referee.model.presses import SECOND

FILE = "starts.json"
ENOUGH = 3
KEPT = 5
PATIENCE = 60 * SECOND
"""A table that is stopped sooner was stopped by a person, later by a system that lost patience."""
SILENT = "It ended without giving a reason; perhaps it was killed, or the memory ran out."


class Failure(Struct, frozen=True):
    """A start that came to nothing."""

    when: str
    version: str
    reason: str


class PageAddress(Struct, frozen=True):
    """Where the page was served when the table last opened."""

    host: str
    port: int
    names: tuple[str, ...]


class StartRecord(Struct, frozen=True):
    """What the file says."""

    failures: tuple[Failure, ...] = ()
    under_way: str | None = None
    """The run of the machine in which a start began whose end is not on record."""
    door: PageAddress | None = None


class Starts:
    """The starts of one data folder, of which a spare place knows when the folder cannot."""

    def __init__(
        self,
        folder: Path,
        spare: Path | None = None,
        ticks: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._places = [folder] if spare is None else [folder, spare]
        self._ticks = ticks
        self._began: int | None = None
        self._process = os.getpid()
        self._record = self._read()

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The failures in a row, the latest last."""
        return self._record.failures

    @property
    def door(self) -> PageAddress | None:
        """Where the page was served when the table last opened."""
        return self._record.door

    @property
    def counting(self) -> bool:
        """Whether this very process has begun a start that counts."""
        return self._began is not None and os.getpid() == self._process

    @property
    def enough(self) -> bool:
        """Whether another failure should be explained on a page."""
        return len(self.failures) >= ENOUGH

    @property
    def hopeless(self) -> bool:
        """Whether another try would end without a reason too."""
        return self.enough and self.failures[-1].reason == SILENT

    def begin(self) -> None:
        """Note that a start is under way, unless another table runs on the folder."""
        try:
            if self._places[0].is_dir():
                FolderLock(self._places[0]).close()
        except FolderInUse:
            return
        except OSError:
            pass
        self._began = self._ticks()
        boot = boot_id()
        if self._record.under_way == boot:
            self._add(SILENT)
        self._write(under_way=boot)

    def failed(self, reason: str) -> None:
        """Note why the start came to nothing."""
        if self.counting:
            self._add(reason)
            self._write(under_way=None)

    def opened(self, door: PageAddress) -> None:
        """Forget all failures: the table answers. The serving process says so."""
        self._record = StartRecord()
        self._write(door=door)

    def stopped(self) -> None:
        """Note that the table was stopped; before it had opened, that may be a failure too."""
        if not self.counting or self._read().under_way is None:
            return
        assert self._began is not None
        took = self._ticks() - self._began
        if took >= PATIENCE:
            self._add(f"It had not opened after {took // SECOND} s and was stopped.")
        self._write(under_way=None)

    def _add(self, reason: str) -> None:
        failure = Failure(label(), __version__, reason)
        self._record = msgspec.structs.replace(
            self._record, failures=(*self._record.failures, failure)[-KEPT:]
        )

    def _read(self) -> StartRecord:
        for place in reversed(self._places):
            try:
                return msgspec.json.decode((place / FILE).read_bytes(), type=StartRecord)
            except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
                continue
        return StartRecord()

    def _write(self, **fields: object) -> None:
        """Write the record to the first place that takes it, and leave no older one elsewhere."""
        self._record = msgspec.structs.replace(self._record, **fields)
        written = False
        for place in self._places:
            try:
                if written:
                    (place / FILE).unlink(missing_ok=True)
                else:
                    fresh = place / f"{FILE}.new"
                    fresh.write_bytes(msgspec.json.encode(self._record))
                    fresh.replace(place / FILE)
                    written = True
            except OSError:
                continue
