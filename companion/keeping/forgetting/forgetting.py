"""Forgetting: a match or a name goes for good, from the journal and from every copy of it.

It is the one thing that ever deletes. Each backup comes first and then the journal itself, each in
its place and in one transaction; so a power cut leaves every file as it was or as it shall be, and
a journal that has forgotten has no copy left that could have and has not.
"""

from __future__ import annotations

import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.common.clock import label
from companion.common.refusals import service_refusal
from companion.common.whole_file import sync
from companion.journal.chain import read_rows
from companion.journal.file import JournalDamaged, JournalError, JournalTooNew
from companion.journal.journal import Journal
from companion.journal.markers import heard
from companion.journal.opening import JOURNAL, RECENT, SNAPSHOT, replayed
from companion.journal.snapshot import SnapshotDamaged, Snapshots
from companion.keeping import backups
from companion.keeping.forgetting.erasing import erase, erased
from companion.keeping.forgetting.other_files import (
    damaged_copies,
    drop,
    erase_from_copy,
    held,
    scrub_logs,
    sweep,
)
from companion.keeping.forgetting.plan import ForgettingPlan, ForgetWish, planned
from companion.past.tables.read_model import forget_match
from companion.referee.events import MatchForgotten
from companion.referee.model.table import Table
from companion.service.renewal import Renewed
from companion.service.worker import Worker

TRIES = 20
"""So often the log is emptied, as long as somebody still reads what stands in it."""
PAUSE = 0.1


class LeftCopy(Struct, frozen=True):
    """A file that may still hold what was forgotten, and why it cannot be taken out."""

    file: str
    why: Literal["damaged", "too_new", "trouble"]
    said: str


class AffectedMatch(Struct, frozen=True):
    """A match in one line."""

    number: int
    started: str
    rounds: int
    players: tuple[str, ...]


class ForgettingPreview(Struct, frozen=True):
    """What would go."""

    matches: tuple[AffectedMatch, ...]
    """The match that goes, or all in which the name would be replaced."""
    names: tuple[str, ...]
    """The names that go."""
    instead: tuple[str, ...]
    """What will stand in their place."""
    backups: tuple[str, ...]
    """The copies that would be changed."""
    left: tuple[LeftCopy, ...]
    """The copies that cannot be, and may hold it."""


class Outcome(Struct, frozen=True):
    """What was done."""

    matches: tuple[int, ...]
    instead: tuple[str, ...]
    """What stands where a name was."""
    backups: tuple[str, ...]
    left: tuple[LeftCopy, ...]
    removed: tuple[str, ...]
    """Copies that could not be changed and were removed, as was asked."""


