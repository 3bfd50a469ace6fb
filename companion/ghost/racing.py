"""How ghosts race: who slaps when, who forgets, and what the referee does with a dead heat."""

from __future__ import annotations

from companion.ghost import opening
from companion.ghost.ghost import Ghost
from companion.ghost.moments import MILLISECOND
from companion.ghost.races import OPEN as OPEN
from companion.ghost.truth import Raced
from companion.referee import commands as c

DOUBTS = (2_000, 2_000, 2_000, 150_000, 3 * MILLISECOND)
"""A wired button, twice as often as not; one with a slow kernel; one on USB."""


def ms(ghost: Ghost, least: int, most: int) -> int:
    """Some time between two numbers of milliseconds, to the nanosecond."""
    return ghost.luck.randint(least * MILLISECOND, most * MILLISECOND)


def all_slap(ghost: Ghost, racers: tuple[int, ...], laid: int) -> None:
    """Every racer's hand comes down some time after the card was laid."""
    hands = {seat: laid + ms(ghost, 120, 1_500) for seat in racers}
    if len(racers) > 1 and ghost.chance(ghost.temper.tie):
        slowest, second = sorted(hands, key=lambda seat: -hands[seat])[:2]
        margin = ghost.luck.choice((0, 1_000, 400_000, 999_000, 1_004_000, 1_004_001, 1_300_000))
        hands[slowest] = hands[second] + margin + _head_starts_apart(ghost, slowest, second)
    for seat, at in hands.items():
        if ghost.chance(ghost.temper.absent):
            continue
        slap(ghost, seat, max(at, ghost.now()))


def _head_starts_apart(ghost: Ghost, one: int, other: int) -> int:
    """How much later one hand may come than the other and still count as the same moment."""
    seats = ghost.truth.seats
    apart = seats[one].start - seats[other].start
    return apart if ghost.chance(0.5) else 0


def slap(ghost: Ghost, seat: int, at: int) -> None:
    """One hand comes down, perhaps twice, perhaps to stay for a while."""
    luck = ghost.luck
    stays = ghost.match.house.hands_stay_down
    held = ms(ghost, 1_500, 9_000) if stays or ghost.chance(0.1) else ms(ghost, 30, 400)
    late = ms(ghost, 0, 40) if ghost.chance(0.3) else 0
    ghost.push(seat, at, held, luck.choice(DOUBTS), late)
    if ghost.chance(ghost.temper.fidget * 2):
        ghost.push(seat, at + held + ms(ghost, 30, 300), ms(ghost, 30, 200), late=late)


def touch(ghost: Ghost, seat: int) -> None:
    """Press for a seat on a screen: the tablet's, or a phone in step with the table.

    The news of a ghost's phone is late, but never so late that something was ruled meanwhile.
    """
    if ghost.chance(0.5):
        ghost.say(c.PressSeat(seat))
    else:
        ago = ms(ghost, 300, 2_000) if ghost.chance(0.2) else ms(ghost, 0, 200)
        at = max(ghost.now() - ago, ghost.ruled_at())
        ghost.say(c.PhonePress(seat, at, ms(ghost, 0, 20)))


def tend(ghost: Ghost, race: Raced) -> None:
    """Do something about a race that is not settled."""
    if race.state == "undecided":
        _decide(ghost, race)
    elif race.light is not None:
        if ghost.quiet() and not race.light.pushes and ghost.now() < race.light.light_at:
            _slap_at_light(ghost, race)
        ghost.wait(ms(ghost, 300, 4_000))
    elif ghost.chance(ghost.temper.quarrel):
        _quarrel(ghost, race)
    elif ghost.chance(ghost.temper.small / 4):
        opening.give_head_start(ghost, ghost.luck.choice(ghost.round.seats))
    elif ghost.chance(0.05):
        touch(ghost, ghost.luck.choice(race.racers))
    else:
        ghost.wait(ms(ghost, 100, 3_000))


def _decide(ghost: Ghost, race: Raced) -> None:
    if ghost.chance(ghost.temper.nonsense * 2):
        ghost.say(c.PickLast((race.layer,) if ghost.chance(0.5) else ()))
    choice = ghost.luck.random()
    if choice < 0.45:
        ghost.say(c.SlapOff())
    elif choice < 0.8:
        several = ghost.chance(0.15)
        seats = race.last if several else (ghost.luck.choice(race.last),)
        ghost.say(c.PickLast(seats))
    elif choice < 0.9:
        ghost.say(c.CancelRace())
    else:
        ghost.say(c.RerunRace())
        all_slap(ghost, race.racers, ghost.now())


def _slap_at_light(ghost: Ghost, race: Raced) -> None:
    assert race.light is not None
    for seat in race.light.seats:
        choice = ghost.luck.random()
        if choice < 0.08:
            early = race.light.light_at - ms(ghost, 1, 1_000)
            slap(ghost, seat, max(ghost.now(), early))
        elif choice < 0.93:
            slap(ghost, seat, race.light.light_at + ms(ghost, 150, 600))


def _quarrel(ghost: Ghost, race: Raced) -> None:
    seats = ghost.round.seats
    choice = ghost.luck.random()
    if choice < 0.4:
        ghost.say(c.ChangeLayer(ghost.luck.choice(seats)))
    elif choice < 0.6:
        ghost.say(c.CancelRace())
    elif choice < 0.8:
        ghost.say(c.RerunRace())
        all_slap(ghost, race.racers, ghost.now())
    else:
        ghost.say(c.DeclareRace(ghost.luck.choice(seats)))


def declare(ghost: Ghost, layer: int) -> str:
    """Lay a Street Race on the felt: hands come down, and somebody tells the table in some way."""
    laid = ghost.now()
    racers = tuple(seat for seat in ghost.round.seats if seat != layer)
    all_slap(ghost, racers, laid)
    way = ghost.luck.choice(("hold", "tablet", "card"))
    if way == "hold" and ghost.chance(0.25):
        pressed = ghost.now()
        ghost.say(c.PhonePress(layer, pressed, ms(ghost, 0, 20)))
        ghost.wait(ms(ghost, 500, 1_500))
        ghost.say(c.HoldSeat(layer, pressed))
    elif way == "hold":
        ghost.push(layer, laid + ms(ghost, 0, 400), ms(ghost, 750, 1_600))
        ghost.wait(ms(ghost, 300, 3_000))
    elif way == "tablet":
        ghost.wait(ms(ghost, 0, 2_500))
        ghost.say(c.DeclareRace(layer))
    else:
        ghost.wait(ms(ghost, 0, 2_000))
        if ghost.chance(0.15):
            ghost.push(layer, ghost.now() + ms(ghost, 0, 1_500), ms(ghost, 750, 1_600))
    return way
