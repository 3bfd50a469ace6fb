"""A table at which races were run, with contacts that bounce as contacts do."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND
from companion.referee.model.trace import FIRST_KEPT, LAST_KEPT, RawEdge, Trace
from tests.kit.night import ANA, BEN, CLEO, Night, until

MS = MILLISECOND


def bouncing(luck: Random, held: int, bounces: int) -> Trace:
    """What a contact does that closes, bounces, stays closed and opens again."""
    edges = [(0, True)]
    for _ in range(bounces):
        edges.append((edges[-1][0] + luck.randrange(40_000, 320_000), False))
        edges.append((edges[-1][0] + luck.randrange(30_000, 200_000), True))
    opened = held + luck.randrange(150_000, 400_000)
    edges += [(held, False), (held + 90_000, True), (opened, False)]
    kept = edges
    if len(edges) > FIRST_KEPT + LAST_KEPT:
        kept = edges[:FIRST_KEPT] + edges[-LAST_KEPT:]
    return Trace(tuple(RawEdge(at, down) for at, down in kept), len(edges) - len(kept))


def race(night: Night, *hands: tuple[int, int], bounces: tuple[int, ...] = (3, 2, 5, 18)) -> int:
    """Ana lays a Street Race and keeps hands off, the others slap when they do; tell the ruling."""
    luck = Random(7)
    night.clock.put_forward(1_100)
    began = night.clock.ticks() - 800 * MS
    for (seat, after), many in zip(sorted(hands, key=lambda hand: hand[1]), bounces, strict=False):
        at, held = began + after * MS, luck.randrange(90, 180) * MS
        night.worker.hand_over(c.PushButton(seat, at, 60_000))
        night.worker.hand_over(c.Release(seat, at + held, at, bouncing(luck, held, many)))
    until(lambda: any(race.ruling is not None for race in night.round.races))
    (race,) = night.round.races
    assert race.layer == ANA
    assert race.ruling is not None
    return race.ruling


def played(folder: Path) -> tuple[int, int]:
    """Two matches with a race each; tell the rulings of the two."""
    with Night(folder) as night:
        night.seat_three()
        night.do(c.Sit("Dan", 4, 4))
        found = []
        close = ((BEN, 402), (CLEO, 431), (4, 447), (BEN, 560))
        clear = ((BEN, 300), (CLEO, 520), (4, 380))
        for hands in (close, clear):
            night.do(c.StartMatch())
            night.do(c.ChooseDealer(ANA))
            night.do(c.Deal())
            found.append(race(night, *hands))
            for debt in night.round.debts:
                night.do(c.Drawn(debt.number))
            night.do(c.GoOut(BEN))
            for seat in (ANA, CLEO, 4):
                night.do(c.EnterPoints(seat, 10 * seat))
            night.do(c.ScoreRound())
            night.do(c.CloseMatch())
    return found[0], found[1]