class Forgetting:
    """Forgets at one data folder: of a running table through its worker, else by itself."""

    def __init__(self, folder: Path, worker: Worker | None = None) -> None:
        self.folder = folder
        self._journal = folder / JOURNAL
        self._worker = worker
        self._snapshots = Snapshots(folder / SNAPSHOT)
        self._lock = threading.Lock()

    def prospect(self, wish: ForgetWish) -> ForgettingPreview:
        """Tell what would go; nothing is touched."""
        try:
            plan = planned(self._journal, wish, self._table())
        except JournalDamaged as damage:
            raise service_refusal("forget_damaged", why=str(damage)) from damage
        except JournalError as trouble:
            raise service_refusal("forget_not_saved", trouble=str(trouble)) from trouble
        touched, left = [], []
        for copy in backups.listed(self.folder):
            try:
                if held(copy.path, plan):
                    touched.append(copy.path.name)
            except (JournalError, OSError) as trouble:
                left.append(left_copy(copy.path, trouble))
        left += [left_copy(file) for file in damaged_copies(self.folder)]
        matches = tuple(
            AffectedMatch(
                record.number,
                record.started,
                len(record.sheet.rounds),
                tuple(player.name for player in record.sheet.players),
            )
            for record in plan.records
        )
        instead = tuple(plan.names.values())
        return ForgettingPreview(matches, plan.said, instead, tuple(touched), tuple(left))

    def forget(self, wish: ForgetWish, *, remove: bool = False) -> Outcome:
        """Forget it for good, or refuse and leave the journal as it is.

        The copies come first, so after a refusal some of them may have forgotten it already. With
        `remove` those go that cannot be changed.
        """
        if not self._lock.acquire(blocking=False):
            raise service_refusal("forget_busy")
        try:
            with backups.alone(self.folder):
                return self._forget(wish, remove)
        except JournalDamaged as damage:
            raise service_refusal("forget_damaged", why=str(damage)) from damage
        except JournalError as trouble:
            raise service_refusal("forget_not_saved", trouble=str(trouble)) from trouble
        except OSError as error:
            reason = str(error.strerror)
            raise service_refusal("forget_not_saved", trouble=reason) from error
        finally:
            self._lock.release()

    def _forget(self, wish: ForgetWish, remove: bool) -> Outcome:
        plan, when = planned(self._journal, wish, self._table()), label()
        sweep(self.folder)
        done, left = self._erase_from_copies(plan, when)
        scrub_logs(self.folder, plan)
        left += [left_copy(file) for file in damaged_copies(self.folder)]
        removed = tuple(one.file for one in left) if remove else ()
        drop(self.folder, removed)
        self._erase(plan, when)
        forget_match(self._journal, plan.match)
        still = [one for one in left if one.file not in removed]
        numbers = tuple(record.number for record in plan.records)
        instead = tuple(plan.names.values())
        return Outcome(numbers, instead, tuple(done), tuple(still), removed)

    def _erase_from_copies(
        self, plan: ForgettingPlan, when: str
    ) -> tuple[list[str], list[LeftCopy]]:
        done, left = [], []
        for copy in backups.listed(self.folder):
            try:
                if held(copy.path, plan):
                    erase_from_copy(copy.path, plan, when)
                    done.append(copy.path.name)
            except (JournalError, OSError) as trouble:
                left.append(left_copy(copy.path, trouble))
        return done, left

    def _erase(self, plan: ForgettingPlan, when: str) -> None:
        def renewal(journal: Journal, table: Table) -> Renewed:
            return self._renewed(journal, table, plan, when)

        if self._worker is not None:
            self._worker.renew(renewal).result()
        with closing(Journal(self._journal)) as journal:
            if self._worker is None:
                renewal(journal, self._table_of(journal))
            empty_log(journal)

    def _renewed(self, journal: Journal, table: Table, plan: ForgettingPlan, when: str) -> Renewed:
        """Forget in the journal; on the worker's thread, where there is one."""
        if plan.runs(table) or plan.seated(table):
            raise service_refusal("forget_moved")
        try:
            snapshot = self._snapshots.load(journal)
        except SnapshotDamaged:
            snapshot = None
        self._snapshots.remove()
        left: list[MatchForgotten | None] = []
        journal.transact(lambda connection: left.append(erase(connection, plan, when)))
        table = erased(table, plan, left[0])
        if snapshot is not None and (left[0] is None or snapshot.table.game.matches != plan.match):
            self._snapshots.save(erased(snapshot.table, plan, left[0]), journal)
        elif table.past is None:
            self._snapshots.save(table, journal)
        rows = read_rows(journal.connection, max(0, table.version - RECENT))
        return table, tuple(row.event() for row in rows)

    def _table(self) -> Table:
        if self._worker is not None:
            return self._worker.table
        with closing(Journal(self._journal)) as journal:
            journal.fold_log()
            if heard(self._journal) > journal.head.version:
                raise JournalDamaged("its end is missing")
            return self._table_of(journal)

    def _table_of(self, journal: Journal) -> Table:
        try:
            snapshot = self._snapshots.load(journal)
        except SnapshotDamaged:
            snapshot = None
        return replayed(journal, snapshot).table


def empty_log(journal: Journal) -> None:
    """Bring the log into the file, so that nothing of what was there before stays in either."""
    log = journal.path.with_name(journal.path.name + "-wal")
    for tried in range(1, TRIES + 1):
        try:
            journal.fold_log(patience=PAUSE)
            if log.exists() and log.stat().st_size > 0:
                raise JournalError("somebody still reads the journal")
        except JournalDamaged:
            raise
        except JournalError:
            if tried == TRIES:
                raise
            time.sleep(PAUSE)
        else:
            # SQLite does not wait until the disk has heard that the log is empty.
            if log.exists():
                sync(log)
            return


def left_copy(file: Path, trouble: Exception | None = None) -> LeftCopy:
    """Tell why a copy stays as it is."""
    match trouble:
        case None:
            return LeftCopy(file.name, "damaged", "it is damaged")
        case JournalTooNew():
            return LeftCopy(file.name, "too_new", "it is of a later version of the companion")
        case JournalDamaged():
            return LeftCopy(file.name, "damaged", str(trouble))
        case _:
            return LeftCopy(file.name, "trouble", str(trouble))
