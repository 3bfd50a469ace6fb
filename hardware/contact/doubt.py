"""What cannot be known of a contact: how late a press is dated, and where one may be missing."""

from __future__ import annotations

from collections import deque

from companion.referee.commands import MissPresses, PushButton
from hardware.contact.edges import Dating, HandLimits
from hardware.contact.movement import Movement


class Doubt:
    """Remembers when the level was certain, and which movement could not be read."""

    def __init__(self, button: int, dating: Dating, hand: HandLimits) -> None:
        self._button = button
        self._dating = dating
        self._hand = hand
        self._certain: deque[tuple[int, int]] = deque(maxlen=16)
        self._unread: tuple[int, int] | None = None

    def certain(self, asked: int, read: int) -> None:
        """Take note that the level was known at some moment between these two."""
        self._certain.append((asked, read))

    def unreadable(self, moved: Movement) -> None:
        """Take note of a movement that may have been a push."""
        self._unread = (moved.since, moved.last)

    def press(self, moved: Movement) -> PushButton:
        """Date the push that a movement began.

        A date that was overwritten is late, never early. So a press is dated in the middle of the
        time in which it can have been, and is uncertain by half of that.
        """
        late = self._late(moved)
        return PushButton(
            button=self._button,
            at=moved.since - late // 2,
            uncertainty=self._dating.base + moved.spread + late - late // 2,
            source=self._dating.source,
        )

    def missed(self, until: int, before: int | None = None) -> MissPresses:
        """Say that a push may be missing since the level was last known for certain."""
        before = until if before is None else before
        earlier = [asked for asked, read in self._certain if read < before]
        since = max(earlier, default=before)
        return MissPresses(buttons=(self._button,), since=since, until=until)

    def _late(self, moved: Movement) -> int:
        """How much earlier than its first edge a push may have begun."""
        late = min(moved.doubt, self._hand.longest_bounce)
        if self._unread is not None and moved.since - self._unread[1] < self._hand.recoil:
            late = max(late, moved.since - self._unread[0])
        return late
