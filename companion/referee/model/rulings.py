"""Rulings: what the referee decided, by which rule, with what consequence, and on what evidence."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.referee.model.cards import Card, Colour
from companion.referee.model.presses import Gap, Press
from companion.referee.sentences import Sentence


class Draws(Struct, frozen=True):
    """So many cards for this seat."""

    seat: int
    cards: int


class Place(Struct, frozen=True):
    """Where one racer came in; no press means that no slap was seen."""

    seat: int
    press: Press | None
    after: int | None
    """When the slap counts, in nanoseconds after the start; None where it came before it."""
    behind: int | None
    """Nanoseconds behind the place before."""
    handicap: int = 0
    """How much earlier than it was made the slap counts; the press itself is never changed."""
    early: bool = False
    """Whether it came before the light of a slap-off."""
    hammered: bool = False
    """Whether the seat was hammering its button, and so ranks behind every hand at rest."""


class Finish(Struct, frozen=True, tag="finish"):
    """The slaps of a race in order, and who can have been last."""

    layer: int
    start: int
    """The first hand of a race, as it counts, or the light of a slap-off."""
    places: tuple[Place, ...]
    last: tuple[int, ...]
    """One seat, or all that cannot be told apart."""
    margin: int | None
    """How far the last slap lay behind the one before it."""
    doubt: int | None
    """The margin below which those two cannot be told apart."""
    no_slap: bool = False
    """Whether those in last place never slapped."""
    early: tuple[int, ...] = ()
    """In a slap-off, who pressed before the light."""
    hammered: tuple[int, ...] = ()
    """Seats that hammered the button instead of slapping once."""
    gaps: tuple[Gap, ...] = ()
    unusable: tuple[int, ...] = ()
    """Racers without a button that works and without a slap, who may have been last."""
    by_handicap: bool = False
    """Whether others would have been last without the head starts."""


class Calling(Struct, frozen=True, tag="calling"):
    """A call and a catch on one time axis."""

    seat: int
    by: int | None
    call: Press | None
    catch: Press
    ahead: int | None
    """Nanoseconds by which the call came before the catch."""
    doubt: int


class LaidCard(Struct, frozen=True, tag="laid_card"):
    """A card and what it was laid on."""

    seat: int
    card: Card
    on: Card | None
    colour: Colour | None
    insisted: Sentence | None = None
    """Why the card was illegal, where the referee insisted on it."""


class DealCards(Struct, frozen=True, tag="deal_cards"):
    """What each seat drew for the deal."""

    cards: dict[int, Card]


class Count(Struct, frozen=True, tag="count"):
    """Points by player number."""

    points: dict[int, int]


Evidence = Finish | Calling | LaidCard | DealCards | Count


def layer_of(evidence: Evidence | None) -> int | None:
    """Who laid the Street Race, where this is the evidence of one."""
    return evidence.layer if isinstance(evidence, Finish) else None


Outcome = Literal[
    "last",
    "never_slapped",
    "false_start",
    "false_starts",
    "dead_heat",
    "nobody_slapped",
    "no_order",
    "unusable",
    "picked",
    "caught",
    "called",
    "too_late",
    "not_on_one",
    "guilty",
    "innocent",
    "hit",
    "skipped",
    "reversed",
    "first_card",
    "insisted",
    "deals",
    "deal_tie",
    "out",
    "scored",
    "edited",
    "won",
    "overruled",
    "short",
    "void",
]
"""What a ruling comes to. Everything that depends on a ruling asks for this, never for its words.

A race: one was last, never slapped, or jumped the light of a slap-off (or several did); a dead
heat; none of several slapped; too few slapped without hammering for any order; a player without a
usable button may have been last; the referee picked. A catch: caught, called in time, too late, or
not on one card. `void` takes back what was ruled before.
"""

UNDECIDED: frozenset[Outcome] = frozenset(
    {"dead_heat", "nobody_slapped", "no_order", "unusable", "false_starts"}
)
"""After these somebody has yet to say who was last."""


class Ruling(Struct, frozen=True):
    """One decision of the referee."""

    number: int
    rule: str
    outcome: Outcome
    sentence: Sentence
    at: int
    seats: tuple[int, ...] = ()
    """Whom it concerns."""
    draws: tuple[Draws, ...] = ()
    back: tuple[Draws, ...] = ()
    """Cards drawn for the ruling before it, which go back under the draw pile."""
    house: tuple[str, ...] = ()
    """The house rules that were used."""
    evidence: Evidence | None = None
    overruled: Sentence | None = None


RaceState = Literal["proposed", "running", "undecided", "slap_off", "ruled", "void"]
