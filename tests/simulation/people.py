"""How people use a button: how fast they are, how long a hand stays, and what they forget.

The model is ours: nobody has counted these at a real table yet. Of reactions it takes what is known
of them; the rest is set so that every habit that can mislead the table comes up often.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from companion.referee.model.presses import MILLISECOND, SECOND

UNCERTAINTY = 20_000
"""Of every press, in nanoseconds: a good wired button."""
SEEN_LATE = 60 * MILLISECOND
"""A press reaches the table at most so long after it was made."""
APART = 60 * MILLISECOND
"""No hand can press again sooner than this."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What share of people does what; times are in seconds."""

    reaction: float = 0.330
    spread: float = 0.080
    quickest: float = 0.150
    slow: float = 0.03
    """So often a racer looks elsewhere, and slaps 0.6 to 3 s late."""
    never: float = 0.003
    """So often a racer does not slap at all."""
    rests: float = 0.25
    """So often a hand stays on the button, for up to 20 s."""
    twice: float = 0.06
    """So often somebody taps twice, to be sure."""
    stray: float = 300.0
    """Every so many seconds each seat's button is touched by accident; of ten, one every 30 s."""
    calls: float = 0.80
    """So often UNO is called in time,"""
    calls_late: float = 0.08
    """and so often only after a while; else it is forgotten."""
    calls_in_race: float = 0.15
    """So often who lays a race as the last card but one calls while the others slap, not after."""
    notices: float = 0.70
    """So often somebody notices a missing call."""
    mishears: float = 0.03
    """So often somebody catches a player who has called."""
    too_late: float = 0.05
    """So often somebody who notices only after the next player has begun catches all the same."""
    startled: float = 0.5
    """So often who is caught presses the own button on hearing it."""


PEOPLE = Habits()


@dataclass(frozen=True, slots=True, order=True)
class Touch:
    """One push of one seat's button, and when the hand left it."""

    at: int
    seat: int
    until: int
    needed: bool = True
    """Whether somebody meant something by it; a stray touch gives way to one that does."""


def between(chance: Random, least: float, most: float) -> int:
    """Some time between so many seconds, in nanoseconds."""
    return int(chance.uniform(least, most) * SECOND)


def reaction(chance: Random, habits: Habits) -> int | None:
    """How long after the card one racer slaps; None for never."""
    honest = max(habits.quickest, chance.gauss(habits.reaction, habits.spread))
    late = chance.uniform(0.6, 3.0)
    luck = chance.random()
    if luck < habits.never:
        return None
    return int((late if luck < habits.never + habits.slow else honest) * SECOND)


def touches(chance: Random, habits: Habits, seat: int, at: int) -> list[Touch]:
    """What a button feels when this seat presses it once, or twice to be sure."""
    made = [Touch(at, seat, at + _stay(chance, habits))]
    if chance.random() < habits.twice:
        again = at + between(chance, 0.1, 0.6)
        made = [Touch(at, seat, at + APART // 2), Touch(again, seat, again + _stay(chance, habits))]
    return made


def strays(chance: Random, habits: Habits, seat: int, since: int, until: int) -> list[Touch]:
    """The accidents of one seat."""
    made: list[Touch] = []
    at = since + int(chance.expovariate(1 / habits.stray) * SECOND)
    while at < until:
        made.append(Touch(at, seat, at + _stay(chance, habits), needed=False))
        at += int(chance.expovariate(1 / habits.stray) * SECOND)
    return made


def possible(made: list[Touch]) -> list[Touch]:
    """What one hand per seat can have done: it lets go before it presses again."""
    kept: list[Touch] = []
    for seat in sorted({touch.seat for touch in made}):
        kept += _one_hand(sorted(touch for touch in made if touch.seat == seat))
    return sorted(kept)


def _one_hand(made: list[Touch]) -> list[Touch]:
    kept: list[Touch] = []
    for touch in made:
        if kept and touch.at - kept[-1].at < APART:
            if not touch.needed or kept[-1].needed:
                continue
            kept.pop()
        kept.append(touch)
    return [
        Touch(touch.at, touch.seat, min([touch.until, *following]), touch.needed)
        for touch, following in zip(
            kept, [*([after.at - APART // 3] for after in kept[1:]), []], strict=True
        )
    ]


def _stay(chance: Random, habits: Habits) -> int:
    if chance.random() < habits.rests:
        return between(chance, 0.5, 20.0)
    return between(chance, 0.07, 0.25)
