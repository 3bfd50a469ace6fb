"""Races for kernel lines: who presses when, with what bounce, and what happens beside."""

from __future__ import annotations

import random
import signal
from math import exp, log

from msgspec import Struct

MICROSECOND = 1_000
MILLISECOND = 1_000_000
SECOND = 1_000_000_000
PINS = (17, 27, 22, 5, 6, 13, 19, 26, 4, 25)
EVERYONE = tuple(range(1, len(PINS) + 1))
DOWN, UP = 0, 1
BOUNCE = 3 * MILLISECOND
SIGNAL = -1

Move = tuple[int, int, int]
"""Nanoseconds from the start, GPIO line (or -1 for a signal), and level (or signal)."""


class Race(Struct, frozen=True):
    """The moves of one race, and where among them each button's first edges are."""

    moves: tuple[Move, ...]
    presses: dict[int, int]
    """The place of each button's first edge down among the moves."""
    releases: dict[int, int]
    """The place of each button's first edge up after that."""
    contacts: dict[int, tuple[int, ...]]
    """The places of all edges of each button, in order."""
    holes: tuple[int, ...] = ()
    """Buttons whose edges are more than a stopped program's queue of 16 holds."""

    @property
    def bounces(self) -> bool:
        """Whether any contact does more than close and open."""
        return any(len(places) > 2 for places in self.contacts.values())


def plain_race(chance: random.Random, fewest: int = 2) -> Race:
    """Two to ten hands in any order, 20 microseconds to 5 milliseconds apart."""
    return _race(chance, _hands(chance, fewest), bounce=0)


def spread_race(chance: random.Random) -> Race:
    """Two to ten hands as far apart as people's reactions are, 5 to 80 milliseconds."""
    return _race(chance, _hands(chance, 2, 5 * MILLISECOND, 80 * MILLISECOND), bounce=0)


def crowd(chance: random.Random) -> Race:
    """All ten hands come down almost together, 20 to 100 microseconds apart."""
    at = 0
    hands = []
    for button in chance.sample(EVERYONE, len(EVERYONE)):
        hands.append((button, at))
        at += chance.randint(20, 100) * MICROSECOND
    return _race(chance, hands, bounce=0)


def bouncing_race(chance: random.Random) -> Race:
    """The same with contacts that bounce on every press and release."""
    return _race(chance, _hands(chance, 2), BOUNCE)


def greeting(chance: random.Random, bounce: int = 0, but: int | None = None) -> Race:
    """Everyone once, well apart, so that each contact shows how it is."""
    hands = [(n, n * 3 * MILLISECOND) for n in EVERYONE if n != but]
    return _race(chance, hands, bounce)


def hold(chance: random.Random) -> Race:
    """Three buttons are held, each for as long as it likes."""
    holders = chance.sample(EVERYONE, 3)
    start = [(n, place * 20 * MILLISECOND) for place, n in enumerate(holders)]
    dwell = {n: chance.randint(150, 1_000) * MILLISECOND for n in holders}
    return _race(chance, start, BOUNCE, dwell=dwell)


def stalled_race(chance: random.Random) -> Race:
    """Everyone slaps; after the third hand the program is stopped, and wakes when all is over.

    Two of the later buttons lose contact, while held, more often than an ordinary queue holds.
    """
    order = chance.sample(EVERYONE, len(EVERYONE))
    hands = [(n, place * 4 * MILLISECOND) for place, n in enumerate(order)]
    race = _race(chance, hands, bounce=0, flickers=dict.fromkeys(order[4:6], 40))
    stop = (hands[3][1] - 2 * MILLISECOND, SIGNAL, int(signal.SIGSTOP))
    wake = (race.moves[-1][0] + 500 * MILLISECOND, SIGNAL, int(signal.SIGCONT))
    return _with_moves(race, [stop, wake], tuple(sorted(order[4:6])))


