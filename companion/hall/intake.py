"""The intake: the hall's own line to the broker. What tables send is kept first, then confirmed."""

from __future__ import annotations

import threading

from msgspec import Struct

from companion.common.clock import label
from companion.hall.contract import (
    CLOCK,
    CONTRACT,
    Ack,
    Clock,
    Here,
    Orders,
    SentResult,
    TableState,
    said,
    table_of,
    topic,
    understood,
)
from companion.hall.evening import Evening
from companion.hall.keeper import HallKeeper
from companion.home.broker_thread import BrokerThread, Pace
from companion.home.line import BrokerLine
from companion.home.messages import Message
from companion.journal.file import JournalError
from companion.settings.broker import Home

AT_ONCE = 500
"""So many results share one transaction at most."""
GATHERING = 0.02
"""Seconds that are waited for what else is on its way."""
PACE = Pace(first_rest=0.2, steady=2.0, longest_rest=2.0)


class TableSeen(Struct, frozen=True):
    """What the hall has heard of a table lately; nothing of it is kept on disk."""

    here: Here | None = None
    state: TableState | None = None
    since: str = ""
    foreign: bool = False
    """Whether it speaks another contract, or says what nobody can read."""


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
        self._messages: tuple[Evening | None, list[Message]] = (None, [])
        """What the broker should keep, and of which evening."""
        self.seen: dict[int, TableSeen] = {}
        self._seen_lock = threading.Lock()
        self.revision = 0
        """Goes on with everything that is seen."""
        keeper.changed.append(lambda _evening: self._wake_up.send())

    def make_line(self) -> BrokerLine:
        """Make the connection, not yet opened."""
        return BrokerLine(self._home, "hall", will=self.farewell, heard=self._heard)

    def connected(self, line: BrokerLine) -> None:
        """Listen to the tables, and say everything anew: the broker may have lost it."""
        for what in ("result", "here", "state"):
            line.subscribe(f"hall/+/{what}")
        self._sent.clear()
        self._results.clear()

    def send_all(self, line: BrokerLine) -> None:
        """Keep what came, and only then confirm it."""
        self._gather(line)
        evening = self._keep()
        for number in sorted(self._heard_from):
            # Said again even if it is the same: the table may have missed it.
            self._sent.pop(topic(number, "ack"), None)
        self._heard_from.clear()
        if self._messages[0] is not evening:
            self._messages = evening, messages_of(evening)
        for message in self._messages[1]:
            if not line.free:
                return
            if self._sent.get(message.topic) != message.payload:
                self._sent[message.topic] = message.payload
                line.send(message)

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
        found = table_of(where)
        if found is None:
            return
        number, what = found
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
                self._note(number, state=understood(payload, TableState))

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
            )
            if after != before:
                self.seen[number] = after
                self.revision += 1


def messages_of(evening: Evening) -> list[Message]:
    """Give everything that the broker should keep of the hall."""
    clock = evening.clock
    told = (
        Clock(CONTRACT) if clock is None else Clock(CONTRACT, clock.round, clock.ends, clock.left)
    )
    messages = [Message(CLOCK, said(told), retain=True)]
    waiting = evening.waiting()
    seats = {one.table: one.people for one in (evening.round.tables if evening.round else ())}
    for number, table in evening.tables.items():
        ack = Ack(CONTRACT, table.sequence, table.seal)
        messages.append(Message(topic(number, "ack"), said(ack), retain=True))
        drawn = evening.round
        orders = Orders(
            CONTRACT,
            revision=evening.ordered,
            round=0 if drawn is None else drawn.number,
            seats=tuple(evening.name(person) for person in seats.get(number, ())),
            edition=evening.plan.edition,
            scoring=evening.plan.scoring,
            done=drawn is not None and number in seats and number not in waiting,
        )
        messages.append(Message(topic(number, "orders"), said(orders), retain=True))
    return messages
