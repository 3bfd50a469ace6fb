"""The service: the worker on a data folder, and what runs beside it while the table is open."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion import __version__
from companion.assembly.checkup import Checkup
from companion.assembly.downloads import Downloads
from companion.common.clock import Clock, boot_id, resume
from companion.home.status import HomeStatus
from companion.journal.damage.verify import BackgroundCheck
from companion.journal.file import JournalError
from companion.journal.folder_lock import hold_folder, why_nothing_is_kept
from companion.journal.journal import Journal
from companion.journal.markers import note_players, players_so_far
from companion.journal.opening import JOURNAL, Opened, open_journal
from companion.keeping import backups
from companion.keeping.daily_backup import DailyBackup
from companion.keeping.forgetting.forgetting import Forgetting
from companion.keeping.upgrade_backup import NOTE, keep_what_another_version_left
from companion.past.past import Past
from companion.past.tables.follower import PastFollower
from companion.referee.commands import OpenTable, SetUp
from companion.referee.model.edition import Edition
from companion.referee.model.house import HouseRules
from companion.referee.model.table import Table
from companion.referee.sentences import Refusal
from companion.service.worker import Worker
from companion.settings.configuration import Settings
from companion.view import View, view

if TYPE_CHECKING:
    from companion.assembly.hall import HallPlace

log = logging.getLogger(__name__)


class Running:
    """An open table: its worker, its past, its buttons' state, and how to close it all."""

    def __init__(
        self,
        worker: Worker,
        settings: Settings,
        *,
        past: Past | None = None,
        forgetting: Forgetting | None = None,
        closing: Sequence[Callable[[], None]] = (),
    ) -> None:
        self.worker = worker
        self.past = past or Past(settings.data.folder / JOURNAL)
        self.settings = settings
        self.checkup: Checkup | None = None
        """Tells how buttons and lamps are; None where there are none."""
        self.push: Callable[[int, bool], None] | None = None
        """Pushes a simulated button down or lets it go; None where the buttons are real."""
        self.downloads = Downloads({})
        """The files that the referee can take away."""
        self.home: Callable[[], HomeStatus] | None = None
        """Tells how the home is reached; None where there is none."""
        self.hall: HallPlace | None = None
        """Its place in a hall; None where the table cannot join one, as in a demo."""
        self.forgetting = forgetting or Forgetting(settings.data.folder, worker)
        """Forgets a match or a name for good."""
        self.phones: frozenset[int] = frozenset()
        """The players who have paired a phone."""
        self._closing = list(closing)
        self._view_lock = threading.Lock()
        self._viewed: tuple[Table, frozenset[int], View] | None = None

    def view(self) -> View:
        """Show the latest table."""
        return self.view_of(self.worker.table)

    def view_of(self, table: Table) -> View:
        """Show a table: screens, lamps and the home ask for the same one, and it is made once."""
        phones = self.phones
        with self._view_lock:
            if self._viewed is None or self._viewed[0] is not table or self._viewed[1] != phones:
                self._viewed = table, phones, view(table, phones)
            return self._viewed[2]

    def close_first(self, close: Callable[[], None]) -> None:
        """Close this before everything else."""
        self._closing.insert(0, close)

    def close(self) -> None:
        """Close everything, in the given order; what fails does not keep the rest open."""
        while self._closing:
            close = self._closing.pop(0)
            try:
                close()
            except Exception:
                log.exception("Something did not close cleanly.")


def open_worker(
    settings: Settings,
    editions: tuple[Edition, ...],
    ticks: Callable[[], int] = time.monotonic_ns,
) -> Running:
    """Open the table of a data folder and start its worker; no buttons yet.

    `ticks` is the machine's clock, which dates the edges of real buttons.
    """
    lock = hold_folder(settings.data.folder)
    try:
        keep_what_another_version_left(settings.data.folder)
        opened = open_journal(settings.data.folder)
        up_to = opened.journal.head.version
        worker = _start(opened, settings, editions, ticks)
    except BaseException as trouble:
        lock.close()
        if type(trouble) is JournalError and (why := why_nothing_is_kept(settings.data.folder)):
            raise JournalError(f"{trouble} ({why})") from trouble
        raise
    check = BackgroundCheck(opened.journal.path, up_to, _after(opened.damage, worker.report_damage))
    check.start()
    backup = _back_up_daily(settings.data.folder, worker)
    past = Past(opened.journal.path)
    follower = PastFollower(past.model, lambda: worker.table.version)
    follower.start()
    return Running(
        worker,
        settings,
        past=past,
        forgetting=Forgetting(settings.data.folder, worker),
        closing=[backup.close, follower.close, check.close, worker.close, lock.close],
    )


def _after(first: str | None, report: Callable[[str], None]) -> Callable[[str], None]:
    """Report further damage so that what was found at the start is still told."""
    return lambda more: report(more if first is None else f"{first} {more}")


def _back_up_daily(folder: Path, worker: Worker) -> DailyBackup:
    def make() -> None:
        if not backups.holds_all_play(folder):
            backups.make(folder, "daily", rest=daily.rest)

    daily = DailyBackup(make, lambda: worker.table.version)
    daily.start()
    return daily


def _start(
    opened: Opened,
    settings: Settings,
    editions: tuple[Edition, ...],
    ticks: Callable[[], int],
) -> Worker:
    boot = boot_id()
    clock = _clock(opened.journal, boot, ticks)
    wish = _house_wish(opened, settings.house)
    notes = {"boot": boot, "offset": str(clock.offset), NOTE: __version__}
    if wish is not None:
        notes["house"] = msgspec.json.encode(settings.house).decode()
    _keep_notes(opened, notes)
    note_players(settings.data.folder, opened.table.players)
    players = players_so_far(settings.data.folder)
    worker = Worker(
        opened.journal,
        opened.table,
        clock,
        OpenTable(editions, settings.timing, gap_since=opened.journal.head.at, players=players),
        recent=opened.recent,
        snapshots=opened.snapshots,
        damage=opened.damage,
    )
    worker.start()
    if wish is not None:
        try:
            worker.ask(wish)
        except Refusal as refusal:
            log.warning("The configured house rules were not set: %s", refusal)
    return worker


def _clock(journal: Journal, boot: str, ticks: Callable[[], int]) -> Clock:
    """Go on with the table's time; the offset holds for as long as the machine is not restarted."""
    noted = journal.note("offset") if boot and journal.note("boot") == boot else None
    offset = None if noted is None else int(noted)
    return resume(journal.head.at, same_boot_offset=offset, ticks=ticks)


def _house_wish(opened: Opened, house: HouseRules) -> SetUp | None:
    """Ask for the configured house rules, once after each time that they were changed."""
    if opened.table.game.match is not None:
        return None
    before = opened.journal.note("house")
    noted = HouseRules() if before is None else msgspec.json.decode(before, type=HouseRules)
    return None if house == noted else SetUp(house=house)


def _keep_notes(opened: Opened, notes: Mapping[str, str]) -> None:
    try:
        opened.journal.keep_notes(notes)
        opened.journal.keep_identity()
    except JournalError as trouble:
        log.warning("The start could not be noted: %s.", trouble)
