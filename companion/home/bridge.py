"""The bridge: a thread that keeps a line to the broker and tells it the table, at its own pace.

The table only drops things into the mailbox. Whatever the network does, it happens here.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct

from companion.common.clock import label
from companion.home.discovery import Introduction
from companion.home.line import BrokerLine, NoBroker, NoPaho, paho
from companion.home.mailbox import Mailbox
from companion.home.messages import Topics
from companion.home.outgoing import Lanes
from companion.home.status import HomeStatus
from companion.referee.events import Event
from companion.referee.model.table import Table
from companion.settings.broker import Home

log = logging.getLogger(__name__)

LONGEST_REST = 30.0
FAREWELL = 1.0
CLOSING = 2.0
"""Seconds that closing the table waits for the bridge at most."""


class Pace(Struct, frozen=True):
    """How patient the bridge is, in seconds."""

    first_rest: float = 1.0
    """Between two tries, doubled each time up to the longest rest."""
    steady: float = 10.0
    """A connection that lasts so long is one; a shorter one counts as a try."""


class Bell:
    """Wakes a thread that waits for the network; ringing never waits."""

    def __init__(self) -> None:
        self.reading, self._writing = socket.socketpair()
        self.reading.setblocking(False)
        self._writing.setblocking(False)

    def ring(self) -> None:
        """Ring; a bell that rings already, or hangs no more, needs no more of it."""
        with suppress(OSError):
            self._writing.send(b"!")

    def hush(self) -> None:
        """Take all rings as heard."""
        with suppress(BlockingIOError):
            while self.reading.recv(4096):
                pass

    def close(self) -> None:
        """Take it down."""
        self.reading.close()
        self._writing.close()


def introduction(home: Home, identity: str, address: str | None = None) -> Introduction | None:
    """Say how the table introduces itself, where it should."""
    if not home.discovery:
        return None
    return Introduction(identity, home.name, home.discovery_prefix, Topics(home.topic), address)


class Bridge:
    """Tells the broker everything, for as long as the table is open."""

    def __init__(
        self,
        home: Home,
        identity: str,
        table: Table,
        *,
        address: str | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._home = home
        self._client_id = home.client_id or identity
        self._introduction = introduction(home, identity, address)
        self._mailbox = Mailbox()
        self._lanes = Lanes(
            self._mailbox, table, Topics(home.topic), self._introduction, named=home.names
        )
        self._bell = Bell()
        self._closing = threading.Event()
        self._pace = pace or Pace()
        self._rest = self._pace.first_rest
        self._connected = False
        self._since = label()
        self._reason: str | None = None
        self._said: set[str] = set()
        """The troubles that the log already tells of."""
        self._thread = threading.Thread(target=self._run, name="home", daemon=True)

    def start(self) -> None:
        """Begin to look for the broker; returns at once."""
        self._thread.start()

    def put(self, table: Table, events: Sequence[Event]) -> None:
        """Take the news of the table; on its worker's thread, so this waits for nothing."""
        self._mailbox.put(table, events)
        self._bell.ring()

    def status(self) -> HomeStatus:
        """Tell how it goes."""
        return HomeStatus(self._connected, self._since, self._reason, self._mailbox.dropped)

    def close(self) -> None:
        """Say goodbye to the broker, for as long as that may take."""
        self._closing.set()
        self._bell.ring()
        if self._thread.ident is not None:
            self._thread.join(timeout=CLOSING)
        else:
            self._bell.close()

    def _run(self) -> None:
        try:
            paho()
            self._keep_trying()
        except NoPaho as missing:
            self._gone(str(missing))
        finally:
            self._bell.close()

    def _keep_trying(self) -> None:
        while not self._closing.is_set():
            try:
                self._spell()
                return
            except NoBroker as trouble:
                self._gone(str(trouble))
            except Exception as mistake:
                log.debug("A mistake in the bridge to the home.", exc_info=True)
                self._gone(f"a mistake of the companion itself, {mistake!r}")
            self._closing.wait(self._rest)
            self._rest = min(2 * self._rest, LONGEST_REST)

    def _spell(self) -> None:
        """Connect, and tell everything until the table closes; raises when the line is lost."""
        line = BrokerLine(self._home, self._client_id)
        line.open(self._closing.is_set)
        try:
            if self._introduction is not None:
                line.heed(self._introduction.birth)
            self._lanes.connected()
            self._came()
            steady = time.monotonic() + self._pace.steady
            while not self._closing.is_set():
                self._bell.hush()
                self._tell(line)
                line.wait(1.0, self._bell.reading.fileno())
                if time.monotonic() >= steady:
                    self._stays()
            self._tell(line)
            line.leave(FAREWELL)
        except BaseException:
            self._lanes.lost(line.unanswered)
            line.drop()
            raise

    def _tell(self, line: BrokerLine) -> None:
        if line.births():
            self._lanes.announce()
        while line.free and (message := self._lanes.next(time.monotonic())) is not None:
            line.send(message)

    def _came(self) -> None:
        self._connected, self._since, self._reason = True, label(), None

    def _stays(self) -> None:
        """Take the connection for a lasting one: two tables under one id would push each other out
        again and again, and nobody wants to read of each time."""
        self._rest = self._pace.first_rest
        if self._said:
            self._said.clear()
            log.warning("The home hears the table again.")

    def _gone(self, reason: str) -> None:
        if self._connected or self._reason is None:
            self._since = label()
        self._connected, self._reason = False, reason
        if reason not in self._said and not self._closing.is_set():
            self._said.add(reason)
            log.warning("The home does not hear the table: %s. The game goes on.", reason)
