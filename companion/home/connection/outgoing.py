"""Messages to the broker in their order: what comes first, what is repeated, what is too late."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from companion.home.connection.mailbox import EventToTell, Mailbox
from companion.home.discovery import Introduction
from companion.home.happenings import RULINGS, Happenings
from companion.home.messages import ONLINE, Message, Topics, packed
from companion.home.people import People
from companion.home.state_messages import latest_ruling, race_of, ruling_of, state_of
from companion.referee.events import RulingGiven, RulingOverruled
from companion.referee.model.table import Table
from companion.view import View, view

FRESH = 3.0
"""Seconds after which a moment is over, and no light should flash for it any more."""


class Outgoing:
    """Chooses the next message; it knows no network and no clock of its own.

    Retained messages are sent when they differ from what the broker has. Rulings are sent one by
    one, in order, also those of an outage. Moments are sent at once or never.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        table: Table,
        topics: Topics,
        introduction: Introduction | None,
        *,
        named: bool = True,
        view_of: Callable[[Table], View] = view,
    ) -> None:
        self._view_of = view_of
        self._mailbox = mailbox
        self._table = table
        self._happenings = Happenings(table)
        self._topics = topics
        self._introduction = introduction
        self._named = named
        self._current = self._all_retained()
        self._sent: dict[str, bytes] = {}
        """What the broker keeps, as far as it was sent in this connection."""
        self._announcing: deque[Message] = deque()
        self._news: deque[Message] = deque()
        self._seats: frozenset[int] = frozenset()

    def connected(self) -> None:
        """Believe nothing of what the broker had: it may have lost it all."""
        self._sent.clear()
        self.announce()

    def announce(self) -> None:
        """Introduce the table again."""
        self._announcing.clear()
        self._empty_mailbox()
        self._seats = frozenset(seat.number for seat in self._table.game.seats)
        if self._introduction is not None:
            self._announcing.extend(self._introduction.messages(self._seats))

    def lost(self, messages: Sequence[Message]) -> None:
        """Take back what the broker may not have got; rulings are sent again."""
        self._news.extendleft(reversed([one for one in messages if one.keep]))

    def next(self, now: float) -> Message | None:
        """Give the next message, or None when all is sent."""
        if not self._news:
            self._empty_mailbox()
        topics = self._topics
        message = (
            self._first(self._announcing, now)
            or self._retained(topics.state)
            or self._retained(topics.race)
            or self._first(self._news, now)
            or self._retained(topics.ruling)
            or self._retained(topics.availability)
        )
        if message is not None and message.retain:
            self._sent[message.topic] = message.payload
        return message

    def _first(self, waiting: deque[Message], now: float) -> Message | None:
        while waiting:
            message = waiting.popleft()
            if message.until is None or now < message.until:
                return message
        return None

    def _retained(self, topic: str) -> Message | None:
        current = self._current[topic]
        return None if self._sent.get(topic) == current else Message(topic, current, retain=True)

    def _empty_mailbox(self) -> None:
        """Take what is new out of the mailbox."""
        table, news, anew = self._mailbox.take()
        if anew:
            self._news.clear()
            self._happenings = Happenings(table if table is not None else self._table)
        if table is not None:
            self._table = table
            self._current = self._all_retained()
            self._announce_changes()
        for one in news:
            self._news.extend(self._messages(one))

    def _all_retained(self) -> dict[str, bytes]:
        table, topics = self._table, self._topics
        shown, people = self._view_of(table), People(table, named=self._named)
        return {
            topics.state: packed(state_of(shown, people)),
            topics.race: race_of(shown).encode(),
            topics.ruling: packed(ruling_of(latest_ruling(table), table, people)),
            topics.availability: ONLINE,
        }

    def _announce_changes(self) -> None:
        seats = frozenset(seat.number for seat in self._table.game.seats)
        if self._introduction is not None:
            self._announcing.extend(
                self._introduction.seat(seat, taken=seat in seats)
                for seat in sorted(seats ^ self._seats)
            )
        self._seats = seats

    def _messages(self, news: EventToTell) -> Iterable[Message]:
        people = People(news.table, named=self._named)
        if isinstance(news.event, RULINGS):
            assert isinstance(news.event, RulingGiven | RulingOverruled)
            ruling = ruling_of(news.event.ruling, news.table, people)
            yield Message(self._topics.ruling, packed(ruling), retain=True, keep=True)
        for moment in self._happenings.of(news.event, news.table, people):
            yield Message(self._topics.event, packed(moment), until=news.at + FRESH)
