"""What one contact has shown of itself: its pushes, how it bounces, how long it dwells."""

from __future__ import annotations

from collections import deque
from statistics import median

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
