"""Moments of a match that people talk about later: races, catches and calls.

What was taken back, overruled or withdrawn is no moment.
"""

from __future__ import annotations

from msgspec import Struct

from companion.referee.model.presses import SECOND
from companion.referee.model.rulings import UNDECIDED, Outcome

ONE_CALL = 3 * SECOND
"""Calls of one player that follow each other this closely are one."""


class Slap(Struct, frozen=True):
    """A racer's hand; no time means that it never came, or came before the light."""

    player: int
    after: int | None
    """When it counts: nanoseconds after the first hand, or after the light of a slap-off."""
    handicap: int = 0
    """How much later than that it really came."""
    early: bool = False
    """Whether it came before the light."""
    hammered: bool = False
    """Whether the button was hammered, so that its time says nothing."""

    @property
    def came(self) -> bool:
        """Whether there was a hand at all."""
        return self.after is not None or self.early or self.hammered


class RaceHighlight(Struct, frozen=True):
    """A Street Race or a slap-off that was judged, by player number."""

    ruling: int
    round: int
    how: str
    """How it became known: `tablet`, `card`, `hands`, or `slap_off`."""
    start: int
    """The first hand, or the light of a slap-off."""
    layer: int | None
    slaps: tuple[Slap, ...]
    """In the order in which the hands counted."""
    last: tuple[int, ...]
    """Who was last; several where it could not be told apart, or nobody came."""
    margin: int | None
    outcome: Outcome = "last"
    tied: tuple[int, ...] = ()
    """Whose hands nobody can put in order, even where the referee has then named one of them."""
    heat: bool = False
    """Whether that is because they came together."""
    of: int = 0
    """The first ruling of the Street Race that this belongs to, itself or as its slap-off."""
    doubt: int | None = None
    """Closer than this the last two could not have been told apart."""
    unusable: tuple[int, ...] = ()
    """Who raced without a button that works, so that nobody knows when their hands came."""

    @property
    def decided(self) -> bool:
        """Whether it is known who was last."""
        return self.outcome not in UNDECIDED


class CatchHighlight(Struct, frozen=True):
    """A catch and what came of it, by player number."""

    ruling: int
    round: int
    player: int | None
    by: int | None
    caught: bool
    called: bool = False
    """Whether it failed because the call came first."""


class CallHighlight(Struct, frozen=True):
    """A push or tap that the table took for a call."""

    round: int
    player: int
    at: int


class Highlights(Struct, frozen=True):
    """What is told of one match."""

    races: tuple[RaceHighlight, ...] = ()
    catches: tuple[CatchHighlight, ...] = ()
    calls: tuple[CallHighlight, ...] = ()
