"""The one worker: all commands and presses go through its queue, and only it writes.

Each batch is decided, written to the journal in one transaction, and only then shown. When the
disk refuses, the table stays what it was, everyone who asked is told, and the buttons' reports
wait for the disk to come back.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NoAnswer

from msgspec.structs import replace

from companion.common.clock import Clock, label
from companion.common.refusals import service_refusal
from companion.journal.damage.lost import JournalLost, Lost
from companion.journal.file import JournalDamaged, JournalError
from companion.journal.journal import Journal
from companion.journal.opening import RECENT
from companion.journal.snapshot import Snapshots
from companion.referee.apply import apply
from companion.referee.commands import (
    ButtonCommand,
    Command,
    OpenTable,
    PassTime,
    PhonePress,
    PressSeat,
    PushButton,
)
from companion.referee.events import Event
from companion.referee.model.presses import Source
from companion.referee.model.table import Table
from companion.referee.sentences import Refusal
from companion.service.batch import Batch
from companion.service.button_reports import condensed, shifted
from companion.service.deadline_timer import DeadlineTimer
from companion.service.envelope import CommandAnswer
from companion.service.notices import Leave, PressNotice, Status, Subscribers
from companion.service.renewal import Renewal, Renewals
from companion.service.requests import Request, RequestQueue

log = logging.getLogger(__name__)

HELD = 256
"""So many reports of buttons wait for a disk that refuses."""

Listener = Callable[[Table, tuple[Event, ...]], None]


class Worker:
    """One thread, one queue, one writer."""

    def __init__(
        self,
        journal: Journal,
        table: Table,
        clock: Clock,
        opening: OpenTable,
        *,
        recent: Iterable[Event] = (),
        snapshots: Snapshots | None = None,
        damage: str | None = None,
    ) -> None:
        self.clock = clock
        self.now = clock.now
        """Tells the table's time."""
        self.table = table
        """The latest table that is on disk."""
        self._journal = journal
        self._recent: deque[Event] = deque(recent, maxlen=RECENT)
        """The events that led to it."""
        self._opening: OpenTable | None = opening
        self._snapshots = snapshots
        self._damage = damage
        self._trouble: str | None = None
        self._lost: Lost | None = None
        self._lost_touch = False
        """Whether it must be found out first what really is on disk."""
        self._timer = DeadlineTimer()
        self._bugs = 0
        self._held: list[Request] = []
        self._queue = RequestQueue()
        self._renewals = Renewals()
        self.anew = 0
        """How often the past was written anew, which no version tells."""
        self._listeners: Subscribers[[Table, tuple[Event, ...]]] = Subscribers()
        self._notices: Subscribers[[PressNotice]] = Subscribers()
        self._flashes: Subscribers[[PressNotice]] = Subscribers()
        self._touched: dict[int, PressNotice] = {}
        """By button, the push that has flashed before it was known to be one."""
        self._opened = threading.Event()
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        """Open the table and begin to work; returns once the opening was tried."""
        self._thread.start()
        self._opened.wait()

    @property
    def journal_identity(self) -> str:
        """Name the journal; one that was restored or begun anew is another."""
        return self._journal.identity

    def submit(
        self,
        command: Command,
        id: str | None = None,  # noqa: A002 - the word of the envelope
        version: int | None = None,
        sent: Command | None = None,
    ) -> Future[CommandAnswer]:
        """Queue a command; the future brings the answer once it is on disk, or the refusal.

        What a door has dated is known again, sent twice, by how it was sent.
        """
        request = Request(command, self.now(), id, version, Future(), sent)
        assert request.answer is not None
        refusal = self._queue.put(request)
        if refusal is not None:
            request.answer.set_exception(refusal)
        elif isinstance(command, PressSeat | PhonePress):
            source: Source = "tablet" if isinstance(command, PressSeat) else "phone"
            notice = PressNotice(None, command.seat, request.at, source)
            self._flashes.tell(notice)
            self._notices.tell(notice)
        return request.answer

    def ask(
        self,
        command: Command,
        id: str | None = None,  # noqa: A002 - the word of the envelope
        version: int | None = None,
        timeout: float = 10.0,
        sent: Command | None = None,
    ) -> CommandAnswer:
        """Queue a command and wait for its answer; raises the refusal."""
        try:
            return self.submit(command, id, version, sent).result(timeout)
        except NoAnswer:
            # It may still be carried out: a retry under the same id then gets its answer.
            raise service_refusal("busy", waiting=len(self._queue)) from None

    def hand_over(self, report: ButtonCommand) -> None:
        """Take what a button did, dated by the machine's clock, and return at once."""
        if self.clock.offset:
            report = shifted(report, self.clock.offset)
        request = Request(report, self.now())
        if isinstance(report, PushButton):
            notice = self._touched.pop(report.button, None)
            if notice is None or notice.at != report.at:
                notice = self._notice(report)
                self._flashes.tell(notice)
            self._notices.tell(notice)
        self._queue.put(request)

    def touched(self, press: PushButton) -> None:
        """Let a push flash that may still turn out to be none; that is all that comes of it."""
        notice = self._notice(replace(press, at=press.at + self.clock.offset))
        self._touched[press.button] = notice
        self._flashes.tell(notice)

    def _notice(self, press: PushButton) -> PressNotice:
        seat = self.table.game.seat_of_button(press.button)
        number = None if seat is None else seat.number
        return PressNotice(press.button, number, press.at, press.source)

    def renew(self, renewal: Renewal) -> Future[None]:
        """Let something be done to the whole journal between two batches; everyone waits for it."""
        done = self._renewals.add(renewal)
        refusal = self._queue.put(Request(PassTime(), self.now()))
        if refusal is not None and done.cancel():
            raise refusal
        return done

    def subscribe(self, listener: Listener) -> Leave:
        """Be called after each batch that is on disk, on the worker's thread: return quickly.

        No events means that only the state of the service changed.
        """
        return self._listeners.join(listener)

    def wake(self, flag: threading.Event) -> Leave:
        """Set this flag after each batch that is on disk, for a thread that then looks itself."""
        return self._listeners.wake(flag)

    def on_press(self, listener: Callable[[PressNotice], None]) -> Leave:
        """Be told of each press before anything else is done about it: wait for nothing there.

        It is told on the thread that brought it, which for a button is the one that listens to all.
        """
        return self._notices.join(listener)

    def on_flash(self, listener: Callable[[PressNotice], None]) -> Leave:
        """Be told of each press once, as soon as it may be one: only for showing that it was felt.

        Now and then it was none, and `on_press` never hears of it.
        """
        return self._flashes.join(listener)

    def status(self) -> Status:
        """Tell how the service is doing."""
        trouble = self._trouble
        storage = "ok" if trouble is None else f"Nothing can be saved now: {trouble}."
        waiting = len(self._queue)
        return Status(self.table.version, storage, self._damage, self._bugs, waiting, self._lost)

    def report_damage(self, sentence: str) -> None:
        """Let every screen say that the journal was found damaged."""
        self._damage = sentence
        self._listeners.tell(self.table, ())

    def close(self) -> None:
        """Finish what is queued, refuse what comes later, and close the journal."""
        if self._queue.close():
            self._thread.join()
            self._journal.close()

    def _run(self) -> None:
        self._guarded([])
        self._opened.set()
        more = True
        while more:
            now, in_trouble = self.now(), self._trouble is not None
            seconds = self._timer.seconds_left(self.table, now, in_trouble=in_trouble)
            requests, more = self._queue.take(seconds)
            if not requests and self._timer.is_due(self.table, now := self.now()):
                requests = [Request(PassTime(), now)]
            if requests or self._trouble is not None:
                self._guarded(requests)
            else:
                self._look_for_journal()
            if self._renewals.waiting:
                self._renew()

    def _guarded(self, requests: list[Request]) -> None:
        """Carry out a batch; also after a mistake in the worker every request is answered."""
        requests, self._held = [*self._held, *requests], []
        try:
            self._carry_out(requests)
        except JournalError as trouble:
            self._not_saved(requests, trouble)
        except Exception:
            log.exception("A mistake in the worker.")
            self._bugs += 1
            self._lost_touch = True
            self._timer.rest(self.now())
            _tell_all(requests, service_refusal("bug"))

    def _look_for_journal(self) -> None:
        """Notice a lost journal also while the table is idle."""
        try:
            self._journal.look_for_itself()
        except JournalError as trouble:
            self._not_saved([], trouble)

    def _carry_out(self, requests: Sequence[Request]) -> None:
        if self._lost_touch:
            self._catch_up()
        batch = Batch(self.table, self._recent, self._journal, label())
        if self._opening is not None:
            batch.carry_out(Request(self._opening, self.now()))
        for request in requests:
            batch.carry_out(request)
        self._save(batch)
        self._recent.extend(batch.events)
        self.table = batch.table
        recovered, self._trouble, self._opening = self._trouble is not None, None, None
        self._lost = None
        if batch.bugs:
            self._bugs += batch.bugs
            self._timer.rest(self.now())
        for request, outcome in batch.outcomes:
            if request.answer is not None:
                request.tell(outcome)
        if batch.events or recovered:
            self._listeners.tell(self.table, tuple(batch.events))
        if batch.boundary is not None and self._snapshots is not None:
            self._snapshots.save(batch.boundary, self._journal)

    def _renew(self) -> None:
        """Go on with a journal that was written anew; where that failed, look what is there."""
        trouble = "it is looked after first" if self._lost_touch else self._trouble
        try:
            for table, recent in self._renewals.carry_out(self._journal, self.table, trouble):
                self._recent, self.table = deque(recent, maxlen=RECENT), table
                self.anew += 1
                self._listeners.tell(table, ())
        except Exception as why:
            log.warning("The journal could not be renewed: %s.", why)
            self._lost_touch = True

    def _save(self, batch: Batch) -> None:
        if batch.entries:
            self._journal.append(batch.entries, batch.wall)
        elif self._trouble is not None:
            self._journal.keep_notes({"tried": batch.wall})

    def _catch_up(self) -> None:
        """Go on from what is really on disk, which after trouble may be more than was believed."""
        self._journal.reopen()
        if self._journal.seal_of(self.table.version) is None:
            raise JournalDamaged("the journal has lost events")
        table, events = self.table, [row.event() for row in self._journal.rows(self.table.version)]
        for event in events:
            table = apply(table, event)
        self._lost_touch = False
        self._recent.extend(events)
        self.table = table
        if events:
            self._listeners.tell(table, tuple(events))

    def _not_saved(self, requests: Sequence[Request], trouble: JournalError) -> None:
        news = self._trouble != str(trouble)
        self._trouble = str(trouble)
        if news:
            self._lost = trouble.lost if isinstance(trouble, JournalLost) else None
        self._lost_touch = True
        self._timer.rest(self.now())
        reports = [request for request in requests if isinstance(request.command, ButtonCommand)]
        self._held = condensed(reports, HELD)
        _tell_all(requests, service_refusal("not_saved", trouble=self._trouble))
        if news:
            log.error("The journal cannot be written: %s.", trouble)
            self._rescue()
            self._listeners.tell(self.table, ())

    def _rescue(self) -> None:
        """Keep a copy of a lost journal, which only this program can still read."""
        if self._lost is not None:
            self._lost = replace(self._lost, rescued=self._journal.rescue(label()))


def _tell_all(requests: Iterable[Request], refusal: Refusal) -> None:
    for request in requests:
        request.tell(refusal)
