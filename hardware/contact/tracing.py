"""The raw edges of the push that is under way, kept as they come and reported when it ends."""

from __future__ import annotations

from collections import deque

from companion.referee.model.trace import FIRST_KEPT, LAST_KEPT, RawEdge, Trace
from hardware.contact.edges import Dating, Edge


class Tracing:
    """Keeps a reference to each edge and nothing else, so that a press never waits for it."""

    def __init__(self, dating: Dating) -> None:
        # A keyboard encoder has debounced its keys before it tells of them.
        self._raw = dating.source != "usb"
        self._first: list[Edge] = []
        self._latest: deque[Edge] = deque(maxlen=LAST_KEPT)
        self._count = 0

    def note(self, edge: Edge, *, begins: bool) -> None:
        """Take the next edge; one that begins a movement from rest forgets the push before."""
        if not self._raw:
            return
        if begins:
            self._first = []
            self._latest.clear()
            self._count = 0
        self._count += 1
        if self._count <= FIRST_KEPT:
            self._first.append(edge)
        else:
            self._latest.append(edge)

    def trace(self, pressed_at: int) -> Trace | None:
        """Give the edges of the push that began then."""
        edges = [*self._first, *self._latest]
        if not edges:
            return None
        raw = tuple(RawEdge(edge.at - pressed_at, edge.pressed) for edge in edges)
        return Trace(raw, self._count - len(raw))
