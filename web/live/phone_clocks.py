"""The phones' clocks: the table asks each phone again and again what time it has there.

Only pages of players are asked, those that say hello for it: in a burst when they come or wake up,
then every second, and faster while hands may be racing. From the answers a press is dated.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.assembly.checkup import racing
from companion.phones.phone_clock import GIVEN_UP, PhoneClock
from companion.referee.commands import Command, PhonePress, PressSeat
from companion.referee.events import CatchNamed, Event, RaceNamed
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Table
from companion.service.notices import Leave
from companion.service.worker import Worker
from web.live.live import Live
from web.transport.logs import traffic_log

IDLE = SECOND
LIVELY = 200 * MILLISECOND
AFTER_A_PRESS = 100 * MILLISECOND
"""Every phone is asked so soon after a press; one that answers had not pressed before it."""
BURST, SO_MANY = 60 * MILLISECOND, 8
AFTERWARDS = 3 * SECOND
"""For so long after a press others may follow, although no race is known yet."""
PAGES = 64
"""So many pages are remembered, so that a connection that breaks costs a phone nothing."""
OWN = 4
"""And so many of one player, so that one player cannot have the others forgotten."""
UNREAD = 8
"""A phone that has not read so much is asked nothing more."""

log = traffic_log("companion.web.traffic")

Wake = Annotated[int, Meta(ge=0, le=1_000_000_000)]


class ClockRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page that wants to be asked: its own name, and how often it was woken."""

    page: Annotated[str, Meta(min_length=8, max_length=64)]
    wake: Wake


class ClockAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """What a page's clock said, in milliseconds, and how fine that clock is."""

    answer: Annotated[int, Meta(ge=1, le=1 << 53)]
    moment: Annotated[float, Meta(ge=0, le=1e12)]
    wake: Wake
    grain: Annotated[float, Meta(ge=0, le=1000)] = 0.0


class Phone:
    """One page that is connected now."""

    def __init__(self, sid: str, clock: PhoneClock) -> None:
        self.sid = sid
        self.clock = clock
        self.asked = 0
        self.burst = SO_MANY

    def due(self, pace: int) -> int:
        """When it is asked next, at this pace or in its burst."""
        return self.asked + min(pace, BURST if self.burst else pace)


