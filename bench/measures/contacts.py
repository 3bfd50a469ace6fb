"""How many realistic races are left open, beside a perfect clock with the same switches.

Hands slap, contacts bounce, and the kernel's threads run late. Everything from the kernel's reports
on is the table's own: the order of edges, the contacts, and the judging of the finish.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import chain
from math import exp, log

from msgspec import Struct

from bench.figure import Figure
from bench.ground import Ground
from bench.small_kernel import Move, Report, SmallKernel
from companion.referee import commands as c
from companion.referee.evidence.races.finish import Field, judge
from companion.referee.model.presses import Press, Timing
from hardware.contact.contact import Contact
from hardware.contact.edge_order import EdgeOrder, Numbered
from hardware.contact.edges import MICROSECOND, MILLISECOND, SECOND, Dating, Edge, Level
from hardware.contact.lateness import Lateness
from hardware.pins.factories import KERNEL_BASE, date_arrival

MARK = 2.0
LINES = tuple(range(1, 10))
TIMING = Timing()
REACTION, REACTION_SPREAD = 330 * MILLISECOND, 80 * MILLISECOND
BOUNCE = (MILLISECOND // 2, 6 * MILLISECOND)
THREAD, THREAD_SIGMA = 40 * MICROSECOND, 0.9
SELDOM, SELDOM_LATE = 0.01, 1 * MILLISECOND
"""So often a thread is late, and by how much on the average."""
READER, READER_SIGMA = 300 * MICROSECOND, 0.6
"""How soon our own thread wakes and reads what the kernel has reported."""
AGAIN = 20 * MICROSECOND


class Tally(Struct):
    """How the races of one way of dating came out."""

    races: int = 0
    open: int = 0
    wrong: int = 0
    unheard: int = 0
    """Slaps that the table did not get."""

    @property
    def share(self) -> float:
        """The races left open, in percent."""
        return 100 * self.open / self.races


def figures(ground: Ground) -> Iterator[Figure]:
    """Let the same races be judged by each factory's dates and by a perfect clock."""
    races = ground.size(20_000, 300)
    for factory in ("gpiod", "lgpio"):
        ours, perfect = race_often(factory, races, seed=1)
        yield Figure(
            name=f"left open on {factory}; {ours.wrong} wrong of {ours.races:,}",
            ours=ours.share,
            other=perfect.share,
            ratio=ours.share / perfect.share,
            unit="%",
            mark=MARK if factory == "gpiod" else None,
        )


def race_often(factory: str, races: int, seed: int) -> tuple[Tally, Tally]:
    """Race so often at one table, and count for our dates and for perfect ones."""
    chance = random.Random(seed)
    table = NumberedTable(chance) if factory == "gpiod" else PlainTable(chance)
    ours, perfect = Tally(), Tally()
    start = SECOND
    for _ in range(races):
        hands = _hands(chance, start)
        moves = sorted(chain.from_iterable(_push(chance, n, at) for n, at in hands.items()))
        slaps = {press.button: press for press in table.play(moves)}
        _count(ours, hands, {n: Press(n, p.at, p.uncertainty) for n, p in slaps.items()})
        _count(perfect, hands, {n: Press(n, at, 0) for n, at in hands.items()})
        start += 3 * SECOND
    return ours, perfect


def _count(tally: Tally, hands: Mapping[int, int], slaps: dict[int, Press]) -> None:
    tally.races += 1
    tally.unheard += len(hands.keys() - slaps.keys())
    start = min(hands.values())
    last = judge(Field(0, tuple(hands), start, start - SECOND), slaps, TIMING).last
    tally.open += len(last) > 1
    tally.wrong += last != (max(hands, key=lambda n: hands[n]),) and len(last) == 1


def _hands(chance: random.Random, start: int) -> dict[int, int]:
    """Say who slaps when."""
    lines = chance.sample(LINES, chance.randint(3, 9))
    return {n: start + round(max(0, chance.gauss(REACTION, REACTION_SPREAD))) for n in lines}


def _push(chance: random.Random, line: int, at: int) -> list[Move]:
    """Close a contact and open it again, bouncing both ways."""
    let_go = at + chance.randint(80, 400) * MILLISECOND
    return [*_bounce(chance, line, at, True), *_bounce(chance, line, let_go, False)]


def _bounce(chance: random.Random, line: int, at: int, closed: bool) -> list[Move]:
    length = chance.randint(*BOUNCE)
    times = sorted(chance.randint(1, length) for _ in range(2 * chance.randint(1, 4)))
    edges = [at, *(at + time for time in times)]
    return [(edge, line, closed == (n % 2 == 0)) for n, edge in enumerate(edges)]


class NumberedTable:
    """The path of gpiod: numbered edges, put into order, with what the numbers tell."""

    dating = Dating(source="button", base=KERNEL_BASE, numbered=True)

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._kernel = SmallKernel(lambda: _thread_delay(chance))
        self._contacts = {line: Contact(line, self.dating) for line in LINES}
        self._waited_since = 0
        self.lateness = Lateness()
        self._order = EdgeOrder(LINES, self.lateness)

    def play(self, moves: list[Move]) -> list[c.PushButton]:
        """Let the contacts move, and give the presses that are told of."""
        said: list[c.ButtonCommand] = []
        for read_at, batch in self._read(self._kernel.reports(moves)):
            for edge in self._told(batch, read_at):
                said += self._contacts[edge.button].edge(edge)
        end = moves[-1][0] + SECOND
        for edge in self._told([], end):
            said += self._contacts[edge.button].edge(edge)
        for line, contact in self._contacts.items():
            said += contact.rest(Level(line, False, end, end))
        return [report for report in said if isinstance(report, c.PushButton)]

    def _read(self, reports: list[Report]) -> Iterator[tuple[int, list[Numbered]]]:
        """Let our own thread wake up for a report, and take along what came meanwhile."""
        left = deque(reports)
        while left:
            delay = round(READER * exp(self._chance.gauss(0, READER_SIGMA)))
            awake = max(left[0].ran, self._waited_since) + delay
            batch = []
            while left and left[0].ran <= awake:
                batch.append(left.popleft().edge)
            yield awake, batch
            self._waited_since = awake + AGAIN * len(batch)

    def _told(self, batch: list[Numbered], now: int) -> list[Edge]:
        handed = [*self._order.give_up(now), *self._order.take(batch, now, self._waited_since)]
        return [Edge(one.line, one.at, one.rising, one.doubt) for one in handed]


class PlainTable(NumberedTable):
    """The path of lgpio: nothing tells which dates were overwritten."""

    dating = Dating(source="button", base=KERNEL_BASE)

    def _told(self, batch: list[Numbered], now: int) -> list[Edge]:
        moments = [(edge, date_arrival(edge.at, now, self.lateness)) for edge in batch]
        return [Edge(edge.line, m.at, edge.rising, m.doubt) for edge, m in moments]


def _thread_delay(chance: random.Random) -> int:
    if chance.random() < SELDOM:
        return round(chance.expovariate(1 / SELDOM_LATE))
    return round(exp(chance.gauss(log(THREAD), THREAD_SIGMA)))
