"""The one thread that follows every contact: edges are handed to it, reports are handed on.

Every callback only puts its edge into the queue, so none is held up by this program.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Protocol

from companion.referee.commands import ButtonCommand, MissPresses, PushButton
from hardware.contact.contact import Contact
from hardware.contact.edges import (
    HAND,
    MILLISECOND,
    SECOND,
    Dating,
    Edge,
    EdgesLost,
    HandLimits,
    Level,
)
from hardware.contact.level_checks import LevelChecks

log = logging.getLogger(__name__)

POLL = 100 * MILLISECOND
AT_REST = 1 * SECOND
"""How often levels are compared where nothing has moved for `CALM`."""
CALM = 30 * SECOND
STALL = 250 * MILLISECOND
MUTED = 2 * SECOND

HandOver = Callable[[ButtonCommand], None]


class Unreachable(Exception):
    """A line cannot be read: unplugged, disconnected or gone."""


class ContactLine(Protocol):
    """Where one button's edges come from."""

    dating: Dating

    def listen(self, tell: Callable[[Edge | EdgesLost], None]) -> None:
        """Tell every edge from now on; `Unreachable` when that cannot be."""

    def mute(self) -> None:
        """Tell nothing more for now."""

    def pressed(self) -> bool:
        """Read the level; `Unreachable` when that cannot be."""

    def drain(self, then: Callable[[], None]) -> bool:
        """Call back once every edge up to now was told; False where that cannot be known."""

    def close(self) -> None:
        """Give the line back."""


