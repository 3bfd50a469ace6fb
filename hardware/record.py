"""What one contact has shown of itself: its pushes, how it bounces, how long it dwells."""

from __future__ import annotations

from collections import deque
from statistics import median

MILLISECOND = 1_000_000
REMEMBERED = 32
ACQUAINTED = 8
LEAST_BOUNCE = MILLISECOND // 2
LONGEST_BOUNCE = 5 * MILLISECOND
LATEST_THREAD = 20 * MILLISECOND


class Record:
    """The running record of one contact.

    It serves the person with the screwdriver, and it bounds how much of a push the kernel can
    hide: a date that was overwritten is late by less than the contact bounces.
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
        self._whole: deque[int] = deque(maxlen=REMEMBERED)
        self.dwells: deque[int] = deque(maxlen=REMEMBERED)

    def pressed(self, at: int, uncertainty: int) -> None:
        """Count a press."""
        self.presses += 1
        self.last_press = at
        self.last_uncertainty = uncertainty

    def bounced(self, edges: int, span: int, *, whole: bool = True) -> None:
        """Note how many edges followed the first of a push, and for how long.

        Where the first edge may be missing, a short bounce proves nothing.
        """
        self.last_bounces = edges
        self.bounces += edges
        self.spans.append(span)
        if whole or span > max(self._whole, default=0):
            self._whole.append(span)

    def released(self, dwell: int) -> None:
        """Note how long the button was held."""
        self.dwells.append(dwell)

    def likely_bounce(self) -> int:
        """Say how long this contact may bounce, generously, from what it has shown so far.

        A contact that has not been pushed often enough is taken for as bad as arcade switches come.
        No bounce hides longer than the kernel's own thread can be late.
        """
        longest = max(self._whole, default=0)
        shown = longest * 5 // 4 if len(self._whole) == REMEMBERED else 2 * longest
        least = LONGEST_BOUNCE if len(self._whole) < ACQUAINTED else LEAST_BOUNCE
        return min(max(shown, least), LATEST_THREAD)

    @property
    def typical_bounce(self) -> int:
        """The middle one of the remembered bounces."""
        return int(median(self.spans)) if self.spans else 0

    @property
    def typical_dwell(self) -> int:
        """The middle one of the remembered dwells."""
        return int(median(self.dwells)) if self.dwells else 0
