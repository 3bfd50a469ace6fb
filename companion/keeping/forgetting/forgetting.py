"""Forgetting: a match or a name goes for good, from the journal and from every copy of it.

It is the one thing that ever deletes. The new journal is written and checked on the side, and each
backup is; then the journal itself changes over, so that whoever finds the new one finds nothing of
what was forgotten in a copy that could be rewritten.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

from msgspec import Struct

from companion.common.clock import label
from companion.common.refusals import service_refusal
from companion.journal.file import JournalDamaged, JournalError, JournalTooNew
from companion.journal.head_marker import heard
from companion.journal.journal import Journal
from companion.journal.opening import JOURNAL, SNAPSHOT
from companion.journal.snapshot import Snapshots
from companion.journal.verify import checked_alone
from companion.keeping import backups
from companion.keeping.forgetting.comparison import Unlike
from companion.keeping.forgetting.other_files import damaged_copies, drop, held, scrub_logs, sweep
from companion.keeping.forgetting.plan import Plan, Wish, planned
from companion.keeping.forgetting.rewrite import Rewriting, rewrite_copy
from companion.referee.model.table import Table
from companion.referee.sentences import Refusal
from companion.service.renewal import NotNow, Renewed
from companion.service.worker import Worker

TRIES = 20
"""So often the change-over is tried, as long as somebody still reads the old journal."""
PAUSE = 0.1


class Left(Struct, frozen=True):
    """A file that may still hold what was forgotten, and why it cannot be written anew."""

    file: str
    why: Literal["damaged", "too_new", "trouble"]
    said: str


class Brief(Struct, frozen=True):
    """A match in one line."""

    number: int
    started: str
    rounds: int
    players: tuple[str, ...]


class Prospect(Struct, frozen=True):
    """What would go."""

    matches: tuple[Brief, ...]
    """The match that goes, or all in which the name would be replaced."""
    names: tuple[str, ...]
    """The names that go."""
    instead: tuple[str, ...]
    """What will stand in their place."""
    backups: tuple[str, ...]
    """The copies that would be rewritten."""
    left: tuple[Left, ...]
    """The copies that cannot be, and may hold it."""


class Outcome(Struct, frozen=True):
    """What was done."""

    matches: tuple[int, ...]
    instead: tuple[str, ...]
    """What stands where a name was."""
    backups: tuple[str, ...]
    left: tuple[Left, ...]
    removed: tuple[str, ...]
    """Copies that could not be written anew and were removed, as was asked."""


class Forgetting:
    """Forgets at one data folder: of a running table through its worker, else by itself."""

    def __init__(
        self,
        folder: Path,
        worker: Worker | None = None,
        before: Callable[[], None] = lambda: None,
    ) -> None:
        self._folder = folder
        self._journal = folder / JOURNAL
        self._worker = worker
        self._before = before
        """Is called before the change-over, to let go of the old journal."""
        self._snapshots = Snapshots(folder / SNAPSHOT)
        self._lock = threading.Lock()

    def prospect(self, wish: Wish) -> Prospect:
        """Tell what would go; nothing is touched."""
        try:
            plan = planned(self._journal, wish, self._table())
        except JournalDamaged as damage:
            raise service_refusal("forget_damaged", why=str(damage)) from damage
        except JournalError as trouble:
            raise service_refusal("forget_not_saved", trouble=str(trouble)) from trouble
        touched, left = [], []
        for copy in backups.listed(self._folder):
            try:
                if held(copy.path, plan):
                    touched.append(copy.path.name)
            except (JournalError, OSError) as trouble:
                left.append(_left(copy.path, trouble))
        left += [_left(file) for file in damaged_copies(self._folder)]
        matches = tuple(
            Brief(
                record.number,
                record.started,
                len(record.sheet.rounds),
                tuple(player.name for player in record.sheet.players),
            )
            for record in plan.records
        )
        instead = tuple(plan.names.values())
        return Prospect(matches, plan.said, instead, tuple(touched), tuple(left))

    def forget(self, wish: Wish, *, remove: bool = False) -> Outcome:
        """Forget it for good, or refuse and leave the journal as it is.

        The copies come first, so after a refusal some of them may have forgotten it already. With
        `remove` those go that cannot be written anew.
        """
        if not self._lock.acquire(blocking=False):
            raise service_refusal("forget_busy")
        try:
            with backups.alone(self._folder), _no_long_pauses():
                return self._forget(wish, remove)
        except Unlike as why:
            raise service_refusal("forget_unlike", why=str(why)) from why
        except JournalDamaged as damage:
            raise service_refusal("forget_damaged", why=str(damage)) from damage
        except JournalError as trouble:
            raise service_refusal("forget_not_saved", trouble=str(trouble)) from trouble
        except OSError as error:
            said = str(error.strerror)
            raise service_refusal("forget_not_saved", trouble=said) from error
        finally:
            self._lock.release()

    def _forget(self, wish: Wish, remove: bool) -> Outcome:
        plan = planned(self._journal, wish, self._table())
        when, rest = label(), _Rest() if self._worker is not None else _never
        sweep(self._folder)
        rewriting = Rewriting(self._journal, plan, when, rest)
        try:
            rewriting.prepare()
            done, left = self._rewrite_copies(plan, when, rest)
            scrub_logs(self._folder, rewriting.renaming)
            left += [_left(file) for file in damaged_copies(self._folder)]
            removed = tuple(one.file for one in left) if remove else ()
            drop(self._folder, removed)
            self._change_over(rewriting, plan)
        finally:
            rewriting.discard()
        still = tuple(one for one in left if one.file not in removed)
        numbers = tuple(record.number for record in plan.records)
        instead = tuple(plan.names.values())
        return Outcome(numbers, instead, tuple(done), still, removed)

    def _rewrite_copies(
        self, plan: Plan, when: str, rest: Callable[[], None]
    ) -> tuple[list[str], list[Left]]:
        done, left = [], []
        for copy in backups.listed(self._folder):
            try:
                if held(copy.path, plan) and rewrite_copy(copy.path, plan, when, rest):
                    done.append(copy.path.name)
            except (JournalError, OSError, Unlike) as trouble:
                left.append(_left(copy.path, trouble))
        return done, left

    def _change_over(self, rewriting: Rewriting, plan: Plan) -> None:
        self._before()

        def renewal(journal: Journal, table: Table) -> Renewed:
            return self._renewed(journal, table, rewriting, plan)

        if self._worker is None:
            with closing(Journal(self._journal)) as journal:
                renewal(journal, rewriting.table)
            return
        for tried in range(1, TRIES + 1):
            try:
                self._worker.renew(renewal).result()
            except NotNow as trouble:
                if tried == TRIES:
                    raise JournalError(str(trouble)) from trouble
                time.sleep(PAUSE)
            else:
                return

    def _renewed(self, journal: Journal, table: Table, rewriting: Rewriting, plan: Plan) -> Renewed:
        """Change over; on the worker's thread, where there is one."""
        match = table.game.match
        if (match is not None and match.number == plan.match) or plan.seated(table):
            raise service_refusal("forget_moved")
        try:
            rewriting.catch_up(journal.connection)
        except (Unlike, JournalError) as why:
            raise service_refusal("forget_moved") from why
        recent = rewriting.recent()
        assert rewriting.fresh is not None
        try:
            journal.fold_log(patience=0.1)
        except JournalDamaged:
            raise
        except JournalError as trouble:
            raise NotNow(str(trouble)) from trouble
        self._snapshots.path.unlink(missing_ok=True)
        journal.give_way(rewriting.fresh)
        if rewriting.boundary is not None:
            self._snapshots.save(rewriting.boundary, journal)
        return rewriting.table, recent

    def _table(self) -> Table:
        if self._worker is not None:
            return self._worker.table
        with closing(Journal(self._journal)) as journal:
            journal.fold_log()
            if heard(self._journal) > journal.head.version:
                raise JournalDamaged("its end is missing")
        verdict, table = checked_alone(self._journal)
        if verdict.problems:
            raise JournalDamaged(verdict.problems[0])
        return table


