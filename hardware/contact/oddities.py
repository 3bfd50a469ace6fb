"""What no hand does: spikes, flutter and lost contact, counted until they amount to a fault."""

from __future__ import annotations

from hardware.contact.edges import SECOND, HandLimits


class Oddities:
    """What a contact lately did that no hand does.

    Each method takes note of something at its moment, and gives the moment from which the button
    can no longer be believed, or None while it can.
    """

    def __init__(self, hand: HandLimits) -> None:
        self._hand = hand
        self._pushes: list[int] = []
        self._closings: list[int] = []
        self._movements: list[int] = []
        self._spikes: list[int] = []

    def clear(self) -> None:
        """Forget everything, the button having shown itself sound."""
        for noted in (self._pushes, self._closings, self._movements, self._spikes):
            noted.clear()

    def push(self, at: int) -> int | None:
        """A push began."""
        pushes = _noted(self._pushes, at, self._hand.flutter_span)
        since = self.closing(at)
        return pushes[0] if len(pushes) >= self._hand.flutter else since

    def closing(self, at: int) -> int | None:
        """The contact closed, be it only bouncing from a release."""
        closings = _noted(self._closings, at, self._hand.flutter_span)
        return closings[0] if len(closings) >= self._hand.closings else None

    def movement(self, at: int) -> int | None:
        """The contact moved as under no hand."""
        movements = _noted(self._movements, at, SECOND)
        if len(movements) < self._hand.oddities:
            return None
        # Where it flutters, it has done so from the first closing on.
        return min(movements[0], *self._closings) if self._closings else movements[0]

    def spike(self, at: int) -> int | None:
        """The contact closed for less time than any finger needs."""
        spikes = _noted(self._spikes, at, self._hand.spike_span)
        return spikes[0] if len(spikes) >= self._hand.spikes else None


def _noted(moments: list[int], at: int, span: int) -> list[int]:
    """Add a moment and keep those of the last while."""
    moments[:] = [*(one for one in moments if at - one <= span), at]
    return moments
