"""Hands that want to win without being quick: what each of them does to its own button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.simulation.people import Touch, between
from tests.simulation.truth import TrueRace, Truth

BEFORE = 6 * SECOND
AFTER = 3 * SECOND
"""A cheat that never stops is followed from so long before the card to so long after it."""
SHORT = 60 * MILLISECOND
"""How long a cheat's finger stays down."""
DARK = 0.5
"""How often a hammering hand presses before the light of a slap-off; once would do."""

Tricks = Callable[[Random, Truth, TrueRace, int], list[Touch]]
"""The touches of one seat around one race that it does not lay itself."""


@dataclass(frozen=True, slots=True)
class Cheat:
    """One way to cheat, with a name for it."""

    name: str
    tricks: Tricks
    slaps: bool = True
    """Whether the hand also slaps, as fast as an honest one, when the card is laid."""
    breaks_button: bool = False
    """Whether the button is made to be set aside before the race, and works again after it."""
    poses: bool = False
    """Whether a partner who lays the card slaps, so that this hand looks like the layer."""
    period: float | None = None
    """How often it presses in the dark before the light of a slap-off; None waits for it."""


def _nothing(chance: Random, truth: Truth, race: TrueRace, seat: int) -> list[Touch]:
    return []


def _steadily(chance: Random, since: int, until: int, period: float, seat: int) -> list[Touch]:
    """Touches as regular as a hand can make them."""
    made: list[Touch] = []
    at = since + between(chance, 0.0, period)
    while at < until:
        made.append(Touch(at, seat, at + min(SHORT, int(period * SECOND) // 2)))
        at += int(period * SECOND * chance.uniform(0.92, 1.08))
    return made


def mash(period: float, *, slaps: bool) -> Cheat:
    """Press again and again, all the time."""

    def tricks(chance: Random, truth: Truth, race: TrueRace, seat: int) -> list[Touch]:
        return _steadily(chance, race.laid - BEFORE, race.laid + AFTER, period, seat)

    words = "and slaps" if slaps else "and no more"
    return Cheat(f"mashes every {period:g} s {words}", tricks, slaps, period=period)


def early(lead: float, *, slaps: bool) -> Cheat:
    """Press shortly before the card is laid."""

    def tricks(chance: Random, truth: Truth, race: TrueRace, seat: int) -> list[Touch]:
        at = race.laid - int(lead * SECOND)
        return [Touch(at, seat, at + SHORT)]

    words = "and slaps" if slaps else "and no more"
    return Cheat(f"presses {lead:g} s early {words}", tricks, slaps)


def holds_back(lead: float) -> Cheat:
    """Press shortly before the card is laid, and slap only where that is not the last hand."""

    def tricks(chance: Random, truth: Truth, race: TrueRace, seat: int) -> list[Touch]:
        made = [race.laid - int(lead * SECOND)]
        slap = race.slaps[seat]
        if slap is not None and seat not in race.last:
            made.append(slap)
        return [Touch(at, seat, at + SHORT) for at in made]

    return Cheat(f"presses {lead:g} s early, slaps if not last", tricks, slaps=False)


def calls_always(every: float) -> Cheat:
    """Call UNO all the time."""

    def tricks(chance: Random, truth: Truth, race: TrueRace, seat: int) -> list[Touch]:
        return _steadily(chance, race.laid - 2 * BEFORE, race.laid + AFTER, every, seat)

    return Cheat(f"calls every {every:g} s", tricks, period=every)


def catches_always(every: float) -> Cheat:
    """Catch somebody all the time: two presses, and again."""

    def tricks(chance: Random, truth: Truth, race: TrueRace, seat: int) -> list[Touch]:
        firsts = _steadily(chance, race.laid - 2 * BEFORE, race.laid + AFTER, every, seat)
        seconds = [touch.at + between(chance, 0.3, 0.9) for touch in firsts]
        return [*firsts, *(Touch(at, seat, at + SHORT) for at in seconds)]

    return Cheat(f"catches every {every:g} s", tricks, period=every)


def broken(*, slaps: bool) -> Cheat:
    """Have the own button set aside before the race."""
    words = "and slaps it" if slaps else "and does not slap"
    return Cheat(f"breaks the button {words}", _nothing, slaps, breaks_button=True)


def hammer(period: float) -> Cheat:
    """Press as fast as possible, to push the others out of the table's memory."""

    def tricks(chance: Random, truth: Truth, race: TrueRace, seat: int) -> list[Touch]:
        return _steadily(chance, race.laid - BEFORE // 2, race.laid + AFTER // 2, period, seat)

    return Cheat(f"hammers every {period:g} s", tricks, period=DARK)


def hands_off() -> Cheat:
    """Keep the hands off, to look like the layer."""
    return Cheat("keeps hands off", _nothing, slaps=False)


def poses_as_layer() -> Cheat:
    """Keep the hands off while a partner who laid the card slaps; slap when others lay it."""
    return Cheat("poses as the layer", _nothing, poses=True)


def _mashing(*periods: float) -> tuple[Cheat, ...]:
    return tuple(mash(period, slaps=slaps) for period in periods for slaps in (False, True))


def _early(*leads: float) -> tuple[Cheat, ...]:
    return tuple(early(lead, slaps=slaps) for lead in leads for slaps in (False, True))


CHEATS: dict[str, Sequence[Cheat]] = {
    "mashing quickly": _mashing(0.15, 0.2, 0.3, 0.45),
    "mashing": _mashing(0.6, 0.8, 1.0),
    "mashing slowly": (*_mashing(1.3, 1.6, 2.0, 2.5), mash(3.0, slaps=False)),
    "early": _early(0.2, 0.35, 0.5, 0.7, 1.0),
    "holding back": (holds_back(0.5), holds_back(1.0)),
    "calling": tuple(calls_always(every) for every in (1.5, 2.5, 4.0)),
    "catching": tuple(catches_always(every) for every in (2.0, 3.0, 5.0)),
    "set aside": (broken(slaps=True), broken(slaps=False)),
    "hammering": tuple(hammer(period) for period in (0.07, 0.12)),
    "hands off": (hands_off(), poses_as_layer()),
}
"""By kind, every row that must not pay."""
ANTICIPATING = (*_early(0.1), mash(3.0, slaps=True))
"""A touch that falls before the others' hands by less than a reaction cannot be told from a quick
hand; nothing is promised there, and these rows are only printed."""


def breaking(race: TrueRace, seat: int, chance: Random) -> list[tuple[int, c.Command]]:
    """The button of this seat is set aside before the card, and put back after the race."""
    aside = race.laid - between(chance, 1.0, 4.0)
    back = race.over + between(chance, 1.5, 4.0)
    return [
        (aside, c.SetAside(seat, "chatter", aside)),
        (back, c.PutBack(seat, back)),
    ]
