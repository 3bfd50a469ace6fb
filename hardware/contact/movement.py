"""One movement of a contact: edges with hardly a rest between them."""

from __future__ import annotations

from hardware.contact.edges import Edge


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