class PhoneClocks:
    """Asks every phone, and dates what is pressed on it."""

    def __init__(self, live: Live, worker: Worker) -> None:
        self._live = live
        self._worker = worker
        self._lock = threading.Lock()
        self._opened: dict[str, int] = {}
        self._phones: dict[str, Phone] = {}
        self._pages: OrderedDict[tuple[object, str], PhoneClock] = OrderedDict()
        self._pressed = -AFTERWARDS
        self._soon = False
        self._changed = threading.Event()
        self._stopped = False
        self._leave: list[Leave] = []
        """Ends the listening to the table; it is only listened to while there is a phone."""
        threading.Thread(target=self._run, name="phone clocks", daemon=True).start()

    def stop(self) -> None:
        """Ask no more."""
        with self._lock:
            self._phones.clear()
            self._listen()
        self._stopped = True
        self._changed.set()

    def welcome(self, sid: str) -> None:
        """Note when a connection began: nothing that comes over it was sent before."""
        self._opened[sid] = self._worker.now()

    def farewell(self, sid: str) -> None:
        """Forget a connection; its page may come back over another one."""
        with self._lock:
            self._opened.pop(sid, None)
            self._phones.pop(sid, None)
            self._listen()

    def hear(self, sid: str, who: object, message: Any) -> bool:
        """Take what a page says of its clock; tells whether it could be understood."""
        now = self._worker.now()
        try:
            if isinstance(message, dict) and "page" in message:
                self._hello(sid, who, msgspec.convert(message, ClockRequest), now)
            else:
                self._answer(sid, msgspec.convert(message, ClockAnswer), now)
        except (msgspec.ValidationError, OverflowError):
            return False
        return True

    def date(self, sid: str, command: Command, arrived: int) -> Command:
        """Date a press by its phone's clock, as far as that is known.

        One without a moment of its own was tapped on a tablet, and is dated where that is read. One
        of a phone that has not said hello may have waited for its connection for ever so long.
        """
        if not isinstance(command, PressSeat) or command.moment is None or command.wake is None:
            return command
        with self._lock:
            phone = self._phones.get(sid)
            if phone is None:
                return PhonePress(command.seat, arrived, GIVEN_UP)
            dated = phone.clock.date(_ns(command.moment), command.wake, arrived)
        return PhonePress(command.seat, dated.at, dated.uncertainty)

    def _hello(self, sid: str, who: object, hello: ClockRequest, now: int) -> None:
        with self._lock:
            if sid in self._phones:
                phone = self._phones[sid]
                if hello.wake != phone.clock.wake:
                    phone.clock.wake_up(hello.wake)
                    phone.burst = SO_MANY
            else:
                self._phones[sid] = Phone(sid, self._clock(sid, (who, hello.page), now))
                self._listen()
        self._changed.set()

    def _listen(self) -> None:
        """Hear of presses and of the table where there is a phone to ask, and not otherwise."""
        if self._phones and not self._leave:
            self._leave = [
                self._worker.subscribe(lambda _table, events: self._follow(events)),
                self._worker.on_press(lambda _notice: self._hasten()),
            ]
        elif not self._phones:
            while self._leave:
                self._leave.pop()()

    def _clock(self, sid: str, page: tuple[object, str], now: int) -> PhoneClock:
        """The clock of a page, which may have been here before over another connection."""
        earlier = self._pages.pop(page, None)
        for other in [phone.sid for phone in self._phones.values() if phone.clock is earlier]:
            del self._phones[other]
        clock = earlier or PhoneClock(self._opened.get(sid, now))
        clock.reconnect()
        self._pages[page] = clock
        own = [other for other in self._pages if other[0] == page[0]]
        for forgotten in own[:-OWN] or list(self._pages)[:-PAGES]:
            del self._pages[forgotten]
        return clock

    def _answer(self, sid: str, answer: ClockAnswer, now: int) -> None:
        with self._lock:
            phone = self._phones.get(sid)
            if phone is not None:
                read, grain = _ns(answer.moment), _ns(answer.grain)
                phone.clock.answer(answer.answer, read, answer.wake, grain, now)

    def _follow(self, events: Iterable[Event]) -> None:
        """A catch or a race may also come from the tablet, without a press."""
        if any(isinstance(event, CatchNamed | RaceNamed) for event in events):
            self._hasten()
        else:
            self._changed.set()

    def _hasten(self) -> None:
        """Somebody pressed; this may be the buttons' own thread, so nothing is sent here."""
        self._pressed, self._soon = self._worker.now(), True
        self._changed.set()

    def _run(self) -> None:
        while not self._stopped:
            self._changed.wait(self._ask_those_due())
            self._changed.clear()

    def _ask_those_due(self) -> float | None:
        """Ask the phones that are due, and tell in how many seconds the next is; None if none."""
        now = self._worker.now()
        soon, self._soon = self._soon, False
        lively = now - self._pressed < AFTERWARDS or _hands_may_race(self._worker.table)
        pace = AFTER_A_PRESS if soon else LIVELY if lively else IDLE
        with self._lock:
            phones = list(self._phones.values())
        for phone in phones:
            if phone.due(pace) <= now:
                try:
                    self._ask(phone)
                except Exception:
                    log.exception("A phone could not be asked for its clock")
        return _soonest(phones, LIVELY if lively else IDLE, self._worker.now())

    def _ask(self, phone: Phone) -> None:
        phone.asked = self._worker.now()
        phone.burst = max(0, phone.burst - 1)
        clogged = self._live.waiting_for(phone.sid) >= UNREAD
        with self._lock:
            now = self._worker.now()
            number = None if clogged else phone.clock.ask(now)
            doubt = phone.clock.doubt(now)
            if clogged:
                phone.clock.owe(now)
        if number is not None:
            self._live.tell(phone.sid, "clock", [number, doubt])


def _soonest(phones: Iterable[Phone], pace: int, now: int) -> float | None:
    waits = [max(MILLISECOND, phone.due(pace) - now) / SECOND for phone in phones]
    return min(waits, default=None)


def _hands_may_race(table: Table) -> bool:
    """Whether a race or the time to call and to catch is on."""
    round_ = table.game.match.round if table.game.match is not None else None
    return racing(table) or (round_ is not None and round_.calls.window is not None)


def _ns(milliseconds: float) -> int:
    return round(milliseconds * MILLISECOND)
