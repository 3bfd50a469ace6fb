"""A phone's clock as far as the table knows it, from questions that it asked and their answers.

The phone read its clock somewhere between question and answer, so the difference of the two clocks
lies between two bounds. Bounds grow wider with age, by as much as two clocks may part, and what all
of them allow is what is known. The phone's own word is believed only inside of that.

A page that was rewritten to lie gains little: no press is surely older than `LATE` at its arrival,
nor than the last question that it answered, however long it waits. It can make its own press vague,
by as much as it leaves open; vague presses tie and win nothing.
"""

from __future__ import annotations

import secrets
from collections import deque

from msgspec import Struct

from companion.referee.model.presses import MILLISECOND

DRIFT = 200
"""Two clocks part by so many millionths at most: twice what a poor quartz does, both ways."""
GRAIN = MILLISECOND
"""Browsers tell the time no finer than this; one that says it is coarser is believed."""
TOUCH = 8 * MILLISECOND
"""A touch screen looks for fingers only so often."""
BUSY = 250 * MILLISECOND
"""A page that was busy for so long may send a touch after its answer to a later question."""
LATE = 100 * MILLISECOND
"""A press that arrives later than this may as well be younger than it says. No hand answers to what
it sees in less, so a lie of that size makes no answer to another hand into an earlier slap."""
HURRY = 100 * MILLISECOND
"""So much longer than its slowest twice may an answer take before it is missed."""
REACH = 400 * MILLISECOND
"""A phone that answers later than this cannot have presses from that time believed."""
SILENCE = 2500 * MILLISECOND
"""After so long without an answer the phone may have slept, and its clock stood still."""
SLOW = 1000 * MILLISECOND
"""And so it may have done while one answer took so long."""
GIVEN_UP = 10_000 * MILLISECOND
"""A page gives up after so long, so no press that arrives was made before."""
OPEN = 16
"""So many questions may wait for their answers; then nothing more is asked."""
TRIPS = 16
STEP = 1 << 20
"""Numbers of questions grow by chance, up to this, so that an answer cannot be guessed."""


class ClockBounds(Struct, frozen=True):
    """The difference of the two clocks lay between these bounds at a moment of the table's."""

    low: int
    high: int
    at: int

    def then(self, moment: int) -> ClockBounds:
        """What is known of another moment, which is less."""
        wider = drift(moment - self.at)
        return ClockBounds(self.low - wider, self.high + wider, moment)

    @property
    def half(self) -> int:
        """How far off the middle of the bounds may be."""
        return (self.high - self.low + 1) // 2


class Dated(Struct, frozen=True):
    """When a press was made, how far that can be off, and whether the phone was believed."""

    at: int
    uncertainty: int
    believed: bool


class PhoneClock:
    """One page on one phone, over all its connections; every time given here is the table's."""

    def __init__(self, opened: int) -> None:
        self.wake: int | None = None
        """Names a stretch in which the phone's clock went on without a break."""
        self._bounds: ClockBounds | None = None
        self._grain = GRAIN
        self._open: dict[int, int] = {}
        self._asked = 0
        self._floor = opened
        """What comes now was not sent before this."""
        self._heard = opened
        self._in_order = False
        """Whether a question was answered on this very connection."""
        self._trips: deque[int] = deque(maxlen=TRIPS)
        self._pressed: int | None = None

    def reconnect(self) -> None:
        """Begin with a new connection: what was asked on the old one is answered no more."""
        self._open.clear()
        self._in_order = False

    def wake_up(self, wake: int) -> None:
        """Forget what a clock said that may have stood still since."""
        if wake != self.wake:
            self.wake, self._bounds, self._pressed = wake, None, None

    def ask(self, now: int) -> int | None:
        """Note that a question is sent now, and tell its number; none while too many are open."""
        if len(self._open) >= OPEN:
            return None
        self._asked += 1 + secrets.randbelow(STEP)
        self._open[self._asked] = now
        return self._asked

    def owe(self, now: int) -> None:
        """Note that a phone which does not read could not be asked: it owes an answer all the same.

        One is enough; the next answer to anything later settles it.
        """
        if not self._open:
            self.ask(now)

    def answer(self, number: int, moment: int, wake: int, grain: int, now: int) -> bool:
        """Take what the phone's clock said; tells whether that had been asked at all."""
        asked = self._open.get(number)
        if asked is None:
            return False
        if now - asked > SLOW or now - self._heard > SILENCE:
            self._bounds = None
        self._open = {other: at for other, at in self._open.items() if other > number}
        self._floor, self._heard, self._in_order = asked, now, True
        self._trips.append(now - asked)
        self.wake_up(wake)
        self._grain = max(GRAIN, grain)
        doubt = self._grain + drift(now - asked)
        fresh = ClockBounds(asked - moment - doubt, now - moment + doubt, now)
        self._bounds = fresh if self._bounds is None else _both(self._bounds.then(now), fresh)
        return True

    def date(self, moment: int, wake: int, now: int) -> Dated:
        """Date a press by its moment on the phone, which has arrived just now.

        It was not made after it arrived, nor before the last answer, which was sent earlier; but a
        busy page may have held it back a little, and then it counts as made up to that answer. One
        that took unusually long may be a lie, and counts as made up to what would be usual.
        """
        earliest = self._floor - BUSY
        bounds = self._bounds
        backwards = self._pressed is not None and moment < self._pressed
        if bounds is None or wake != self.wake or backwards or self._overdue(now):
            return _on_arrival(earliest, now)
        bounds = bounds.then(moment + (bounds.low + bounds.high) // 2)
        first, last = moment + bounds.low - self._grain, moment + bounds.high + self._grain
        if last < earliest or first > now:
            return _on_arrival(earliest, now)
        if last < self._floor:
            last = self._heard
        first, last = max(first - TOUCH, earliest), min(max(last + TOUCH, now - LATE), now)
        self._pressed = moment
        return Dated((first + last) // 2, (last - first + 1) // 2, believed=True)

    def doubt(self, now: int) -> int | None:
        """How far off a press is usually dated now; none while nothing is known.

        It is not made after it arrives, which is after half of the usual round trip; that halves
        the doubt of a quick link.
        """
        if self._bounds is None or self._overdue(now):
            return None
        back = self._bounds.then(now).half + self._grain + TOUCH
        forth = sorted(self._trips)[len(self._trips) // 2] // 2
        return (back + min(back, forth) + 1) // 2

    def _overdue(self, now: int) -> bool:
        """Whether the phone has owed an answer for longer than its link can explain."""
        if not self._in_order or now - self._floor > SILENCE:
            return True
        reach = min(REACH, 2 * max(self._trips) + HURRY)
        return any(now - asked > reach for asked in self._open.values())


def drift(span: int) -> int:
    """By how much two clocks may have parted in a span."""
    return abs(span) * DRIFT // 1_000_000 + 1


def _both(one: ClockBounds, other: ClockBounds) -> ClockBounds:
    """What both allow; if they contradict each other, the clock has jumped and the newer holds."""
    low, high = max(one.low, other.low), min(one.high, other.high)
    return ClockBounds(low, high, other.at) if low <= high else other


def _on_arrival(earliest: int, now: int) -> Dated:
    """Not believed, or not known: it may have been made at any moment until now."""
    return Dated(now, min(now - earliest, GIVEN_UP), believed=False)
