"""A thread that keeps a connection to a broker; to leave it a message never waits."""

from __future__ import annotations

import logging
import socket
import threading
import time
from contextlib import suppress

from msgspec import Struct

from companion.common.clock import label
from companion.home.connection.line import KEEPALIVE, BrokerLine, NoBroker, NoPaho, NotLetIn, paho
from companion.home.messages import Message
from companion.home.status import HomeStatus

log = logging.getLogger(__name__)

LONGEST_REST = 30.0
FAREWELL = 1.0
CLOSING = 2.0
"""Seconds that closing the table waits for the thread at most."""


class Pace(Struct, frozen=True):
    """How patient the thread is, in seconds."""

    first_rest: float = 1.0
    """Between two tries, doubled each time up to the longest rest."""
    steady: float = 10.0
    """A connection that lasts so long is one; a shorter one counts as a try."""
    longest_rest: float = LONGEST_REST
    keepalive: int = KEEPALIVE
    """Of silence, after which both ends ask."""


class WakeUp:
    """Wakes a thread that waits for the network; sending the signal never waits."""

    def __init__(self) -> None:
        self.reading, self._writing = socket.socketpair()
        self.reading.setblocking(False)
        self._writing.setblocking(False)

    def send(self) -> None:
        """Wake the thread; where a signal waits already, or it is closed, nothing is needed."""
        with suppress(OSError):
            self._writing.send(b"!")

    def clear(self) -> None:
        """Take all signals as received."""
        with suppress(BlockingIOError):
            while self.reading.recv(4096):
                pass

    def close(self) -> None:
        """Close both ends."""
        self.reading.close()
        self._writing.close()


class BrokerThread:
    """Connects again and again until it is closed; what is said there, its children decide."""

    called = "broker"
    """What the log calls the other end."""

    def __init__(self, name: str, farewell: Message, pace: Pace | None = None) -> None:
        self.farewell = farewell
        """What is said at the end, by ourselves or as a last will."""
        self._wake_up = WakeUp()
        self._closing = threading.Event()
        self._pace = pace or Pace()
        self._rest = self._pace.first_rest
        self._connected = False
        self._since = label()
        self._reason: str | None = None
        self._let_in = True
        self._logged: set[str] = set()
        """The failures that are in the log already."""
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to look for the broker; returns at once."""
        self._thread.start()

    def status(self) -> HomeStatus:
        """Tell whether the broker is reached."""
        return HomeStatus(self._connected, self._since, self._reason)

    def close(self) -> None:
        """Tell the broker that this end closes, and wait for that a little."""
        self._closing.set()
        self._wake_up.send()
        if self._thread.ident is not None:
            self._thread.join(timeout=CLOSING)
        else:
            self._wake_up.close()

    def make_line(self) -> BrokerLine:
        """Make the connection, not yet opened."""
        raise NotImplementedError

    def connected(self, line: BrokerLine) -> None:
        """Begin: the connection is new, and the broker may have lost everything."""
        raise NotImplementedError

    def send_all(self, line: BrokerLine) -> None:
        """Send what is due, as far as there is room; called after everything that happens."""
        raise NotImplementedError

    def lost(self, line: BrokerLine) -> None:
        """Take back what the broker may not have got."""

    def not_reached(self) -> None:
        """Hear that there is no connection; the status tells why."""

    def _run(self) -> None:
        try:
            paho()
            self._keep_trying()
        except NoPaho as missing:
            self._note_failure(str(missing))
        finally:
            self._wake_up.close()

    def _keep_trying(self) -> None:
        while not self._closing.is_set():
            try:
                self._connect_and_send()
                return
            except NoBroker as trouble:
                self._let_in = not isinstance(trouble, NotLetIn)
                self._note_failure(str(trouble))
                self.not_reached()
            except Exception as mistake:
                log.debug("A mistake in the thread of the %s.", self.called, exc_info=True)
                self._note_failure(f"a mistake of the companion itself, {mistake!r}")
            self._closing.wait(self._rest)
            self._rest = min(2 * self._rest, self._pace.longest_rest)

    def _connect_and_send(self) -> None:
        """Connect, and send everything until this end closes; raise when that is cut off."""
        line = self.make_line()
        line.open(self._closing.is_set)
        try:
            self.connected(line)
            self._connected, self._since, self._reason = True, label(), None
            self._let_in = True
            steady = time.monotonic() + self._pace.steady
            while not self._closing.is_set():
                self._wake_up.clear()
                self.send_all(line)
                line.wait(1.0, self._wake_up.reading.fileno())
                if time.monotonic() >= steady:
                    self._note_lasting()
            self.send_all(line)
            line.leave(self.farewell, FAREWELL)
        except BaseException:
            self.lost(line)
            line.drop()
            raise

    def _note_lasting(self) -> None:
        """Take the connection for a lasting one.

        Two tables under one id push each other out again and again; that is logged once.
        """
        self._rest = self._pace.first_rest
        if self._logged:
            self._logged.clear()
            log.warning("The %s is reached again.", self.called)

    def _note_failure(self, reason: str) -> None:
        if self._connected or self._reason is None:
            self._since = label()
        self._connected, self._reason = False, reason
        if reason not in self._logged and not self._closing.is_set():
            self._logged.add(reason)
            log.warning("The %s cannot be reached: %s. The game goes on.", self.called, reason)
