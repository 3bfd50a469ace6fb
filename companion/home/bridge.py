"""The bridge: a thread that keeps a connection to the broker and sends it what happens.

The table only puts things into the mailbox. Everything that waits for the network happens here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from companion.home.connection.broker_thread import BrokerThread, Pace
from companion.home.connection.line import BrokerLine
from companion.home.connection.mailbox import Mailbox
from companion.home.connection.outgoing import Outgoing
from companion.home.discovery import Introduction
from companion.home.messages import OFFLINE, Message, Topics
from companion.home.status import HomeStatus
from companion.referee.events import Event
from companion.referee.model.table import Table
from companion.settings.broker import Home
from companion.view import View, view


def introduction(home: Home, identity: str, address: str | None = None) -> Introduction | None:
    """Make the introduction of the table, unless the configuration turns it off."""
    if not home.discovery:
        return None
    return Introduction(identity, home.name, home.discovery_prefix, Topics(home.topic), address)


class Bridge(BrokerThread):
    """Sends everything to the broker, for as long as the table is open."""

    def __init__(
        self,
        home: Home,
        identity: str,
        table: Table,
        *,
        address: str | None = None,
        pace: Pace | None = None,
        view_of: Callable[[Table], View] = view,
    ) -> None:
        topics = Topics(home.topic)
        super().__init__("home", Message(topics.availability, OFFLINE, retain=True), pace)
        self._home = home
        self._client_id = home.client_id or identity
        self._introduction = introduction(home, identity, address)
        self._births = 0
        """How often Home Assistant has announced its start."""
        self._mailbox = Mailbox()
        self._outgoing = Outgoing(
            self._mailbox,
            table,
            topics,
            self._introduction,
            named=home.names,
            view_of=view_of,
        )

    def put(self, table: Table, events: Sequence[Event]) -> None:
        """Take what happened at the table; its worker calls this, so it waits for nothing."""
        self._mailbox.put(table, events)
        self._wake_up.send()

    def status(self) -> HomeStatus:
        """Tell whether the broker is reached."""
        return HomeStatus(self._connected, self._since, self._reason, self._mailbox.dropped)

    def make_line(self) -> BrokerLine:
        """Make the connection, not yet opened."""
        return BrokerLine(self._home, self._client_id, will=self.farewell, heard=self._heard)

    def connected(self, line: BrokerLine) -> None:
        """Begin: the connection is new, and the broker may have lost everything."""
        if self._introduction is not None:
            line.subscribe(self._introduction.birth)
        self._outgoing.connected()

    def send_all(self, line: BrokerLine) -> None:
        """Send what is due, as far as there is room."""
        births, self._births = self._births, 0
        if births:
            self._outgoing.announce()
        while line.free and (message := self._outgoing.next(time.monotonic())) is not None:
            line.send(message)

    def lost(self, line: BrokerLine) -> None:
        """Take back what the broker may not have got."""
        self._outgoing.lost(line.unanswered)

    def _heard(self, _topic: str, payload: bytes, retained: bool) -> None:
        # A birth that the broker kept is older than this connection, which has sent all of it.
        if payload == b"online" and not retained:
            self._births += 1