class Listener:
    """Follows the contacts, ends their movements, polls their levels, notices a stall."""

    def __init__(
        self,
        lines: Mapping[int, ContactLine],
        hand_over: HandOver,
        *,
        on_press: Callable[[int], None] | None = None,
        on_touch: Callable[[PushButton], None] | None = None,
        hand: HandLimits = HAND,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.contacts = {
            number: Contact(number, line.dating, hand) for number, line in lines.items()
        }
        self._lines = dict(lines)
        self.hand_over = hand_over
        """Takes every report; a check of the buttons may take the place of the table."""
        self._on_press = on_press
        self._on_touch = on_touch
        self._table = hand_over
        self._clock = clock
        self._queue: SimpleQueue[Edge | EdgesLost | Level | Event] = SimpleQueue()
        self._looks = LevelChecks()
        self._wanted: dict[int, int] = {}
        """From when on a look at which button would tell something."""
        self._marks: list[Event] = []
        self._thread = Thread(target=self._run, name="buttons", daemon=True)
        self._stopping = False
        self._began = 0
        self._next_poll = 0
        self._moved = 0
        """When anything was last heard of a line."""
        self._polled = 0
        self._muted: dict[int, int] = {}
        self._stall: tuple[int, int] | None = None
        self._recent = {
            number: deque[int](maxlen=4 * line.dating.queue)
            for number, line in lines.items()
            if line.dating.queue is not None
        }

    def start(self) -> None:
        """Read every level, then follow the edges."""
        self._began = self._clock()
        for number, line in self._lines.items():
            try:
                line.listen(self._queue.put)
                self._say(number, self.contacts[number].begin(self._began, line.pressed()))
            except Unreachable as gone:
                log.warning("Button %s cannot be reached: %s", number, gone)
                self._say(number, self.contacts[number].lose(self._began))
        self._moved = self._polled = self._clock()
        self._next_poll = self._polled + POLL
        self._thread.start()

    def stop(self) -> None:
        """Follow nothing more and give the lines back."""
        self._stopping = True
        if self._thread.is_alive():
            self._queue.put(Event())
            self._thread.join(timeout=5)
        for line in self._lines.values():
            line.close()

    @property
    def alive(self) -> bool:
        """Whether the buttons are being listened to."""
        return self._thread.is_alive()

    def caught_up(self, timeout: float = 5) -> bool:
        """Wait until everything was followed and looked at that there is by now."""
        mark = Event()
        self._queue.put(mark)
        return mark.wait(timeout)

    def excuse(self, *, racing: bool, slaps: Mapping[int, int]) -> None:
        """Say whether a race is on, and which press of a button, by its date, one has used."""
        for number, contact in self.contacts.items():
            contact.racing = racing
            contact.slap = slaps.get(number, contact.slap)

    def _run(self) -> None:
        try:
            self._listen()
        except Exception:
            # A table that cannot hear must say so on every screen, whatever the reason.
            log.exception("The buttons are no longer listened to.")
            for number, contact in self.contacts.items():
                self._say(number, contact.lose(self._clock()))

    def _listen(self) -> None:
        while not self._stopping:
            until = self._looks.due(self._wanted, self._next_poll)
            self._follow(max(0.0, (until - self._clock()) / SECOND))
            now = self._clock()
            if now - self._next_poll > STALL:
                self._stalled(self._polled, now)
            if self._looks.held:
                for level in self._looks.drained(now):
                    self._believe(level)
            self._mute_the_restless(now)
            if now >= until:
                self._check_those_due(now)
            if self._marks and not self._looks.busy(self._wanted, now):
                while self._marks:
                    self._marks.pop().set()
            if now >= self._next_poll:
                self._poll(now)
                self._polled = now
                self._next_poll = now + (AT_REST if self._is_calm(now) else POLL)

    def _is_calm(self, now: int) -> bool:
        """Whether every button is up and in order, and has been for a while."""
        if now - self._moved < CALM or self._muted or self._stall is not None:
            return False
        return not any(contact.down or contact.fault for contact in self.contacts.values())

    def _follow(self, timeout: float) -> None:
        """Follow every edge that has been handed over."""
        try:
            heard = self._queue.get(timeout=timeout)
            while True:
                self._hear(heard)
                heard = self._queue.get_nowait()
        except Empty:
            pass

    def _hear(self, heard: Edge | EdgesLost | Level | Event) -> None:
        if isinstance(heard, Event):
            self._marks.append(heard)
            return
        if isinstance(heard, Level):
            self._believe(heard)
            return
        self._moved = self._clock()
        self._next_poll = min(self._next_poll, self._moved + POLL)
        self._looks.arrived(heard.at, self._moved)
        if heard.at < self._began or heard.button in self._muted:
            return
        contact = self.contacts[heard.button]
        if isinstance(heard, EdgesLost):
            self._say(heard.button, contact.gap(heard.at))
        else:
            if heard.button in self._recent:
                self._recent[heard.button].append(heard.at)
            reports = contact.edge(heard)
            self._show(contact.touched)
            self._say(heard.button, reports)

    def _show(self, touch: PushButton | None) -> None:
        """Let a push be seen before it is believed, unless a check keeps it from the table."""
        if touch is not None and self._on_touch is not None and self.hand_over == self._table:
            self._on_touch(touch)

    def _mute_the_restless(self, now: int) -> None:
        """Mute the lines whose movement does not end."""
        for number, contact in self.contacts.items():
            if contact.unsettled and number not in self._muted:
                self._mute(number, now)

    def _check_those_due(self, now: int) -> None:
        """Look at the contacts of which a level would tell something by now."""
        if self._wanted:
            for number in self._looks.ready(self._wanted, now):
                self._check(number, now)

    def _poll(self, now: int) -> None:
        """Compare every level with the edges."""
        self._after_stall(now)
        for number in self.contacts:
            if number not in self._muted:
                self._check(number, now)
            elif now >= self._muted[number]:
                self._unmute(number, now)

    def _check(self, number: int, now: int) -> None:
        contact = self.contacts[number]
        line = self._lines[number]
        try:
            if contact.fault == "unreachable":
                line.listen(self._queue.put)
                self._say(number, contact.find(now, line.pressed()))
            else:
                asked, pressed, read = self._clock(), line.pressed(), self._clock()
                level = Level(number, pressed, asked, read)
                self._looks.asked(number, now)
                if not line.drain(partial(self._queue.put, level)):
                    self._looks.hold(level)
        except Unreachable as gone:
            if contact.fault != "unreachable":
                log.warning("Button %s cannot be reached: %s", number, gone)
            self._say(number, contact.lose(now))

    def _believe(self, level: Level) -> None:
        """Take a level in its place among the edges, every one before it having been heard."""
        self._looks.answered(level.button, self._clock())
        contact = self.contacts[level.button]
        if level.button not in self._muted and contact.fault != "unreachable":
            self._say(level.button, contact.rest(level))

    def _mute(self, number: int, now: int) -> None:
        """Spare everyone the flood of edges from a noisy line."""
        try:
            self._lines[number].mute()
            self._muted[number] = now + MUTED
            self._wanted.pop(number, None)
        except Unreachable as gone:
            log.warning("Button %s is noisy and cannot be muted: %s", number, gone)

    def _unmute(self, number: int, now: int) -> None:
        """Hear whether a noisy line has come to rest."""
        del self._muted[number]
        line = self._lines[number]
        try:
            line.listen(self._queue.put)
            self.contacts[number].resume(now, line.pressed())
        except Unreachable:
            self._say(number, self.contacts[number].lose(now))

    def _stalled(self, since: int, until: int) -> None:
        """Take note that this program did not run for a while."""
        log.warning("The buttons were not listened to for %d ms", (until - since) // MILLISECOND)
        self._stall = (since, until)

    def _after_stall(self, now: int) -> None:
        """Where a queue came out full, its oldest edges may be gone."""
        if self._stall is None or now - self._stall[1] < POLL:
            return
        (since, until), self._stall = self._stall, None
        for number, times in self._recent.items():
            queue = self._lines[number].dating.queue
            held = [at for at in times if since <= at <= until]
            if queue is not None and len(held) >= queue:
                kept = held[-queue]
                before = held[-queue - 1] if len(held) > queue else since
                self.contacts[number].record.gaps += 1
                self._say(number, [MissPresses((number,), since=before, until=kept)])

    def _say(self, number: int, reports: list[ButtonCommand]) -> None:
        """Hand on what a contact reports, and note from when on it would be worth a look."""
        contact = self.contacts[number]
        look_at = None if contact.fault == "unreachable" else contact.look_at
        if look_at is None or number in self._muted:
            self._wanted.pop(number, None)
        else:
            self._wanted[number] = look_at
        for report in reports:
            if isinstance(report, PushButton) and self._on_press is not None:
                self._on_press(report.button)
            self.hand_over(report)
