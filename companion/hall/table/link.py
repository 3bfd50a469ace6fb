"""The link of a table to its hall: a thread of its own, for which the table never waits."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from companion import __version__
from companion.care.power import Power
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
    topic,
    understood,
)
from companion.hall.table.membership import Membership
from companion.home.connection.broker_thread import BrokerThread, Pace
from companion.home.connection.line import BrokerLine
from companion.home.messages import Message
from companion.referee.model.presses import MILLISECOND, SECOND

WINDOW = 32
"""So many results may be on their way without being confirmed."""
AGAIN = 3.0
"""Seconds of silence from the hall after which results are sent again."""
STATE_REST = 0.5
"""Seconds between two messages of how the table stands."""
POWER_REST = 30.0
"""Seconds after which the kernel is asked again how the machine gets its power."""
PACE = Pace(first_rest=0.5, longest_rest=10.0, keepalive=10)
"""A table that falls silent is missed at the desk after a quarter of a minute."""


class HallStatus(Struct, frozen=True):
    """What a table shows of its hall; it means nothing for the game."""

    table: int
    title: str
    connected: bool
    since: str
    reason: str | None
    unsent: int
    """Results that the hall has not confirmed, as far as they were read."""
    behind: bool
    """Whether the hall has more of this table than its journal: it was restored."""
    foreign: bool
    """Whether the hall speaks another contract, so that nothing of it can be read."""
    taken_out: bool = False
    """Whether the hall does not know this table any more, or is another hall."""
    round: int = 0
    seats: tuple[str, ...] = ()
    edition: str | None = None
    scoring: str | None = None
    done: bool = False
    ends: int | None = None
    """When time is up, in nanoseconds of the table's own clock, whatever the wall's clock says."""
    left: int = 0


class TableSide(Protocol):
    """What the link asks of a table, whole or light."""

    def follows(self, ack: Ack) -> bool:
        """Whether its journal holds what the hall has of it."""

    def after(self, ack: Ack) -> Iterable[SentResult]:
        """Give every result that the hall does not have, each following the one before it.

        Each may take a while to be read, and no more are read than can be on their way.
        """

    def state(self, unsent: int) -> TableState:
        """Tell how it stands there."""

    def follow(self, orders: Orders) -> bool:
        """Do what the hall asks, if that is possible now; tell whether it was."""


class TableLink(BrokerThread):
    """Tells the hall what happens at this table, and does what the hall asks between matches."""

    called = "hall"

    def __init__(
        self,
        membership: Membership,
        folder: Path,
        side: TableSide,
        *,
        pace: Pace = PACE,
        again: float = AGAIN,
        changed: Callable[[], None] = lambda: None,
        now: Callable[[], int] = time.monotonic_ns,
        time_up: Callable[[Orders], bool] = lambda _orders: False,
        broken: Callable[[], tuple[int, ...]] = lambda: (),
        power: Callable[[], Power] = Power,
    ) -> None:
        """Be ready; `time_up` ends the match when it can, `broken` names buttons set aside."""
        self.membership = membership
        gone = Here(CONTRACT, here=False, identity=membership.identity)
        where = topic(membership.table, "here")
        super().__init__("hall", Message(where, said(gone), retain=True), pace)
        self._folder = folder
        self._side = side
        self._again = again
        self._changed = changed
        self._shown: HallStatus | None = None
        """What the table's screens were last told to show."""
        self._ack: Ack | None = None
        """None until the hall has said how far it has come."""
        self._pending: list[SentResult] = []
        self._looked = False
        """Whether the outbox was looked through since something changed."""
        self._sent_up_to = 0
        self._sent_at = 0.0
        self._state: tuple[bytes, float] = (b"", 0.0)
        self._here = b""
        self._behind = False
        self._orders = Orders(CONTRACT, 0)
        self._followed = 0
        """The revision of the orders that the table has followed."""
        self._now = now
        self._clock = SentClock(CONTRACT)
        self._ahead: int | None = None
        """How far the hall's clock is ahead of the table's own, once that was heard."""
        self._ends: int | None = None
        self._time_up = time_up
        self._ended = 0
        """The round whose match was ended because time was up; an undo is not ended twice."""
        self._broken = broken
        self._ask_power = power
        self._power, self._power_at = Power(), -POWER_REST
        self._foreign = False
        self._life = secrets.token_hex(4)

    def look(self) -> None:
        """Notice that a result may have changed; the table's worker calls this, so nothing waits.

        How the table stands is sent within a second anyway: a press is never in its way.
        """
        self._looked = False
        self._wake_up.send()

    def hall_status(self) -> HallStatus:
        """Tell how it stands with the hall."""
        status, orders = self.status(), self._orders
        return HallStatus(
            table=self.membership.table,
            title=self.membership.title,
            connected=status.connected,
            since=status.since,
            reason=status.reason,
            unsent=len(self._pending),
            behind=self._behind,
            foreign=self._foreign,
            taken_out=not self._let_in,
            round=orders.round,
            seats=orders.seats,
            edition=orders.edition,
            scoring=orders.scoring,
            done=orders.done,
            ends=self._ends,
            left=self._clock.left,
        )

    def make_line(self) -> BrokerLine:
        """Make the connection, not yet opened."""
        home = self.membership.home(self._folder)
        client = f"table-{self.membership.table}-{self.membership.identity}"
        return BrokerLine(
            home,
            client,
            will=self.farewell,
            keepalive=self._pace.keepalive,
            # A Pi without a battery may be years off; the certificate is the hall's own anyway.
            dated=False,
            heard=self._heard,
        )

    def connected(self, line: BrokerLine) -> None:
        """Begin anew: what was on its way may be lost."""
        for what in ("ack", "orders"):
            line.subscribe(topic(self.membership.table, what))
        line.subscribe(CLOCK)
        self._here, self._state = b"", (b"", 0.0)
        self._sent_up_to = 0

    def send_all(self, line: BrokerLine) -> None:
        """Say how the table stands, and send what the hall does not have."""
        self._show()
        orders = self._orders
        if orders.revision != self._followed and orders.seats and not orders.done:
            self._followed = orders.revision if self._side.follow(orders) else self._followed
        self._end_in_time(orders)
        self._look()
        number, now = self.membership.table, time.monotonic()
        if now - self._power_at >= POWER_REST:
            self._power, self._power_at = self._ask_power(), now
        here = said(
            Here(
                CONTRACT,
                release=__version__,
                identity=self.membership.identity,
                behind=self._behind,
                broken=self._broken(),
                battery=self._power.battery,
                weak=self._power.weak,
                life=self._life,
            )
        )
        if here != self._here and line.free:
            self._here = here
            line.send(Message(topic(number, "here"), here, retain=True))
        if now - self._state[1] >= STATE_REST and line.free:
            state = said(self._side.state(len(self._pending)))
            if state != self._state[0]:
                line.send(Message(topic(number, "state"), state, retain=True))
                self._state = state, now
        if self._pending and now - self._sent_at >= self._again:
            self._sent_up_to = 0
        for result in self._pending:
            if result.sequence > self._sent_up_to and line.free:
                line.send(Message(topic(number, "result"), said(result)))
                self._sent_up_to, self._sent_at = result.sequence, now

    def _end_in_time(self, orders: Orders) -> None:
        """Let the match end once the round that is dealt is scored, when the hall's time is up.

        Only where the hall's own time was heard: a wrong clock must not end a match.
        """
        if self._ends is None or self._ahead is None or self._clock.round != orders.round:
            return
        due = not orders.done and self._ended != orders.round and self._now() >= self._ends
        if due and self._time_up(orders):
            self._ended = orders.round

    def lost(self, line: BrokerLine) -> None:
        """Let the table show that the hall is not heard."""
        self._shown = None
        self._changed()

    def not_reached(self) -> None:
        """Let the table show why, where that is something new."""
        self._show()

    def _show(self) -> None:
        if self._shown != (shown := self.hall_status()):
            self._shown = shown
            self._changed()

    def _look(self) -> None:
        """Look through the journal for what the hall lacks, when something has changed."""
        if self._looked or self._ack is None:
            return
        self._looked = True
        self._behind = not self._side.follows(self._ack)
        after = () if self._behind else self._side.after(self._ack)
        self._pending = list(islice(after, WINDOW))

    def _heard(self, where: str, payload: bytes, retained: bool) -> None:
        kinds: dict[str, type[Ack | Orders | SentClock]] = {"ack": Ack, "orders": Orders}
        message = understood(
            payload, SentClock if where == CLOCK else kinds[where.rpartition("/")[2]]
        )
        self._foreign = message is None
        match message:
            case Ack() if message != self._ack:
                self._confirmed(message)
            case Orders():
                self._orders = message
            case SentClock():
                self._follow_clock(message, fresh=not retained)
            case _:
                pass

    def _confirmed(self, ack: Ack) -> None:
        """Go on after what the hall has; only where nothing is left, the journal is read again."""
        self._ack = ack
        pending = [(one.sequence, one.seal) for one in self._pending]
        has = (ack.sequence, ack.seal)
        self._pending = self._pending[pending.index(has) + 1 :] if has in pending else []
        self._looked = self._looked and bool(self._pending)

    def _follow_clock(self, clock: SentClock, *, fresh: bool) -> None:
        """Tell the end of the round in the table's own time; its wall's clock is a last resort."""
        own = self._now() // MILLISECOND
        if fresh and clock.now:
            self._ahead = clock.now - own
        ahead = milliseconds(label()) - own if self._ahead is None else self._ahead
        ends = None if clock.ends is None else (clock.ends - ahead) * MILLISECOND
        near = self._ends is not None and ends is not None and abs(ends - self._ends) < SECOND
        self._ends = self._ends if near else ends
        self._clock = clock
