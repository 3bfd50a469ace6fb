"""What it costs to read one more press late in a round against early in it.

Presses mean nothing by themselves: with each one all the evidence that may still matter is read
again. What is settled must not be, or a long round would become a slow one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import cycle

from bench.figure import Figure
from bench.ground import PLAYERS, Ground
from bench.sides.tables import BareTable
from companion.demo.playing import seat, set_up
from companion.demo.steps import TimedCommand, taps
from companion.referee import commands as c
from companion.referee.decide import drafted
from companion.referee.draft import Now
from companion.referee.model.cards import Card
from companion.referee.model.edition import FAST_AND_FURIOUS
from companion.referee.model.presses import MILLISECOND, SECOND

MARK = 1.2
FEW = 50
WAYS: tuple[c.Way, ...] = ("free", "refereed")


def figures(ground: Ground) -> Iterator[Figure]:
    """Decide the same press at a round with many presses and at one with few, in turn."""
    many = ground.size(10_000, 200)
    for way in WAYS:
        late, early = _round(way, many), _round(way, FEW)
        costs = [(_cost(late), _cost(early)) for _ in range(ground.size(400, 20))]
        yield Figure.of_pairs(f"one more press in {way} play", costs, "µs/press", MARK)


def _round(way: c.Way, presses: int) -> BareTable:
    """Play a round in which somebody has pressed every second, each in turn."""
    table = BareTable()
    seats = seat(table, PLAYERS)
    set_up(table, FAST_AND_FURIOUS, way)
    for command in (c.StartMatch(), c.ChooseDealer(seats[0]), c.Deal()):
        table.carry_out(TimedCommand(table.now + SECOND, command))
    if way == "refereed":
        table.carry_out(TimedCommand(table.now + SECOND, c.TurnUp(Card("red-5"))))
    start = table.now
    turns = zip(cycle(seats), range(1, presses + 1), strict=False)
    for step in taps((button, start + number * SECOND) for button, number in turns):
        table.carry_out(step)
    return table


def _cost(table: BareTable) -> float:
    """Decide a press and leave the table as it was; only the time on the processor counts."""
    at = table.now + 500 * MILLISECOND
    before = time.thread_time_ns()
    drafted(table.table, c.PushButton(1, at, 5_000), Now(at))
    return (time.thread_time_ns() - before) / 1_000