def _left(file: Path, trouble: Exception | None = None) -> Left:
    match trouble:
        case None:
            return Left(file.name, "damaged", "it is damaged")
        case JournalTooNew():
            return Left(file.name, "too_new", "it is of a later version of the companion")
        case JournalDamaged():
            return Left(file.name, "damaged", str(trouble))
        case _:
            return Left(file.name, "trouble", str(trouble))


@contextmanager
def _no_long_pauses() -> Iterator[None]:
    """Keep Python from going through everything it holds, in which not even a button is heard.

    A whole past is in hand for a moment, so that would take long; what is let go is free anyway.
    """
    usual = gc.get_threshold()
    gc.set_threshold(*usual[:2], 1 << 30)
    try:
        yield
    finally:
        gc.set_threshold(*usual)


class _Rest:
    """Works for as long as it rests, because the buttons come first."""

    def __init__(self) -> None:
        self._since = time.perf_counter()

    def __call__(self) -> None:
        time.sleep(min(0.1, time.perf_counter() - self._since))
        self._since = time.perf_counter()


def _never() -> None:
    pass


def refusal_status(refusal: Refusal) -> int:
    """Tell as HTTP's status what kind of refusal this is."""
    match refusal.sentence.code:
        case "forget_no_match" | "forget_no_name":
            return 404
        case "forget_busy":
            return 429
        case "forget_not_saved" | "not_saved" | "stopping":
            return 503
        case _:
            return 409
