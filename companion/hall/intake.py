"""The intake: the hall's own line to the broker. What tables send is kept first, then confirmed."""

from __future__ import annotations

import threading
import time

from msgspec import Struct
from msgspec.structs import replace

from companion.common.clock import label, milliseconds
from companion.hall.contract import (
    CLOCK,
    CONTRACT,
    Ack,
    Here,
    Orders,
    SentClock,
    SentResult,
    TableState,
    said,
    table_of,
    topic,
    understood,
)
from companion.hall.evening import Evening, Seating
from companion.hall.keeper import HallKeeper
from companion.home.connection.broker_thread import BrokerThread, Pace
from companion.home.connection.line import BrokerLine
from companion.home.messages import Message
from companion.journal.file import JournalError
from companion.settings.broker import Home

AT_ONCE = 500
"""So many results share one transaction at most."""
GATHERING = 0.02
"""Seconds that are waited for what else is on its way."""
LIVES = 8
"""So many earlier starts of a table are remembered."""
CLOCK_REST = 10.0
"""Seconds after which a clock that runs is told again, so that tables can compare theirs."""
PACE = Pace(first_rest=0.2, steady=2.0, longest_rest=2.0)


class TableSeen(Struct, frozen=True):
    """What the hall has heard of a table lately; nothing of it is kept on disk."""

    here: Here | None = None
    state: TableState | None = None
    since: str = ""
    foreign: bool = False
    """Whether it speaks another contract, or sends what cannot be read."""
    lives: tuple[str, ...] = ()
    """Its starts that were heard of, the latest last."""
    twins: bool = False
    """Whether an earlier start has come back, as when two tables are copies of one another."""


