"""What one contact has shown of itself: its pushes, how it bounces, how long it dwells."""

from __future__ import annotations

from collections import deque
from statistics import median

from companion.referee.model.trace import FIRST_KEPT, LAST_KEPT, RawEdge, Trace
from hardware.contact.edges import Dating, Edge

REMEMBERED = 32


class BounceHistory:
    """The running record of one contact, for the person with the screwdriver.

    It decides nothing: how gently a contact was pushed so far says nothing about the next slap.
    """

    def __init__(self) -> None:
        self.presses = 0
        self.last_press: int | None = None
        self.last_uncertainty = 0
        self.last_bounces = 0
        self.bounces = 0
        self.flickers = 0
        self.blips = 0
        self.gaps = 0
        self.faults = 0
        self.spans: deque[int] = deque(maxlen=REMEMBERED)
        self.dwells: deque[int] = deque(maxlen=REMEMBERED)

    def pressed(self, at: int, uncertainty: int) -> None:
        """Count a press."""
        self.presses += 1
        self.last_press = at
        self.last_uncertainty = uncertainty

    def bounced(self, edges: int, span: int) -> None:
        """Note how many edges followed the first of a push, and for how long."""
        self.last_bounces = edges
        self.bounces += edges
        self.spans.append(span)

    def released(self, dwell: int) -> None:
        """Note how long the button was held."""
        self.dwells.append(dwell)

    @property
    def typical_bounce(self) -> int:
        """The middle one of the remembered bounces."""
        return int(median(self.spans)) if self.spans else 0

    @property
    def typical_dwell(self) -> int:
        """The middle one of the remembered dwells."""
        return int(median(self.dwells)) if self.dwells else 0


class Tracing:
    """The raw edges of the push that is under way, which are reported when it ends.

    It keeps a reference to each edge and nothing else, so that a press never waits for it.
    """

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