def race_beside_faults(chance: random.Random, noisy: int, chattering: int) -> Race:
    """Six honest hands race while one line hums at 5 kHz and another chatters."""
    honest = [n for n in EVERYONE if n not in (1, noisy, chattering)]
    order = chance.sample(honest, 6)
    hands = [(n, (120 + 30 * place) * MILLISECOND) for place, n in enumerate(order)]
    race = _race(chance, hands, bounce=0)
    end = race.moves[-1][0]
    hum = [
        (n * 100 * MICROSECOND, PINS[noisy - 1], DOWN if n % 2 == 0 else UP)
        for n in range(2 * (end // (200 * MICROSECOND)))
    ]
    chatter = [
        (n * 17 * MILLISECOND, PINS[chattering - 1], DOWN if n % 2 == 0 else UP)
        for n in range(2 * (end // (34 * MILLISECOND)))
    ]
    return _with_moves(race, [*hum, *chatter])


def single_push(button: int) -> Race:
    """One button is pushed once, calmly."""
    return _race(random.Random(0), [(button, 0)], bounce=0)


def lift(button: int) -> Race:
    """A button that was down at the start is let go."""
    return Race(moves=((0, PINS[button - 1], UP),), presses={}, releases={}, contacts={})


def _hands(
    chance: random.Random,
    fewest: int,
    closest: int = 20 * MICROSECOND,
    widest: int = 5 * MILLISECOND,
) -> list[tuple[int, int]]:
    """Choose who presses, and when: close gaps are as likely as wide ones."""
    order = chance.sample(EVERYONE, chance.randint(fewest, len(EVERYONE)))
    at = 0
    hands = []
    for button in order:
        hands.append((button, at))
        gap = exp(chance.uniform(log(closest), log(widest)))
        at += round(gap)
    return hands


def _race(
    chance: random.Random,
    hands: list[tuple[int, int]],
    bounce: int,
    dwell: dict[int, int] | None = None,
    flickers: dict[int, int] | None = None,
) -> Race:
    dwell = dwell or {}
    flickers = flickers or {}
    marked: list[tuple[Move, str, int]] = []
    latest = max(at for _, at in hands)
    for place, (button, at) in enumerate(hands):
        pin = PINS[button - 1]
        let_go = latest + (30 + place) * MILLISECOND
        if button in dwell:
            let_go = at + dwell[button]
        for when, level, mark in ((at, DOWN, "press"), (let_go, UP, "release")):
            marked.append(((when, pin, level), mark, button))
            echoes = _bounces(chance, bounce) if bounce else []
            if level == DOWN and button in flickers:
                step = 400 * MICROSECOND
                echoes = [20 * MILLISECOND + n * step for n in range(flickers[button])]
            for n, echo in enumerate(echoes):
                bounced = level if n % 2 else 1 - level
                marked.append(((when + echo, pin, bounced), "bounce", button))
    marked.sort(key=lambda entry: entry[0][0])
    return Race(
        moves=tuple(move for move, _, _ in marked),
        presses={b: i for i, (_, mark, b) in enumerate(marked) if mark == "press"},
        releases={b: i for i, (_, mark, b) in enumerate(marked) if mark == "release"},
        contacts={
            button: tuple(i for i, (_, _, b) in enumerate(marked) if b == button)
            for button, _ in hands
        },
    )


def _bounces(chance: random.Random, longest: int) -> list[int]:
    """An even number of further edges, so that the contact ends where it went."""
    count = 2 * chance.randint(1, 3)
    return sorted(chance.randint(30 * MICROSECOND, longest) for _ in range(count))


def _with_moves(race: Race, more: list[Move], holes: tuple[int, ...] = ()) -> Race:
    """Put further moves between those of a race; each first edge keeps its mark."""
    old = [(move, place) for place, move in enumerate(race.moves)]
    merged = sorted([*old, *((move, -1) for move in more)], key=lambda entry: entry[0][0])
    new_place = {place: new for new, (_, place) in enumerate(merged)}
    return Race(
        moves=tuple(move for move, _ in merged),
        presses={button: new_place[place] for button, place in race.presses.items()},
        releases={button: new_place[place] for button, place in race.releases.items()},
        contacts={
            button: tuple(new_place[place] for place in places)
            for button, places in race.contacts.items()
        },
        holes=holes,
    )