class Intake(BrokerThread):
    """Listens to all tables, and tells each one what it needs to know."""

    called = "hall's broker"

    def __init__(self, home: Home, keeper: HallKeeper) -> None:
        super().__init__("intake", Message("hall/all/here", b"", retain=True), PACE)
        self._home = home
        self._keeper = keeper
        self._results: list[tuple[int, SentResult]] = []
        self._sent: dict[str, bytes] = {}
        """What the broker keeps of us, as far as it was sent in this connection."""
        self._heard_from: set[int] = set()
        """Tables that have sent something, and wait to hear how far it was kept."""
        self._clock: tuple[SentClock | None, float] = (None, 0.0)
        """What the tables were last told of the round's clock, and when."""
        self._messages: tuple[Evening | None, list[Message]] = (None, [])
        """What the broker should keep, and of which evening."""
        self.seen: dict[int, TableSeen] = {}
        self._seen_lock = threading.Lock()
        self.revision = 0
        """Goes on with everything that is seen."""
        keeper.changed.append(lambda _evening: self._wake_up.send())

    def make_line(self) -> BrokerLine:
        """Make the connection, not yet opened."""
        return BrokerLine(
            self._home,
            "hall",
            will=self.farewell,
            keepalive=self._pace.keepalive,
            # The certificate may be older or younger than a clock that was put right meanwhile.
            dated=False,
            heard=self._heard,
        )

    def connected(self, line: BrokerLine) -> None:
        """Listen to the tables, and say everything anew: the broker may have lost it."""
        for what in ("result", "here", "state"):
            line.subscribe(f"hall/+/{what}")
        self._sent.clear()
        self._results.clear()
        self._clock = (None, 0.0)

    def lost(self, line: BrokerLine) -> None:
        """Hear no table any more: the next broker may not know who has fallen silent."""
        with self._seen_lock:
            for number, seen in self.seen.items():
                if seen.here is not None and seen.here.here:
                    gone = replace(seen.here, here=False)
                    self.seen[number] = replace(seen, here=gone, since=label())
            self.revision += 1

    def send_all(self, line: BrokerLine) -> None:
        """Keep what came, and only then confirm it."""
        self._gather(line)
        evening = self._keep()
        for number in sorted(self._heard_from):
            # Said again even if it is the same: the table may have missed it.
            self._sent.pop(topic(number, "ack"), None)
        self._heard_from.clear()
        self._say_clock(line, evening)
        if self._messages[0] is not evening:
            self._messages = evening, messages_of(evening)
        for message in self._messages[1]:
            if not line.free:
                return
            if self._sent.get(message.topic) != message.payload:
                self._sent[message.topic] = message.payload
                line.send(message)

    def _say_clock(self, line: BrokerLine, evening: Evening) -> None:
        """Tell the clock with the hall's own time; one that runs again and again."""
        clock, (before, then) = clock_of(evening), self._clock
        due = clock.ends is not None and time.monotonic() - then >= CLOCK_REST
        if line.free and (clock != before or due):
            self._clock = clock, time.monotonic()
            message = replace(clock, now=milliseconds(label()))
            line.send(Message(CLOCK, said(message), retain=True))

    def _gather(self, line: BrokerLine) -> None:
        """Take what else is on its way, so that a flood needs few transactions."""
        count = -1
        while count < len(self._results) < AT_ONCE and self._results:
            count = len(self._results)
            line.wait(GATHERING)

    def _keep(self) -> Evening:
        results, self._results = self._results, []
        try:
            return self._keeper.take(results) if results else self._keeper.evening
        except JournalError:
            # Not confirmed, so the tables send it again; the desk says that the disk refuses.
            return self._keeper.evening

    def _heard(self, where: str, payload: bytes, _retained: bool) -> None:
        source = table_of(where)
        if source is None:
            return
        number, what = source
        match what:
            case "result":
                self._heard_from.add(number)
                sent = understood(payload, SentResult)
                self._note(number, foreign=sent is None)
                if sent is not None:
                    self._results.append((number, sent))
            case "here" if payload:
                here = understood(payload, Here)
                self._note(number, here=here, foreign=here is None)
            case "state" if payload:
                state = understood(payload, TableState)
                self._note(number, state=state, foreign=state is None)

    def _note(
        self,
        number: int,
        here: Here | None = None,
        state: TableState | None = None,
        foreign: bool | None = None,
    ) -> None:
        with self._seen_lock:
            before = self.seen.get(number, TableSeen())
            changed = here is not None and (before.here is None or before.here.here != here.here)
            after = TableSeen(
                here or before.here,
                state or before.state,
                label() if changed else before.since,
                before.foreign if foreign is None else foreign,
                before.lives,
                before.twins,
            )
            if here is not None and here.here and here.life:
                after = _with_life(after, here.life)
            if after != before:
                self.seen[number] = after
                self.revision += 1


def _with_life(seen: TableSeen, life: str) -> TableSeen:
    """Note a start: one that is new is a restart, and one that comes back is another table."""
    if seen.lives[-1:] == (life,):
        return seen
    others = tuple(one for one in seen.lives if one != life)
    return replace(seen, lives=(*others[-LIVES:], life), twins=life in seen.lives)


def clock_of(evening: Evening) -> SentClock:
    """Tell how long the round goes on."""
    clock = evening.clock
    if clock is None:
        return SentClock(CONTRACT)
    return SentClock(CONTRACT, clock.round, clock.ends, clock.left)


def messages_of(evening: Evening) -> list[Message]:
    """Give everything that the broker should keep of the hall for its tables."""
    messages: list[Message] = []
    waiting = evening.waiting()
    seats = {one.table: one for one in (evening.round.tables if evening.round else ())}
    for number, table in evening.tables.items():
        ack = Ack(CONTRACT, table.sequence, table.seal)
        messages.append(Message(topic(number, "ack"), said(ack), retain=True))
        drawn, seating = evening.round, seats.get(number, Seating(number, ()))
        orders = Orders(
            CONTRACT,
            revision=max(evening.ordered, seating.since),
            round=0 if drawn is None else drawn.number,
            seats=tuple(
                evening.name_at_table(one) for one in seating.people if evening.people[one].here
            ),
            edition=evening.plan.edition,
            scoring=evening.plan.scoring,
            done=drawn is not None and number in seats and number not in waiting,
        )
        messages.append(Message(topic(number, "orders"), said(orders), retain=True))
    return messages
