"""The temper of a table: how often its people blunder, quarrel, doubt and wander off."""

from __future__ import annotations

from msgspec import Struct


class Temper(Struct, frozen=True):
    """Chances between 0 and 1, each asked when its occasion comes."""

    illegal: float = 0.0
    """Somebody lays a card that does not fit, or out of turn."""
    insist: float = 0.0
    """The referee records it all the same."""
    nonsense: float = 0.0
    """Somebody taps something on the tablet that makes no sense now."""
    undo: float = 0.0
    restart: float = 0.0
    trouble: float = 0.0
    """A button breaks or pushes are lost."""
    quarrel: float = 0.0
    """The referee overrules, forgives, corrects, runs a race again."""
    wander: float = 0.0
    """Between rounds people come, go, change places and names, or old rounds are edited."""
    fidget: float = 0.0
    """Somebody taps a button for no reason."""
    silent: float = 0.0
    """Somebody sits down without a name, a word or a button."""
    draw: float = 0.1
    """A player draws although a card would fit."""
    later: float = 0.3
    """The colour of a wild is named only when asked for."""
    hurry: float = 0.0
    """Somebody plays on before it is named."""
    slip: float = 0.0
    """A card is told wrong, and changed right after."""
    call: float = 0.75
    catch: float = 0.35
    doubt: float = 0.3
    """Who is hit by a wild draw card challenges it."""
    bluff: float = 0.3
    """A wild draw card is laid although it is forbidden."""
    tick: float = 0.4
    """Debts are ticked when they are paid."""
    miscount: float = 0.0
    """A hand is entered wrong at first."""
    lazy: float = 0.1
    """A hand is told as a bare total."""
    absent: float = 0.04
    """A racer does not slap."""
    tie: float = 0.15
    """The last two hands come down together."""
    switch: float = 0.0
    """The table goes over from free to refereed play, or back."""
    small: float = 0.0
    """A player is small and gets a head start."""


WILD = Temper(
    illegal=0.05,
    insist=0.4,
    nonsense=0.05,
    undo=0.025,
    restart=0.006,
    trouble=0.01,
    quarrel=0.03,
    wander=0.5,
    fidget=0.04,
    silent=0.4,
    draw=0.15,
    hurry=0.3,
    slip=0.03,
    call=0.6,
    catch=0.5,
    doubt=0.4,
    bluff=0.5,
    miscount=0.15,
    lazy=0.2,
    absent=0.08,
    tie=0.25,
    switch=0.3,
    small=0.2,
)
"""The worst table that still plays by real cards."""
