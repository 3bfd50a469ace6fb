"""What no hand does: spikes, flutter and lost contact, counted until they amount to a fault."""

from __future__ import annotations

from hardware.contact.edges import SECOND, HandLimits


class Oddities:
    """What a contact lately did that no hand does.

    `push`, `closing`, `movement` and `spike` give the moment from which the button can no longer be
    believed, or None while it can. A button that was set aside is tried by a push after some calm.
    """

    def __init__(self, hand: HandLimits) -> None:
        self._hand = hand
        self._pushes: list[int] = []
        self._closings: list[int] = []
        self._movements: list[int] = []
        self._spikes: list[int] = []
        self._calm_since = 0
        self._pushed_at: int | None = None

    def clear(self) -> None:
        """Forget everything, because the button has shown itself sound."""
        for noted in (self._pushes, self._closings, self._movements, self._spikes):
            noted.clear()

    def set_aside(self) -> None:
        """Wait for a new push to try the button with."""
        self._pushed_at = None

    def restless(self, at: int) -> None:
        """Count the calm that a button needs anew from here."""
        self._calm_since = at

    def sound_push(self, released_at: int) -> bool:
        """Tell whether the push that was released now had begun after enough calm."""
        pushed_at, self._pushed_at = self._pushed_at, None
        calm_since, self._calm_since = self._calm_since, released_at
        return pushed_at is not None and pushed_at - calm_since >= self._hand.calm

    def push(self, at: int) -> int | None:
        """A push began."""
        self._pushed_at = at
        pushes = _noted(self._pushes, at, self._hand.flutter_span)
        since = self.closing(at)
        return pushes[0] if len(pushes) >= self._hand.flutter else since

    def closing(self, at: int) -> int | None:
        """The contact closed, be it only bouncing from a release."""
        closings = _noted(self._closings, at, self._hand.flutter_span)
        return closings[0] if len(closings) >= self._hand.closings else None

    def movement(self, at: int) -> int | None:
        """The contact moved as no hand moves it."""
        self._calm_since = at
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
