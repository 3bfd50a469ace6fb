"""What really happened in one round, as nobody at the table could write it down."""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.commands import Way
from companion.referee.model.cards import Card, Colour
from companion.referee.model.presses import MILLISECOND
from tests.simulation.people import UNCERTAINTY, Touch

TOO_CLOSE = 1 * MILLISECOND + 2 * UNCERTAINTY
"""Two presses closer than this have no order that anybody could prove."""


@dataclass(frozen=True, slots=True)
class TrueTurn:
    """One turn: who laid what and when; no card means that one was drawn and kept."""

    number: int
    at: int
    seat: int
    card: Card | None
    colour: Colour | None
    """The colour that was named for a wild."""
    left: int
    """Cards in the hand after it."""


@dataclass(frozen=True, slots=True)
class TrueRace:
    """One Street Race: when it was laid, by whom, and when each racer slapped."""

    number: int
    laid: int
    layer: int
    slaps: dict[int, int | None]
    turn: int

    @property
    def last(self) -> tuple[int, ...]:
        """Who was last: all that never slapped, or else the latest hand."""
        absent = tuple(seat for seat, at in sorted(self.slaps.items()) if at is None)
        if absent:
            return absent
        return (max(self.slaps, key=lambda seat: self.slaps[seat] or 0),)

    @property
    def too_close(self) -> bool:
        """Whether the last two slaps cannot be told apart."""
        made = sorted(at for at in self.slaps.values() if at is not None)
        everybody = len(made) == len(self.slaps)
        return everybody and len(made) > 1 and made[-1] - made[-2] <= TOO_CLOSE

    @property
    def over(self) -> int:
        """When the last hand that came was down."""
        return max((at for at in self.slaps.values() if at is not None), default=self.laid)


@dataclass(frozen=True, slots=True)
class TrueCatch:
    """Somebody caught a player: by two presses, or by one and a tap on the tablet."""

    by: int
    at: int


@dataclass(frozen=True, slots=True)
class TrueWindow:
    """A player on the last card but one: the call, the catch, and when the next player began."""

    number: int
    laid: int
    seat: int
    closed: int
    call: int | None
    catch: TrueCatch | None
    turn: int

    @property
    def caught(self) -> bool:
        """Whether a catch came in time and before any call."""
        if self.catch is None or self.catch.at >= self.closed:
            return False
        return self.call is None or self.call > self.catch.at

    @property
    def too_close(self) -> bool:
        """Whether call and catch, or catch and next turn, cannot be told apart."""
        if self.catch is None:
            return False
        beside = [self.closed] if self.call is None else [self.closed, self.call]
        return any(abs(self.catch.at - at) <= TOO_CLOSE for at in beside)


@dataclass(frozen=True, slots=True)
class Truth:
    """One round."""

    seed: int
    players: int
    edition: str
    way: Way
    began: int
    hands: dict[int, int]
    """The cards of each at the beginning."""
    turns: tuple[TrueTurn, ...]
    races: tuple[TrueRace, ...]
    windows: tuple[TrueWindow, ...]
    touches: tuple[Touch, ...]
    ended: int

    @property
    def seats(self) -> range:
        """Everybody at the table."""
        return range(1, self.players + 1)
