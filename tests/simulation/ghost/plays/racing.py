"""How ghosts race: the layer keeps the hands off, everybody else slaps, and all of it is clear.

What people could take for something else belongs to the simulation of late tables, not here.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from companion.referee import commands as c
from tests.simulation.ghost.expects import races
from tests.simulation.ghost.ghost import Ghost
from tests.simulation.ghost.truth import MILLISECOND, SECOND, Slap

DOUBTS = (2_000, 2_000, 2_000, 150_000, 3 * MILLISECOND)
"""A wired button, twice as often as not; one with a slow kernel; one on USB."""
FORGOTTEN = 36 * SECOND
"""After so long nothing that hands did before can be meant by what is said now."""
TIME_LIMIT = 11 * SECOND
"""By then whoever has not slapped is last."""
LOOSE = 500 * MILLISECOND
"""Hands farther apart than this may not all be slaps."""
Slaps = dict[int, Slap]


def ms(ghost: Ghost, least: int, most: int) -> int:
    """Some time between two numbers of milliseconds, to the nanosecond."""
    return ghost.luck.randint(least * MILLISECOND, most * MILLISECOND)


def by_card(ghost: Ghost, layer: int, play: Callable[[], object]) -> None:
    """Race in refereed play: the card is told before, between or after the hands."""
    ghost.hush(FORGOTTEN)
    with ghost.busy_hands():
        slaps = all_slap(ghost, layer, late=True)
        ghost.wait(ms(ghost, 0, 3_000))
        play()
        judge(ghost, slaps)


def last_card(ghost: Ghost, layer: int, tell: Callable[[], object]) -> None:
    """R14. By house rule a race is run for the last card of free play, once it is told."""
    with ghost.busy_hands():
        tell()
        judge(ghost, all_slap(ghost, layer, late=True))


def by_hands(ghost: Ghost, layer: int) -> None:
    """Race in free play: the hands say it, a question is answered, or the tablet is told."""
    ghost.hush(FORGOTTEN)
    players, racers = len(ghost.round.seats), len(ghost.round.seats) - 1
    with ghost.busy_hands():
        if players == 2 or ghost.chance(0.2):
            ghost.say(c.DeclareRace(layer))
            if ghost.chance(ghost.temper.nonsense * 3) and players > 2:
                ghost.say(c.DeclareRace(layer))
            judge(ghost, all_slap(ghost, layer, late=True))
        else:
            slaps = all_slap(ghost, layer, late=False)
            ghost.wait(2_500 * MILLISECOND)
            shown = players >= 4 and len(slaps) == racers
            unsure = shown and _may_be_another(ghost, layer, slaps)
            asked = unsure or (racers >= 2 and len(slaps) == max(2, players - 2))
            if shown and not unsure:
                _seen(ghost, layer, slaps)
            elif asked and ghost.chance(0.7):
                _answer(ghost, layer, slaps)
            else:
                ghost.wait(ms(ghost, 0, 3_000))
                ghost.say(c.DeclareRace(layer))
                judge(ghost, slaps)


def _may_be_another(ghost: Ghost, layer: int, slaps: Slaps) -> bool:
    """Whether the slowest hand may be the layer's own, while somebody slapped who is not heard."""
    moments = [slap.at for slap in slaps.values()]
    return not ghost.truth.can_press(layer) and max(moments) - min(moments) > LOOSE


def false_alarm(ghost: Ghost) -> None:
    """Some touch their buttons at once, but nobody has laid a race: say so, or let it pass."""
    seats = [seat for seat in ghost.round.seats if ghost.truth.can_press(seat)]
    hands = max(2, len(ghost.round.seats) - 2)
    if len(ghost.round.seats) < 3 or len(seats) < hands or not _raced(ghost):
        return
    ghost.hush(FORGOTTEN)
    with ghost.busy_hands():
        at = ghost.now()
        for seat in ghost.luck.sample(seats, hands):
            ghost.push(seat, at + ms(ghost, 0, 300), ms(ghost, 30, 300))
            ghost.round.calls[seat] = None
        ghost.wait(ms(ghost, 6_000, 8_000))
        if ghost.chance(0.5):
            number, kind = _question(ghost)
            ghost.say(c.Answer(number, "no" if kind == "was_race" else "none"))
        ghost.wait(31 * SECOND)


def _raced(ghost: Ghost) -> bool:
    return "street-race" in ghost.match.sheet.copies


