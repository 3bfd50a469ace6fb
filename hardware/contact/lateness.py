"""How late the kernel's own thread may run, as far as it can be measured while the table runs."""

from __future__ import annotations

from collections import deque

from hardware.contact.edges import MILLISECOND

BLOCK = 64
BLOCKS = 8
"""So many edges make a block, and so many blocks are remembered."""
UNKNOWN = 20 * MILLISECOND
"""What is assumed until one block is full."""
LEAST = 1 * MILLISECOND
"""No system is believed to be more punctual than this."""


class Lateness:
    """The worst delay between an edge and its arrival here, over the last few hundred edges.

    An edge arrives after its thread has run, so the thread was no later than that. Only what was
    waited for tells something: an edge that was not waited for has other reasons to be late.
    """

    def __init__(self) -> None:
        self._blocks: deque[int] = deque(maxlen=BLOCKS)
        self._worst = 0
        self._count = 0

    def note(self, delay: int) -> None:
        """Take one more arrival."""
        self._worst = max(self._worst, delay)
        self._count += 1
        if self._count == BLOCK:
            self._blocks.append(self._worst)
            self._worst = self._count = 0

    @property
    def bound(self) -> int:
        """How late a thread may have run, by all that is known."""
        if not self._blocks:
            return max(UNKNOWN, self._worst)
        return max(LEAST, self._worst, *self._blocks)
