"""Movements of a contact: edges with hardly a rest between them, and how late they date a press."""

from __future__ import annotations

from collections import deque

from companion.referee.commands import MissPresses, PushButton
from hardware.contact.edges import Dating, Edge, HandLimits


class Movement:
    """What a contact did since its first edge: when, how often, and for how long it was closed.

    `level` is how the contact read before. `numbered` says that a doubt about an edge comes from
    the kernel's own numbers, so that where there is none nothing is hidden.
    """

    def __init__(self, edge: Edge, *, level: bool, from_down: bool, numbered: bool) -> None:
        self.since = self.last = edge.at
        self.level = edge.pressed
        self.edges = 1
        self.closed = 0
        self.doubt = edge.doubt
        self.spread = edge.spread
        self.from_down = from_down
        self.pushed = False
        """Whether it was found to be a push."""
        self._numbered = numbered
        self._seen = edge.pressed != level and not (numbered and edge.doubt > 0)

    def follow(self, edge: Edge) -> None:
        """Take its next edge."""
        hidden = edge.doubt if self._numbered else 0
        if self.level:
            # Where a date is missing, the contact may have opened by then.
            self.closed += max(0, edge.at - hidden - self.last)
        self._seen &= edge.pressed != self.level and not hidden
        self.last = max(self.last, edge.at)
        self.level = edge.pressed
        self.edges += 1

    def closed_by(self, moment: int) -> int:
        """For how long it was closed in all by this moment, if no further edge came."""
        return self.closed + (moment - self.last if self.level else 0)

    @property
    def whole(self) -> bool:
        """Whether it was seen in full: an edge after which nothing has changed hides another."""
        return self._seen

    def hides(self, span: int) -> bool:
        """Whether the numbers leave so long an unknown time before it."""
        return self._numbered and self.doubt >= span


class Doubt:
    """How late a press of one contact is dated, and since when one may be missing.

    It remembers when the level was certain, and which movement could not be read.
    """

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