def all_slap(ghost: Ghost, layer: int, *, late: bool) -> Slaps:
    """Every racer's hand comes down, all in one bunch; one may come late where that is clear."""
    truth, luck = ghost.truth, ghost.luck
    racers = [seat for seat in ghost.round.seats if seat != layer]
    slapping = [seat for seat in racers if _slaps(ghost, seat)]
    luck.shuffle(slapping)
    first = at = ghost.now() + ms(ghost, 200, 500)
    moments: dict[int, int] = {}
    for seat in slapping:
        moments[seat] = at
        at += ms(ghost, 0, min(300, 1_200 // len(slapping)))
    if len(slapping) > 1 and ghost.chance(ghost.temper.tie):
        _tie(ghost, moments, *slapping[-2:])
    elif late and len(slapping) > 2 and ghost.chance(0.1):
        moments[slapping[-1]] = first + ms(ghost, 2_000, 8_000)
    stays = ghost.match.house.hands_stay_down
    held = TIME_LIMIT + 12 * SECOND if stays and len(slapping) < len(racers) else TIME_LIMIT
    for seat in truth.broken_seats():
        # What a broken button says is not believed.
        if seat in racers and ghost.chance(0.3):
            ghost.push(seat, first + ms(ghost, 0, 900), ms(ghost, 30, 400))
    return {seat: slap(ghost, seat, at, held) for seat, at in moments.items()}


def _slaps(ghost: Ghost, seat: int) -> bool:
    if ghost.truth.can_press(seat):
        return not ghost.chance(ghost.temper.absent)
    return ghost.chance(0.5)


def _tie(ghost: Ghost, moments: dict[int, int], one: int, other: int) -> None:
    """Let two hands count as down at the same moment, or very nearly, if that leaves one bunch."""
    starts = ghost.truth.starts()
    margin = ghost.luck.choice((0, 1_000, 400_000, 999_000, 1_004_000, 1_004_001, 1_300_000))
    apart = starts[other] - starts[one] if ghost.chance(0.5) else 0
    changed = moments | {other: moments[one] + margin + apart}
    if clear(list(changed.values())) and changed[other] > ghost.now() + 100 * MILLISECOND:
        moments[other] = changed[other]


def clear(moments: list[int]) -> bool:
    """Whether hands at these moments are one race to everybody: each close to the one before."""
    order = sorted(moments)
    close = all(after - before <= 300 * MILLISECOND for before, after in pairwise(order))
    return close and order[-1] - order[0] <= 1_400 * MILLISECOND


def slap(ghost: Ghost, seat: int, at: int, stays: int = TIME_LIMIT) -> Slap:
    """One hand comes down, perhaps twice at once, perhaps to stay for a while."""
    if not ghost.truth.can_press(seat):
        return ghost.touch(seat, at)
    stays_down = ghost.match.house.hands_stay_down
    rests = stays_down or ghost.chance(0.3)
    held = stays if stays_down else ms(ghost, 1_500, 9_000) if rests else ms(ghost, 30, 120)
    late = ms(ghost, 0, 40) if ghost.chance(0.3) else 0
    doubt = ghost.luck.choice(DOUBTS)
    if not rests and ghost.chance(ghost.temper.fidget * 2):
        ghost.push(seat, at + held + ms(ghost, 20, 80), ms(ghost, 30, 100), late=late)
    return ghost.push(seat, at, held, doubt, late)


def _seen(ghost: Ghost, layer: int, slaps: Slaps) -> None:
    """The hands of all but one declare the race; the tablet may say the same afterwards."""
    first = min(slap.at for slap in slaps.values())
    ghost.oracle.happened(first)
    races.lay(ghost.truth, layer, "hands")
    judge(ghost, slaps)
    if ghost.chance(0.2):
        ghost.wait(ms(ghost, 0, 8_000))
        seen = ghost.round.race
        assert seen is not None
        ghost.say(c.DeclareRace(layer))
        ghost.round.races.remove(seen)
        ghost.round.debts = [d for d in ghost.round.debts if d.race != seen.number]
        judge(ghost, slaps)


def _answer(ghost: Ghost, layer: int, slaps: Slaps) -> None:
    """The table asks whether it was a race, or who laid it; the layer answers, or somebody taps."""
    ghost.wait(ms(ghost, 3_700, 5_000))
    number, kind = _question(ghost)
    if ghost.chance(0.5) and ghost.truth.can_press(layer):
        ghost.push(layer, ghost.now(), ms(ghost, 30, 300))
        ghost.wait(SECOND)
        ghost.oracle.happened(ghost.now())
    else:
        ghost.say(c.Answer(number, "yes" if kind == "was_race" else str(layer)))
    races.lay(ghost.truth, layer, "hands")
    judge(ghost, slaps)


def _question(ghost: Ghost) -> tuple[int, str]:
    """Find what the table asks about hands that nobody has named a race yet."""
    for number, kind in ghost.oracle.questions.items():
        if kind in ("was_race", "who_laid"):
            return number, kind
    ghost.fail(["nobody was asked who laid the race"])
    raise AssertionError


def judge(ghost: Ghost, slaps: Slaps) -> None:
    """Wait until the race is ruled, and let it have come out as it really was."""
    race = ghost.round.race
    assert race is not None
    last = max((slap.at for slap in slaps.values()), default=0)
    complete = 1 < len(race.racers) <= len(set(race.racers) & set(slaps))
    ghost.wait(max(0, last - ghost.now()) + (2 * SECOND if complete else TIME_LIMIT))
    mute = [seat for seat in race.racers if not ghost.truth.can_press(seat)]
    races.slapped(ghost.truth, slaps, mute)
